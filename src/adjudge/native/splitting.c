/* The tokens of what is ASCII in texts: every different token once, and the number of each token, for one batch of texts or
 * many. text/splitting.py has the rules as patterns, which do the same.
 *
 * Tokens are found first and looked up some later: where the vocabulary has each of them is fetched in between, since most
 * of the time would go by in waiting for memory. Where a token ends can hardly be foreseen, so that the rule of letters and
 * digits has no branch for it: it makes bits of 64 characters and goes from one change to the next.
 */
#include "buffers.h"
#include "hash.h"

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

/* A token that was seen: its first eight bytes, zeros behind them if it has fewer, its length and its number. A token of
 * up to eight bytes is told by these alone. No length: nothing is here. */
typedef struct {
    uint64_t head;
    int32_t length;
    int32_t id;
} Entry;

/* Every different token, numbered in the order in which they were met. */
typedef struct {
    Entry *table;
    int64_t room;      /* of the table, a power of two */
    uint8_t *bytes;    /* the tokens, one after the other */
    int64_t used, held;
    int64_t *ends;     /* where each ends in the bytes; ends[0] is 0 and stands before the first */
    int64_t distinct, listed;
    int busy;          /* a call that has let go of the interpreter's lock works with it */
    int lower;         /* whether texts are in lower case before tokens are looked for */
} Vocabulary;

#define LONGEST ((1 << 24) - 1) /* bytes of a token; longer ones are too long anyway */
#define HEAD 8

static void
empty(Vocabulary *v)
{
    free(v->table);
    free(v->bytes);
    free(v->ends);
    *v = (Vocabulary){0};
}

/* An empty vocabulary; 0 without memory. It is small at first, since many are for one question. */
static int
prepare(Vocabulary *v)
{
    *v = (Vocabulary){.room = 1 << 8, .held = 1 << 10, .listed = 1 << 7};
    v->table = calloc((size_t)v->room, sizeof *v->table);
    v->bytes = malloc((size_t)v->held);
    v->ends = malloc((size_t)(v->listed + 1) * sizeof *v->ends);
    if (!v->table || !v->bytes || !v->ends) {
        empty(v);
        return 0;
    }
    v->ends[0] = 0;
    return 1;
}

/* The first eight bytes of a token, zeros behind its end. The text ends at limit. */
static ALWAYS_INLINE uint64_t
head_of(const uint8_t *data, int64_t start, int32_t length, int64_t limit)
{
    uint64_t head = 0;
    if (start + HEAD > limit || !little_endian()) {
        memcpy(&head, data + start, (size_t)(length < HEAD ? length : HEAD));
        return head;
    }
    head = load8(data + start);
    return length < HEAD ? head & ~(~(uint64_t)0 << (8 * length)) : head;
}

static ALWAYS_INLINE uint64_t
code_of(const uint8_t *token, int32_t length, uint64_t head)
{
    uint64_t code = (head ^ (uint64_t)length * 0xff51afd7ed558ccdull) * 0x9e3779b97f4a7c15ull;
    code ^= code >> 32;
    if (length > HEAD)
        code ^= hash(token + HEAD, length - HEAD);
    code *= 0xc4ceb9fe1a85ec53ull;
    return code ^ (code >> 29);
}

static int
more_slots(Vocabulary *v)
{
    int64_t room = v->room * 2;
    Entry *larger = calloc((size_t)room, sizeof *larger);
    if (!larger)
        return 0;
    for (int64_t old = 0; old < v->room; old++)
        if (v->table[old].length) {
            const Entry *e = &v->table[old];
            int64_t to = (int64_t)(code_of(v->bytes + v->ends[e->id], e->length, e->head) & (uint64_t)(room - 1));
            while (larger[to].length)
                to = (to + 1) & (room - 1);
            larger[to] = *e;
        }
    free(v->table);
    v->table = larger;
    v->room = room;
    return 1;
}

