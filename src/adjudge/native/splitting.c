/* The tokens of what is ASCII in texts: every different token once, and the number of each token, for one batch of texts or
 * many. text/splitting.py has the rules as patterns, which do the same.
 *
 * Tokens are found first and looked up some later: where the vocabulary has each of them is fetched in between, since most
 * of the time would go by in waiting for memory. Where a token ends can hardly be foreseen, so that the rule of letters and
 * digits has no branch for it: it makes bits of 64 characters and goes from one change to the next.
 */
#include "buffers.h"
#include "vocabulary.h"

#include <stdlib.h>

enum { LETTER = 1, DIGIT = 2, JOINS_LETTERS = 4, JOINS_DIGITS = 8, DASH = 16, UNDERSCORE = 32 };

/* What each character is by a rule; some more may be letters. */
static void
classes(uint8_t *class, int rule, const Array *letters)
{
    int c;
    memset(class, 0, 256);
    for (c = 'a'; c <= 'z'; c++)
        class[c] = class[c - 32] = LETTER;
    for (c = '0'; c <= '9'; c++)
        class[c] = DIGIT;
    for (int64_t k = 0; k < letters->length; k++)
        class[((const uint8_t *)letters->items)[k]] = LETTER;
    if (rule == 0)
        return;
    class['_'] = UNDERSCORE;
    class['\''] = class['.'] = JOINS_LETTERS | JOINS_DIGITS;
    class[':'] = JOINS_LETTERS;
    class[','] = class[';'] = JOINS_DIGITS;
    if (rule == 2)
        class['-'] = DASH;
}

/* Where the token that begins at i ends: runs of letters, digits and underscores; one sign may join two letters or two
 * digits, a dash any two of them. Rule 0 has letters and digits only, and then nothing joins. */
static int64_t
word_end(const uint8_t *text, int64_t i, int64_t end, const uint8_t *class)
{
    while (i < end) {
        uint8_t kind = class[text[i]];
        if (!(kind & (LETTER | DIGIT | UNDERSCORE)))
            break;
        while (i < end && class[text[i]] == kind)
            i++;
        if (kind != UNDERSCORE && i + 1 < end) {
            uint8_t sign = class[text[i]], next = class[text[i + 1]];
            if ((kind == LETTER && (sign & JOINS_LETTERS) && next == LETTER) ||
                (kind == DIGIT && (sign & JOINS_DIGITS) && next == DIGIT) ||
                ((sign & DASH) && (next & (LETTER | DIGIT))))
                i++;
        }
    }
    return i;
}

/* Where the token that begins at *i or later ends, and where it begins; 0 if there is none before the end. */
static ALWAYS_INLINE int
next_token(const uint8_t *data, int64_t *i, int64_t end, const uint8_t *class, int64_t *start)
{
    while (*i < end) {
        uint8_t kind = class[data[*i]];
        *start = *i;
        if (!(kind & (LETTER | DIGIT | UNDERSCORE))) {
            ++*i;
            continue;
        }
        if (kind == UNDERSCORE) {
            while (*i < end && class[data[*i]] == UNDERSCORE)
                ++*i;
            if (*i == end || !(class[data[*i]] & (LETTER | DIGIT)))
                continue;
        }
        *i = word_end(data, *i, end, class);
        return 1;
    }
    return 0;
}

enum { DONE, NO_MEMORY, TOO_LONG, NO_ROOM };

/* A job: where tokens go, and those of a text that were found and not yet looked up. */
typedef struct {
    Vocabulary *types;
    const uint8_t *data; /* the text */
    int64_t limit;       /* its length */
    int64_t longest;     /* of a token */
    int32_t *id, *span;
    int64_t at, room;
    int64_t start[TOGETHER];
    int32_t length[TOGETHER];
    int waiting;
    int failed;
} Job;

/* Look up what waits. */
static void
flush(Job *job)
{
    const Vocabulary *v = job->types;
    const uint64_t mask = (uint64_t)v->room - 1;
    uint64_t head[TOGETHER], code[TOGETHER];
    int32_t *id = job->id + job->at, *span = job->span ? job->span + 2 * job->at : NULL;
    int n = job->waiting, k;
    job->waiting = 0;
    if (n > job->room - job->at) {
        job->failed = NO_ROOM;
        return;
    }
    for (k = 0; k < n; k++) {
        head[k] = head_of(job->data, job->start[k], job->length[k], job->limit);
        code[k] = code_of(job->data + job->start[k], job->length[k], head[k]);
        PREFETCH(&v->table[code[k] & mask]);
    }
    for (k = 0; k < n; k++)
        if ((id[k] = look_up(job->types, job->data + job->start[k], job->length[k], head[k], code[k])) < 0) {
            job->failed = NO_MEMORY;
            return;
        }
    for (k = 0; span && k < n; k++) {
        span[2 * k] = (int32_t)job->start[k];
        span[2 * k + 1] = (int32_t)job->start[k] + job->length[k];
    }
    job->at += n;
}