/* The number of a token that was not seen before, -1 without memory; the slot is where it was looked for in vain. */
static int32_t
new_type(Vocabulary *v, int64_t slot, const uint8_t *token, int32_t length, uint64_t head)
{
    if (v->distinct == v->listed) {
        int64_t *more = realloc(v->ends, (size_t)(2 * v->listed + 1) * sizeof *v->ends);
        if (!more)
            return -1;
        v->ends = more;
        v->listed *= 2;
    }
    if (v->used + length > v->held) {
        uint8_t *more = realloc(v->bytes, (size_t)(2 * v->held + length));
        if (!more)
            return -1;
        v->bytes = more;
        v->held = 2 * v->held + length;
    }
    if (v->distinct == INT32_MAX)
        return -1;
    memcpy(v->bytes + v->used, token, (size_t)length);
    v->table[slot] = (Entry){head, length, (int32_t)v->distinct};
    v->ends[++v->distinct] = v->used += length;
    if (v->distinct * 2 > v->room && !more_slots(v))
        return -1;
    return (int32_t)(v->distinct - 1);
}

/* The number of a token whose first bytes and code are known. */
static ALWAYS_INLINE int32_t
look_up(Vocabulary *v, const uint8_t *token, int32_t length, uint64_t head, uint64_t code)
{
    const uint64_t mask = (uint64_t)v->room - 1;
    const Entry *table = v->table;
    uint64_t slot = code & mask;
    for (; table[slot].length; slot = (slot + 1) & mask)
        if (table[slot].head == head && table[slot].length == length &&
            (length <= HEAD ||
             memcmp(v->bytes + v->ends[table[slot].id] + HEAD, token + HEAD, (size_t)(length - HEAD)) == 0))
            return table[slot].id;
    return new_type(v, (int64_t)slot, token, length, head);
}

#define VOCABULARY "adjudge.vocabulary"

static void
forget(PyObject *capsule)
{
    Vocabulary *v = PyCapsule_GetPointer(capsule, VOCABULARY);
    if (v) {
        empty(v);
        free(v);
    }
}

/* vocabulary(lower) -> an empty vocabulary, which split and number add to; split has A to Z in lower case for it if that is 1. */
static PyObject *
splitting_vocabulary(PyObject *self, PyObject *args)
{
    Vocabulary *v;
    PyObject *capsule;
    int lower;
    (void)self;
    if (!take(args, "vocabulary", "p", NULL, &lower))
        return NULL;
    if ((v = malloc(sizeof *v)) == NULL || !prepare(v)) {
        free(v);
        return PyErr_NoMemory();
    }
    v->lower = lower;
    if ((capsule = PyCapsule_New(v, VOCABULARY, forget)) == NULL) {
        empty(v);
        free(v);
    }
    return capsule;
}

/* The vocabulary behind an argument, marked as busy, or the own one, made ready, if that is None; NULL with an exception
 * set if it is something else or another thread works with it. */
static Vocabulary *
take_vocabulary(PyObject *given, Vocabulary *own, const char *entry)
{
    Vocabulary *v = own;
    if (given == Py_None) {
        if (!prepare(own)) {
            PyErr_NoMemory();
            return NULL;
        }
    } else if (!PyCapsule_IsValid(given, VOCABULARY)) {
        PyErr_Format(PyExc_TypeError, "%s: no vocabulary", entry);
        return NULL;
    } else if ((v = PyCapsule_GetPointer(given, VOCABULARY))->busy) {
        PyErr_Format(PyExc_ValueError, "%s: another thread works with the vocabulary", entry);
        return NULL;
    }
    v->busy = 1;
    return v;
}

/* The tokens from a number on as a list of strings. */
static PyObject *
types_since(const Vocabulary *v, int64_t first)
{
    PyObject *list = PyList_New((Py_ssize_t)(v->distinct - first));
    for (int64_t i = first; list && i < v->distinct; i++) {
        PyObject *word = PyUnicode_DecodeUTF8((const char *)v->bytes + v->ends[i],
                                              (Py_ssize_t)(v->ends[i + 1] - v->ends[i]), "surrogatepass");
        if (!word) {
            Py_CLEAR(list);
            break;
        }
        PyList_SET_ITEM(list, (Py_ssize_t)(i - first), word);
    }
    return list;
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

#define TOGETHER 64 /* tokens that are looked up after each other */

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

/* The numbers of some strings, some looked up after each other as tokens are; 0 without memory. */
static int
numbers_of(Vocabulary *v, const uint8_t *data, int64_t limit, const int64_t *offset, int64_t many, int32_t *ids)
{
    uint64_t head[TOGETHER], code[TOGETHER];
    for (int64_t first = 0; first < many; first += TOGETHER) {
        const int64_t last = first + TOGETHER < many ? first + TOGETHER : many;
        for (int64_t t = first; t < last; t++) {
            int32_t length = (int32_t)(offset[t + 1] - offset[t]);
            head[t - first] = head_of(data, offset[t], length, limit);
            code[t - first] = code_of(data + offset[t], length, head[t - first]);
            PREFETCH(&v->table[code[t - first] & ((uint64_t)v->room - 1)]);
        }
        for (int64_t t = first; t < last; t++) {
            int32_t length = (int32_t)(offset[t + 1] - offset[t]);
            if ((ids[t] = look_up(v, data + offset[t], length, head[t - first], code[t - first])) < 0)
                return 0;
        }
    }
    return 1;
}

/* number(vocabulary, data, offsets, ids, listed) -> the types that are new, if these are to be listed; ids gets the number of
 * each string in the data, none of which is empty. */
static PyObject *
splitting_number(PyObject *self, PyObject *args)
{
    enum { DATA, OFFSETS, IDS, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "data"), READS(int64_t, "offsets"), WRITES(int32_t, "ids")};
    PyObject *given, *result = NULL;
    Vocabulary own = {0}, *types = NULL;
    int64_t many, known, t;
    const int64_t *offset;
    int listed, fine;

    (void)self;
    if (!take(args, "number", "OAAAp", a, &given, &listed))
        return NULL;
    many = a[OFFSETS].length - 1;
    offset = a[OFFSETS].items;
    if (!has_room(&a[OFFSETS], 1) || !ascends(&a[OFFSETS], 0, many, a[DATA].length) || !has_length(&a[IDS], many))
        goto done;
    for (t = 0; t < many; t++)
        if (offset[t + 1] == offset[t] || offset[t + 1] - offset[t] > LONGEST) {
            refuse(&a[OFFSETS], "a token without a byte, or with too many");
            goto done;
        }
    if ((types = take_vocabulary(given, &own, "number")) == NULL)
        goto done;
    known = types->distinct;
    Py_BEGIN_ALLOW_THREADS
    fine = numbers_of(types, a[DATA].items, a[DATA].length, offset, many, a[IDS].items);
    Py_END_ALLOW_THREADS
    if (!fine)
        PyErr_NoMemory();
    else
        result = listed ? types_since(types, known) : Py_NewRef(Py_None);
done:
    if (types)
        types->busy = 0;
    empty(&own);
    release(a, ARRAYS);
    return result;
}

/* A type that is put in order: its first eight bytes as a number of that order, and all of them. */
typedef struct {
    uint64_t key;
    const uint8_t *bytes;
    int32_t length, id;
} Placed;

static int
by_bytes(const void *one, const void *other)
{
    const Placed *a = one, *b = other;
    return compare(a->bytes, a->length, b->bytes, b->length);
}

#define DIGITS 65536

/* By their keys, sixteen bits after the other, and what has the same key by all bytes; where they are then. */
static Placed *
put_in_order(Placed *some, Placed *room, int64_t many, int64_t *count)
{
    for (int shift = 0; shift < 64; shift += 16) {
        Placed *other = some;
        int64_t before = 0;
        memset(count, 0, DIGITS * sizeof *count);
        for (int64_t k = 0; k < many; k++)
            count[some[k].key >> shift & (DIGITS - 1)]++;
        for (int64_t d = 0; d < DIGITS; d++) {
            int64_t own = count[d];
            count[d] = before;
            before += own;
        }
        for (int64_t k = 0; k < many; k++)
            room[count[some[k].key >> shift & (DIGITS - 1)]++] = some[k];
        some = room;
        room = other;
    }
    for (int64_t first = 0, last; first < many; first = last) {
        for (last = first + 1; last < many && some[last].key == some[first].key; last++)
            ;
        if (last - first > 1)
            qsort(some + first, (size_t)(last - first), sizeof *some, by_bytes);
    }
    return some;
}