/* One more token. */
static ALWAYS_INLINE void
found(Job *job, int64_t start, int64_t end)
{
    if (end - start > job->longest) {
        job->failed = TOO_LONG;
        return;
    }
    job->start[job->waiting] = start;
    job->length[job->waiting] = (int32_t)(end - start);
    if (++job->waiting == TOGETHER)
        flush(job);
}

/* A bit for each of so many characters, up to 64, that is a letter or a digit. */
static ALWAYS_INLINE uint64_t
bits_of(const uint8_t *text, int64_t many, const uint8_t *class)
{
    uint64_t bits = 0;
    for (int64_t k = 0; k < many; k++)
        bits |= (uint64_t)(class[text[k]] != 0) << k;
    return bits;
}

/* The same for 64 characters where letters are those of English: without a table compilers make vectors of it. The bytes
 * of eight answers become bits by one multiplication. */
static ALWAYS_INLINE uint64_t
plain_bits_of(const uint8_t *text)
{
    uint8_t yes[64];
    uint64_t bits = 0;
    for (int k = 0; k < 64; k++)
        yes[k] = ((uint8_t)((text[k] | 32) - 'a') < 26) | ((uint8_t)(text[k] - '0') < 10);
    for (int k = 0; k < 8; k++)
        bits |= (load8(yes + 8 * k) * 0x0102040810204080ull >> 56) << 8 * k;
    return bits;
}

/* The tokens of a piece of a text by rule 0, where every class is that of a part of a token. */
static void
runs_of(Job *job, int64_t from, int64_t to, const uint8_t *class, int plain)
{
    int64_t start = from;
    uint64_t inside = 0; /* whether the character before is a part of a token */
    for (int64_t at = from; at < to && !job->failed; at += 64) {
        int64_t many = to - at < 64 ? to - at : 64;
        uint64_t bits = plain && many == 64 ? plain_bits_of(job->data + at) : bits_of(job->data + at, many, class);
        for (uint64_t changes = bits ^ (bits << 1 | inside); changes; changes &= changes - 1) {
            int64_t place = at + lowest_bit(changes);
            if (inside)
                found(job, start, place);
            start = place;
            inside = !inside;
        }
    }
    if (inside && !job->failed)
        found(job, start, to);
}

/* The tokens of a piece of a text by another rule. */
static void
words_of(Job *job, int64_t from, int64_t to, const uint8_t *class)
{
    int64_t start;
    while (!job->failed && next_token(job->data, &from, to, class, &start))
        found(job, start, from);
}

/* A part of a text that is for the patterns, since a character of it is not ASCII: where it begins and ends in which text,
 * and how many tokens stand before it. */
typedef struct {
    int64_t text, from, to, tokens;
} Other;

typedef struct {
    Other *all;
    int64_t used, room;
} Others;

static int
one_more(Others *others, Other one)
{
    if (others->used == others->room) {
        int64_t room = 2 * others->room + 64;
        Other *more = realloc(others->all, (size_t)room * sizeof *more);
        if (!more)
            return 0;
        others->all = more;
        others->room = room;
    }
    others->all[others->used++] = one;
    return 1;
}

/* The first place from one on whose character is not ASCII; the end if there is none. */
static int64_t
not_ascii(const uint8_t *data, int64_t from, int64_t end)
{
    for (; end - from >= 8; from += 8)
        if (load8(data + from) & 0x8080808080808080ull)
            break;
    while (from < end && data[from] < 128)
        from++;
    return from;
}

static inline int
is_blank(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\t';
}

/* The tokens of a text, whose characters are bytes; 128 and above stand for all that is not ASCII. A word between blanks
 * or control characters with such a character in it is left to others. */
static void
split_text(Job *job, int64_t text, int rule, const uint8_t *class, int plain, Others *others)
{
    int64_t at = 0, end = job->limit;
    while (!job->failed) {
        int64_t place = not_ascii(job->data, at, end), from = place, to = place + 1;
        while (place < end && from > at && !is_blank(job->data[from - 1]))
            from--;
        if (rule)
            words_of(job, at, from, class);
        else
            runs_of(job, at, from, class, plain);
        if (place == end || job->failed)
            break;
        while (to < end && job->data[to] > ' ')
            to++;
        if (!one_more(others, (Other){text, from, to, job->at + job->waiting}))
            job->failed = NO_MEMORY;
        at = to;
    }
    if (!job->failed)
        flush(job);
}