/* in_order(vocabulary, wanted) -> (bytes of the types that are wanted, in the order of their bytes, where each begins and
 * the last one ends as int64, their numbers as int32), all bytes; wanted has one item for each type. */
static PyObject *
splitting_in_order(PyObject *self, PyObject *args)
{
    Array a[] = {READS(uint8_t, "wanted")};
    PyObject *given, *result = NULL, *bytes = NULL, *offsets = NULL, *numbers = NULL;
    Vocabulary own = {0}, *v = NULL;
    Placed *some = NULL, *room = NULL, *placed;
    int64_t *count = NULL, many = 0, size = 0, k;

    (void)self;
    if (!take(args, "in_order", "OA", a, &given))
        return NULL;
    if ((v = take_vocabulary(given, &own, "in_order")) == NULL || !has_length(&a[0], v->distinct))
        goto done;
    for (k = 0; k < v->distinct; k++)
        if (((const uint8_t *)a[0].items)[k]) {
            many++;
            size += v->ends[k + 1] - v->ends[k];
        }
    some = malloc((size_t)(many + 1) * sizeof *some);
    room = malloc((size_t)(many + 1) * sizeof *room);
    count = malloc(DIGITS * sizeof *count);
    bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    offsets = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(8 * (many + 1)));
    numbers = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(4 * many));
    if (!some || !room || !count || !bytes || !offsets || !numbers) {
        if (!PyErr_Occurred())
            PyErr_NoMemory();
        goto done;
    }
    {
        uint8_t *to = (uint8_t *)PyBytes_AS_STRING(bytes);
        int64_t *offset = (int64_t *)PyBytes_AS_STRING(offsets), n = 0;
        int32_t *number = (int32_t *)PyBytes_AS_STRING(numbers);
        Py_BEGIN_ALLOW_THREADS
        for (k = 0; k < v->distinct; k++)
            if (((const uint8_t *)a[0].items)[k]) {
                const uint8_t *of = v->bytes + v->ends[k];
                const int32_t length = (int32_t)(v->ends[k + 1] - v->ends[k]);
                uint64_t key = 0;
                for (int i = 0; i < HEAD && i < length; i++)
                    key |= (uint64_t)of[i] << (56 - 8 * i);
                some[n++] = (Placed){key, of, length, (int32_t)k};
            }
        placed = put_in_order(some, room, many, count);
        for (offset[0] = 0, k = 0; k < many; k++) {
            memcpy(to + offset[k], placed[k].bytes, (size_t)placed[k].length);
            offset[k + 1] = offset[k] + placed[k].length;
            number[k] = placed[k].id;
        }
        Py_END_ALLOW_THREADS
    }
    result = Py_BuildValue("OOO", bytes, offsets, numbers);
done:
    if (v)
        v->busy = 0;
    empty(&own);
    Py_XDECREF(bytes);
    Py_XDECREF(offsets);
    Py_XDECREF(numbers);
    free(some);
    free(room);
    free(count);
    release(a, 1);
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
    {"vocabulary", splitting_vocabulary, METH_VARARGS, "an empty vocabulary"},
    {"number", splitting_number, METH_VARARGS, "the numbers of tokens in a vocabulary"},
    {"in_order", splitting_in_order, METH_VARARGS, "the tokens of a vocabulary in their order"},
    {"split", splitting_split, METH_VARARGS, "the tokens of ASCII texts"},
    {"renumber", splitting_renumber, METH_VARARGS, "tokens with other numbers, without those that are dropped"},
    END_OF_ENTRIES,
};