/* A text: characters of one, two or four bytes. */
typedef struct {
    int kind, ascii;
    const void *data;
    int64_t length;
} Text;

/* The characters of a text as bytes, in lower case if that is asked for: 128 for those that are not ASCII, 0 for those of
 * them that separate tokens. */
static const uint8_t *
narrow(const Text *text, const Array *separators, int lower, uint8_t *room)
{
    const uint8_t *separates = separators->items;
    if (text->ascii && !lower)
        return text->data;
    if (text->ascii)
        memcpy(room, text->data, (size_t)text->length);
    else
        for (int64_t k = 0; k < text->length; k++) {
            uint32_t code = PyUnicode_READ(text->kind, text->data, k);
            if (code < 128)
                room[k] = (uint8_t)code;
            else
                room[k] = code < separators->length && separates[code] ? 0 : 128;
        }
    for (int64_t k = 0; lower && k < text->length; k++)
        room[k] = (uint8_t)(room[k] + ((uint8_t)(room[k] - 'A') < 26) * ('a' - 'A'));
    return room;
}

/* The texts of a tuple of strings, and the length of the longest that must be narrowed, which all may have to be; NULL with
 * an exception set. */
static Text *
texts_in(PyObject *tuple, int all, int64_t *wide)
{
    Py_ssize_t many = PyTuple_GET_SIZE(tuple), k;
    Text *texts = malloc((size_t)(many + 1) * sizeof *texts);
    if (!texts) {
        PyErr_NoMemory();
        return NULL;
    }
    *wide = 0;
    for (k = 0; k < many; k++) {
        PyObject *string = PyTuple_GET_ITEM(tuple, k);
        if (!PyUnicode_Check(string)) {
            PyErr_Format(PyExc_TypeError, "split: a text must be str, not %.80s", Py_TYPE(string)->tp_name);
            break;
        }
        texts[k] = (Text){(int)PyUnicode_KIND(string), PyUnicode_IS_ASCII(string), PyUnicode_DATA(string),
                          PyUnicode_GET_LENGTH(string)};
        if (texts[k].length > INT32_MAX) {
            PyErr_SetString(PyExc_ValueError, "split: a text of 2 GiB or more");
            break;
        }
        if ((all || !texts[k].ascii) && texts[k].length > *wide)
            *wide = texts[k].length;
    }
    if (k == many)
        return texts;
    free(texts);
    return NULL;
}

/* split(texts, rule, letters, separators, longest, ids, counts, spans or None, vocabulary or None) -> the types that are new in the
 * vocabulary, and where the parts are that are not ASCII (text, begin, end and tokens before it, as int64_t in bytes); None
 * if a token is longer than longest. letters are characters that rule 0 takes for letters, too, and separators has, for each
 * of the first characters of Unicode, whether it is none; other rules have neither. ids has room for a token every other character, counts gets the tokens of each text, spans begin and end of each token in its
 * text. A vocabulary with which a call failed or gave None is of no more use. */
static PyObject *
splitting_split(PyObject *self, PyObject *args)
{
    enum { LETTERS, SEPARATORS, IDS, COUNTS, SPANS, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "letters"), READS(uint8_t, "separators"), WRITES(int32_t, "ids"),
                       WRITES(int64_t, "counts"), MAY_WRITE(int32_t, "spans")};
    int64_t rule, longest, many, wide, known;
    Vocabulary own = {0};
    PyObject *given, *tuple, *fresh, *result = NULL;
    Text *texts = NULL;
    uint8_t *room = NULL;
    Others others = {0};
    Job job = {0};

    (void)self;
    if (!take(args, "split", "TiAAiAAAO", a, &tuple, &rule, &longest, &given))
        return NULL;
    many = PyTuple_GET_SIZE(tuple);
    if (rule < 0 || rule > 2) {
        PyErr_Format(PyExc_ValueError, "split: no rule %lld", (long long)rule);
        goto done;
    }
    if ((rule && !(has_length(&a[LETTERS], 0) && has_length(&a[SEPARATORS], 0))) || !has_length(&a[COUNTS], many) ||
        (a[SPANS].items && !has_length(&a[SPANS], 2 * a[IDS].length)) ||
        (job.types = take_vocabulary(given, &own, "split")) == NULL ||
        (texts = texts_in(tuple, job.types->lower, &wide)) == NULL)
        goto done;
    if ((room = malloc((size_t)wide + 1)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    known = job.types->distinct;
    job.longest = longest > 0 && longest < LONGEST ? longest : LONGEST;
    job.id = a[IDS].items;
    job.span = a[SPANS].items;
    job.room = a[IDS].length;
    Py_BEGIN_ALLOW_THREADS
    uint8_t class[256];
    int plain = a[LETTERS].length == 0 && little_endian();
    classes(class, (int)rule, &a[LETTERS]);
    for (int64_t t = 0; t < many && !job.failed; t++) {
        int64_t before = job.at;
        job.data = narrow(&texts[t], &a[SEPARATORS], job.types->lower, room);
        job.limit = texts[t].length;
        split_text(&job, t, (int)rule, class, plain, &others);
        ((int64_t *)a[COUNTS].items)[t] = job.at - before;
    }
    Py_END_ALLOW_THREADS
    if (job.failed == NO_MEMORY)
        PyErr_NoMemory();
    else if (job.failed == NO_ROOM)
        refuse(&a[IDS], "no room for all the tokens");
    else if (job.failed)
        result = Py_NewRef(Py_None);
    else if ((fresh = types_since(job.types, known)) != NULL)
        result = Py_BuildValue("(Ny#)", fresh, others.used ? (const char *)others.all : "",
                               (Py_ssize_t)(others.used * (int64_t)sizeof *others.all));
done:
    if (job.types)
        job.types->busy = 0;
    empty(&own);
    free(texts);
    free(room);
    free(others.all);
    release(a, ARRAYS);
    return result;
}

/* renumber(table, ids, offsets, places or None, spans or None, out, ends, where, out_spans or None) -> how many tokens are
 * left. table has the new number of each type, -1 for one that is dropped; ends gets the offsets of the texts among what is
 * left, where the places, which are those in the text where none are given. */
static PyObject *
splitting_renumber(PyObject *self, PyObject *args)
{
    enum { TABLE, IDS, OFFSETS, PLACES, SPANS, OUT, ENDS, WHERE, OUT_SPANS, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "table"),      READS(int32_t, "ids"),   READS(int64_t, "offsets"),
                       MAY_READ(int32_t, "places"),  MAY_READ(int32_t, "spans"), WRITES(int32_t, "out"),
                       WRITES(int64_t, "ends"),      WRITES(int32_t, "where"), MAY_WRITE(int32_t, "out_spans")};
    PyObject *result = NULL;
    int64_t n, texts, left = 0;

    (void)self;
    if (!take(args, "renumber", "AAAAAAAAA", a))
        return NULL;
    n = a[IDS].length;
    texts = a[OFFSETS].length - 1;
    if (!has_room(&a[OFFSETS], 1) || !ascends(&a[OFFSETS], 0, texts, n) || !points_into(&a[IDS], a[TABLE].length) ||
        !has_length(&a[OUT], n) || !has_length(&a[ENDS], texts + 1) || !has_length(&a[WHERE], n) ||
        (a[PLACES].items && !has_length(&a[PLACES], n)) ||
        ((a[SPANS].items || a[OUT_SPANS].items) && (!has_length(&a[SPANS], 2 * n) || !has_length(&a[OUT_SPANS], 2 * n))))
        goto done;
    Py_BEGIN_ALLOW_THREADS
    const int32_t *table = a[TABLE].items, *id = a[IDS].items, *place = a[PLACES].items, *span = a[SPANS].items;
    const int64_t *offset = a[OFFSETS].items;
    int32_t *out = a[OUT].items, *where = a[WHERE].items, *spans = a[OUT_SPANS].items;
    int64_t *end = a[ENDS].items;
    for (int64_t t = 0; t < texts; t++) {
        end[t] = left;
        for (int64_t i = offset[t]; i < offset[t + 1]; i++) {
            int32_t number = table[id[i]];
            out[left] = number; /* written in any case: no branch to foresee wrongly */
            where[left] = place ? place[i] : (int32_t)(i - offset[t]);
            if (span) {
                spans[2 * left] = span[2 * i];
                spans[2 * left + 1] = span[2 * i + 1];
            }
            left += number >= 0;
        }
    }
    end[texts] = left;
    Py_END_ALLOW_THREADS
    result = PyLong_FromLongLong((long long)left);
done:
    release(a, ARRAYS);
    return result;
}

PyMethodDef splitting_entries[] = {
    {"split", splitting_split, METH_VARARGS, "the tokens of ASCII texts"},
    {"renumber", splitting_renumber, METH_VARARGS, "tokens with other numbers, without those that are dropped"},
    END_OF_ENTRIES,
};
