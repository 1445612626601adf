/* The three loops of OCR correction:
 *
 *   split       a text                     ->  its tokens: where they stand, which word of the lexicon each is
 *   candidates  words that no lexicon has  ->  the words of the lexicon with the most letter trigrams in common
 *   viterbi     tokens with candidates     ->  the candidates that make the most probable sentences
 *
 * systems/parts/correction/slow_correction.py does the same in Python, and the tests hold both to the same results.
 */
#include "buffers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SENTENCE 200
#define LONGEST 255
enum { BLANK, BOUND, DOT, MARK, WORD };
enum { CWORD = -1, OTHER = -2 };

/* ---- split ---- */

typedef struct {
    const uint8_t *text;
    Py_ssize_t n;
    const uint8_t *kinds;
    const uint64_t *table;
    const int32_t *numbers;
    uint64_t slots;
    int32_t *starts, *ends, *ids;
    uint64_t *hashes;
    uint8_t *lasts;
    Py_ssize_t room, count, since;
    int overflow;
} Split;

static inline int
is_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0xC0;
}

static const uint8_t ASCII_KIND[128] = {
    BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK,
    BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK, BLANK,
    BLANK, MARK, BOUND, MARK, MARK, BOUND, BOUND, MARK, BOUND, BOUND, MARK, MARK, BOUND, BOUND, DOT, BOUND,
    WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, BOUND, BOUND, MARK, MARK, MARK, MARK,
    BOUND, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD,
    WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, MARK, WORD, MARK, WORD, MARK,
    MARK, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD,
    WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD, MARK, WORD, MARK, WORD, BLANK,
};

static void
kinds_of(const uint8_t *text, Py_ssize_t n, uint8_t *kinds)
{
    Py_ssize_t i = 0;
    while (i < n) {
        uint8_t c = text[i];
        int size = 0;
        if (c == 0xC2 && i + 1 < n && text[i + 1] >= 0xA0 && text[i + 1] <= 0xBF)
            size = 2;
        else if (c == 0xE2 && i + 2 < n && (text[i + 1] | 1) == 0x81 && (text[i + 2] & 0xC0) == 0x80)
            size = 3;
        if (size) {
            memset(kinds + i, BOUND, (size_t)size);
            i += size;
        }
        else {
            kinds[i] = c < 128 ? ASCII_KIND[c] : WORD;
            i++;
        }
    }
}

static inline uint64_t
hash_of(const uint8_t *text, Py_ssize_t b, Py_ssize_t e)
{
    uint64_t h = 0xCBF29CE484222325ull;
    for (; b < e; b++) {
        uint8_t c = text[b];
        if (c >= 'A' && c <= 'Z')
            c += 32;
        h = (h ^ c) * 0x100000001B3ull;
    }
    h ^= h >> 32;
    return h ? h : 1;
}

static inline int32_t
find(const Split *s, uint64_t h)
{
    if (!s->slots)
        return CWORD;
    for (uint64_t k = 0, at = h & (s->slots - 1); k < s->slots; k++, at = (at + 1) & (s->slots - 1)) {
        if (s->table[at] == h)
            return s->numbers[at];
        if (!s->table[at])
            break;
    }
    return CWORD;
}

static int
wordlike(const Split *s, Py_ssize_t b, Py_ssize_t e)
{
    Py_ssize_t letters = 0, characters = 0;
    for (; b < e; b++) {
        letters += is_letter(s->text[b]);
        characters += (s->text[b] & 0xC0) != 0x80;
    }
    return letters >= 2 && 2 * letters >= characters;
}

static int
ends_sentence(const Split *s, Py_ssize_t b, Py_ssize_t e)
{
    int stop = 0, line = 0;
    for (; b < e; b++) {
        uint8_t c = s->text[b];
        if (s->kinds[b] == BLANK) {
            if (stop || (c == '\n' && line))
                return 1;
            line |= c == '\n';
        }
        else {
            stop = c == '.' || c == '?' || c == '!' || (stop && (c == '"' || c == '\'' || c == ')' || c == ']'));
            line = 0;
        }
    }
    return 0;
}

static void
emit(Split *s, Py_ssize_t b, Py_ssize_t e, uint64_t hash, int32_t id)
{
    Py_ssize_t k = s->count;
    if (k >= s->room) {
        s->overflow = 1;
        return;
    }
    if (k) {
        s->since++;
        s->lasts[k - 1] = s->since >= SENTENCE || ends_sentence(s, s->ends[k - 1], b);
        if (s->lasts[k - 1])
            s->since = 0;
    }
    s->starts[k] = (int32_t)b;
    s->ends[k] = (int32_t)e;
    s->hashes[k] = hash;
    s->ids[k] = id;
    s->lasts[k] = 1;
    s->count++;
}

static void
strip(const Split *s, Py_ssize_t *b, Py_ssize_t *e)
{
    while (*b < *e && s->kinds[*b] != WORD)
        ++*b;
    while (*b < *e && s->kinds[*e - 1] != WORD)
        --*e;
}

/* Marks that OCR puts where a letter was go with a c-word, one or two at either end; more are a line or a box. */
static int
is_edge(uint8_t c)
{
    return c && strchr("_[]{}<>*#$+=", c) != NULL;
}

static void
c_word(Split *s, Py_ssize_t low, Py_ssize_t b, Py_ssize_t e, Py_ssize_t high)
{
    Py_ssize_t before = 0, after = 0;
    while (b - before > low && before < 3 && is_edge(s->text[b - before - 1]))
        before++;
    while (e + after < high && after < 3 && is_edge(s->text[e + after]))
        after++;
    b -= before < 3 ? before : 0;
    e += after < 3 ? after : 0;
    emit(s, b, e, hash_of(s->text, b, e), CWORD);
}

/* A letter or two beside a mark are rather what is left of a word (s_te), unless the mark is an apostrophe. */
static int
too_short(const Split *s, Py_ssize_t low, Py_ssize_t b, Py_ssize_t e, Py_ssize_t high)
{
    int letters = 0;
    for (Py_ssize_t i = b; i < e; i++)
        letters |= is_letter(s->text[i]);
    return letters && e - b < 3 && !(b > low && s->text[b - 1] == '\'') && !(e < high && s->text[e] == '\'');
}

static void
piece(Split *s, Py_ssize_t b, Py_ssize_t e)
{
    uint64_t h;
    int32_t id;
    int marked = 0, known = 1;
    Py_ssize_t low = b, high = e;
    strip(s, &b, &e);
    if (b == e)
        return;
    h = hash_of(s->text, b, e);
    id = find(s, h);
    if (id >= 0) {
        emit(s, b, e, h, id);
        return;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (Py_ssize_t i = b, j; i < e; i = j + 1) {
            for (j = i; j < e && s->kinds[j] == WORD; j++)
                ;
            marked |= j < e;
            if (i == j)
                continue;
            if (pass == 0)
                known &= !too_short(s, b, i, j, e) && (find(s, hash_of(s->text, i, j)) >= 0 || !wordlike(s, i, j));
            else {
                uint64_t part = hash_of(s->text, i, j);
                int32_t number = find(s, part);
                emit(s, i, j, part, number >= 0 ? number : OTHER);
            }
        }
        if (!marked || !known)
            break;
    }
    if ((!marked || !known) && wordlike(s, b, e))
        c_word(s, low, b, e, high);
    else if (!marked || !known)
        emit(s, b, e, h, OTHER);
}

static void
chunk(Split *s, Py_ssize_t b, Py_ssize_t e)
{
    uint64_t h;
    int32_t id;
    Py_ssize_t low = b, high = e;
    strip(s, &b, &e);
    if (b == e)
        return;
    h = hash_of(s->text, b, e);
    id = find(s, h);
    if (!s->slots)
        emit(s, b, e, h, wordlike(s, b, e) ? CWORD : OTHER);
    else if (id >= 0)
        emit(s, b, e, h, id);
    else
        for (Py_ssize_t i = low, j; i < high; i = j + 1) {
            for (j = i; j < high && s->kinds[j] != DOT; j++)
                ;
            piece(s, i, j);
        }
}

static PyObject *
correction_split(PyObject *self, PyObject *args)
{
    enum { TEXT, TABLE, NUMBERS, STARTS, ENDS, HASHES, IDS, LASTS, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "text"), READS(uint64_t, "table"), READS(int32_t, "numbers"),
                       WRITES(int32_t, "starts"), WRITES(int32_t, "ends"), WRITES(uint64_t, "hashes"),
                       WRITES(int32_t, "ids"), WRITES(uint8_t, "lasts")};
    Split s = {0};
    uint8_t *kinds = NULL;
    PyObject *result = NULL;

    (void)self;
    if (!take(args, "split", "AAAAAAAA", a))
        return NULL;
    s.text = a[TEXT].items;
    s.n = (Py_ssize_t)a[TEXT].length;
    s.table = a[TABLE].items;
    s.numbers = a[NUMBERS].items;
    s.slots = (uint64_t)a[TABLE].length;
    s.starts = a[STARTS].items;
    s.ends = a[ENDS].items;
    s.hashes = a[HASHES].items;
    s.ids = a[IDS].items;
    s.lasts = a[LASTS].items;
    s.room = (Py_ssize_t)a[LASTS].length;
    if (!has_length(&a[NUMBERS], a[TABLE].length) || !has_length(&a[STARTS], s.room) || !has_length(&a[ENDS], s.room) ||
        !has_length(&a[HASHES], s.room) || !has_length(&a[IDS], s.room))
        goto done;
    if (s.slots & (s.slots - 1) || s.n >= INT32_MAX) {
        refuse(s.n < INT32_MAX ? &a[TABLE] : &a[TEXT], "of no possible size");
        goto done;
    }
    if ((kinds = malloc((size_t)s.n + 1)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    kinds_of(s.text, s.n, kinds);
    s.kinds = kinds;
    for (Py_ssize_t i = 0, j; i < s.n; i = j + 1) {
        for (j = i; j < s.n && kinds[j] > BOUND; j++)
            ;
        if (j > i)
            chunk(&s, i, j);
    }
    Py_END_ALLOW_THREADS
    if (s.overflow)
        refuse(&a[STARTS], "more tokens than room");
    else
        result = PyLong_FromSsize_t(s.count);
done:
    free(kinds);
    release(a, ARRAYS);
    return result;
}

/* ---- candidates ---- */

typedef struct {
    double dice;
    int32_t number;
} Match;

static inline int
worse(Match a, Match b)
{
    return a.dice < b.dice || (a.dice == b.dice && a.number > b.number);
}

static void
sift(Match *heap, Py_ssize_t n, Py_ssize_t at)
{
    for (;;) {
        Py_ssize_t child = 2 * at + 1;
        Match kept = heap[at];
        if (child >= n)
            return;
        if (child + 1 < n && worse(heap[child + 1], heap[child]))
            child++;
        if (!worse(heap[child], kept))
            return;
        heap[at] = heap[child];
        heap[child] = kept;
        at = child;
    }
}

typedef struct {
    const uint32_t *codes;
    const int64_t *begins;
    const int32_t *postings, *sizes, *lengths;
    int64_t grams, words, entries;
} Grams;

static int
trigrams(const uint8_t *word, Py_ssize_t length, uint32_t *out)
{
    int count = 0;
    for (Py_ssize_t i = 0; i < length; i++) {
        uint32_t before = i ? word[i - 1] : '#', after = i + 1 < length ? word[i + 1] : '#';
        uint32_t code = before << 16 | (uint32_t)word[i] << 8 | after;
        int k = count;
        while (k && out[k - 1] > code)
            k--;
        if (k && out[k - 1] == code)
            continue;
        memmove(out + k + 1, out + k, (size_t)(count - k) * sizeof *out);
        out[k] = code;
        count++;
    }
    return count;
}

/* Adds one to the count of every word of fitting length that has the gram; 0 if the postings are not of these words. */
static int
add_gram(const Grams *g, uint32_t code, int64_t low, int64_t high, uint16_t *counts, int32_t *touched, int64_t *many)
{
    int64_t first = 0, last = g->grams, begin, end;
    while (first < last) {
        int64_t middle = (first + last) / 2;
        if (g->codes[middle] < code)
            first = middle + 1;
        else
            last = middle;
    }
    if (first == g->grams || g->codes[first] != code)
        return 1;
    begin = g->begins[first];
    end = g->begins[first + 1];
    if (begin < 0 || end < begin || end > g->entries)
        return 0;
    last = end;
    while (begin < last) { /* postings of a gram ascend with the lengths of their words */
        int64_t middle = (begin + last) / 2;
        uint32_t number = (uint32_t)g->postings[middle];
        if (number >= (uint64_t)g->words)
            return 0;
        if (g->lengths[number] < low)
            begin = middle + 1;
        else
            last = middle;
    }
    for (; begin < end; begin++) {
        uint32_t number = (uint32_t)g->postings[begin];
        if (number >= (uint64_t)g->words)
            return 0;
        if (g->lengths[number] > high)
            break;
        if (counts[number]++ == 0) {
            if (*many == g->words) /* counted so often that the count began anew */
                return 0;
            touched[(*many)++] = (int32_t)number;
        }
    }
    return 1;
}

static int
match(const Grams *g, const uint8_t *word, Py_ssize_t length, int64_t slack, Py_ssize_t most, uint16_t *counts,
      int32_t *touched, Match *heap, int32_t *out)
{
    uint32_t codes[LONGEST + 1];
    int64_t many = 0;
    Py_ssize_t kept = 0;
    int fine = 1, own = length <= LONGEST ? trigrams(word, length, codes) : 0;
    for (int k = 0; k < own && fine; k++)
        fine = add_gram(g, codes[k], length - slack, length + slack, counts, touched, &many);
    for (int64_t k = 0; k < many; k++) {
        int32_t number = touched[k];
        Match found = {2.0 * counts[number] / ((double)own + g->sizes[number]), number};
        counts[number] = 0;
        if (kept < most) {
            heap[kept++] = found;
            if (kept == most)
                for (Py_ssize_t at = most / 2; at-- > 0;)
                    sift(heap, most, at);
        }
        else if (worse(heap[0], found)) {
            heap[0] = found;
            sift(heap, most, 0);
        }
    }
    for (Py_ssize_t at = kept / 2; at-- > 0;) /* a heap that was never full is none yet */
        sift(heap, kept, at);
    for (Py_ssize_t k = kept; k < most; k++)
        out[k] = -1;
    while (kept) {
        out[kept - 1] = heap[0].number;
        heap[0] = heap[--kept];
        sift(heap, kept, 0);
    }
    return fine;
}

static PyObject *
correction_candidates(PyObject *self, PyObject *args)
{
    enum { WORDS, OFFSETS, CODES, BEGINS, POSTINGS, SIZES, LENGTHS, OUT, ARRAYS };
    Array a[ARRAYS] = {READS(uint8_t, "words"),    READS(int64_t, "offsets"), READS(uint32_t, "codes"),
                       READS(int64_t, "begins"),   READS(int32_t, "postings"), READS(int32_t, "sizes"),
                       READS(int32_t, "lengths"), WRITES(int32_t, "out")};
    int64_t slack, most, n;
    Grams g;
    uint16_t *counts = NULL;
    int32_t *touched = NULL;
    Match *heap = NULL;
    PyObject *result = NULL;
    int fine = 1;

    (void)self;
    if (!take(args, "candidates", "AAAAAAAiA", a, &slack))
        return NULL;
    g = (Grams){a[CODES].items,   a[BEGINS].items, a[POSTINGS].items, a[SIZES].items,
                a[LENGTHS].items, a[CODES].length, a[SIZES].length,   a[POSTINGS].length};
    n = a[OFFSETS].length - 1;
    most = n > 0 ? a[OUT].length / n : 1;
    if (slack < 0 || slack > LONGEST || most < 1) {
        refuse(&a[OUT], "no candidate for a word, or a difference of %lld letters", (long long)slack);
        goto done;
    }
    if (!has_room(&a[OFFSETS], 1) || !ascends(&a[OFFSETS], 0, n, a[WORDS].length) || !has_length(&a[OUT], n * most) ||
        !has_length(&a[LENGTHS], g.words) || !has_length(&a[BEGINS], g.grams + 1) ||
        !has_length(&a[WORDS], ((const int64_t *)a[OFFSETS].items)[n]) ||
        !has_length(&a[POSTINGS], g.begins[g.grams]))
        goto done;
    counts = calloc((size_t)g.words + 1, sizeof *counts);
    touched = malloc(((size_t)g.words + 1) * sizeof *touched);
    heap = malloc((size_t)most * sizeof *heap);
    if (!counts || !touched || !heap) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (int64_t k = 0; k < n && fine; k++) {
        const int64_t *at = (const int64_t *)a[OFFSETS].items + k;
        fine = match(&g, (const uint8_t *)a[WORDS].items + at[0], (Py_ssize_t)(at[1] - at[0]), slack, (Py_ssize_t)most,
                     counts, touched, heap, (int32_t *)a[OUT].items + k * most);
    }
    Py_END_ALLOW_THREADS
    if (fine)
        result = Py_NewRef(Py_None);
    else
        refuse(&a[POSTINGS], "of words that are not there");
done:
    free(counts);
    free(touched);
    free(heap);
    release(a, ARRAYS);
    return result;
}

/* ---- viterbi ---- */

typedef struct {
    const int64_t *begins;
    const int32_t *nexts;
    const uint32_t *counts;
    const double *base, *scale;
    int64_t words, entries;
} Model;

/* log P(next | before): the share of the pair among what follows, smoothed with how frequent the next is. */
static double
transition(const Model *m, int32_t before, int32_t next)
{
    int64_t low = m->begins[before], high = m->begins[before + 1], end = high;
    double chance = m->base[next];
    if (low < 0 || end > m->entries)
        return log(chance);
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (m->nexts[middle] < next)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < end && m->nexts[low] == next)
        chance += m->scale[before] * m->counts[low];
    return log(chance);
}

static PyObject *
correction_viterbi(PyObject *self, PyObject *args)
{
    enum { IDS, LASTS, ROWS, CANDIDATES, SCORES, BEGINS, NEXTS, COUNTS, BASE, SCALE, OUT, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "ids"), READS(uint8_t, "lasts"), READS(int32_t, "rows"),
                       READS(int32_t, "candidates"), READS(double, "scores"), READS(int64_t, "begins"),
                       READS(int32_t, "nexts"), READS(uint32_t, "counts"), READS(double, "base"),
                       READS(double, "scale"), WRITES(int32_t, "out")};
    int64_t n, k, keep, types;
    Model m;
    uint8_t *back = NULL;
    double *sums[2] = {NULL, NULL};
    PyObject *result = NULL;
    int fine = 1;

    (void)self;
    if (!take(args, "viterbi", "AAAAAiAAAAAA", a, &keep))
        return NULL;
    n = a[LASTS].length;
    m = (Model){a[BEGINS].items, a[NEXTS].items, a[COUNTS].items, a[BASE].items, a[SCALE].items, a[BASE].length,
                a[NEXTS].length};
    if (keep < 1 || keep > 255 || m.words < 4 || m.words > INT32_MAX) {
        refuse(&a[BASE], "%lld words, %lld candidates for each", (long long)m.words, (long long)keep);
        goto done;
    }
    types = a[CANDIDATES].length / keep;
    if (!has_length(&a[IDS], n) || !has_length(&a[ROWS], n) || !has_length(&a[OUT], n) ||
        !has_length(&a[CANDIDATES], types * keep) || !has_length(&a[SCORES], types * keep) ||
        !has_length(&a[SCALE], m.words) || !has_length(&a[BEGINS], m.words + 1) || !has_length(&a[COUNTS], m.entries))
        goto done;
    back = malloc((size_t)n * (size_t)keep + 1);
    sums[0] = malloc((size_t)keep * sizeof(double));
    sums[1] = malloc((size_t)keep * sizeof(double));
    if (!back || !sums[0] || !sums[1]) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const int32_t *id = a[IDS].items, *row = a[ROWS].items, *candidate = a[CANDIDATES].items;
    const double *emission = a[SCORES].items;
    const uint8_t *last = a[LASTS].items;
    int32_t *chosen = a[OUT].items;
    const int32_t begin = (int32_t)m.words - 3, finish = (int32_t)m.words - 2;
    int32_t alone = begin; /* the only state before, when there is but one */
    const int32_t *before = &alone;
    Py_ssize_t width = 1, run = 0;
    sums[0][0] = 0;
    for (Py_ssize_t t = 0; t <= n && fine; t++) {
        int over = t == n || (t > 0 && last[t - 1]);
        if (over && run) { /* the sentence ends with a run of c-words */
            double best = -INFINITY;
            Py_ssize_t at = 0;
            for (k = 0; k < width; k++) {
                double there = sums[0][k] + transition(&m, before[k], finish);
                if (there > best) {
                    best = there;
                    at = k;
                }
            }
            for (Py_ssize_t r = t - 1; run; r--, run--) {
                chosen[r] = candidate[(Py_ssize_t)row[r] * keep + at];
                at = back[r * keep + at];
            }
        }
        if (over) {
            alone = begin;
            before = &alone;
            width = 1;
            sums[0][0] = 0;
        }
        if (t == n)
            break;
        if (id[t] >= 0) {
            if (id[t] >= m.words) {
                fine = 0;
                break;
            }
            if (run) {
                double best = -INFINITY;
                Py_ssize_t at = 0;
                for (k = 0; k < width; k++) {
                    double there = sums[0][k] + transition(&m, before[k], id[t]);
                    if (there > best) {
                        best = there;
                        at = k;
                    }
                }
                for (Py_ssize_t r = t - 1; run; r--, run--) {
                    chosen[r] = candidate[(Py_ssize_t)row[r] * keep + at];
                    at = back[r * keep + at];
                }
            }
            chosen[t] = alone = id[t];
            before = &alone;
            width = 1;
            sums[0][0] = 0;
            continue;
        }
        if (row[t] < 0 || row[t] >= types) {
            fine = 0;
            break;
        }
        const int32_t *own = candidate + (Py_ssize_t)row[t] * keep;
        const double *chance = emission + (Py_ssize_t)row[t] * keep;
        Py_ssize_t states = 0;
        while (states < keep && own[states] >= 0)
            states++;
        for (k = 0; k < states; k++) {
            double best = -INFINITY;
            Py_ssize_t at = 0;
            if (own[k] >= m.words) {
                fine = 0;
                break;
            }
            for (Py_ssize_t p = 0; p < width; p++) {
                double there = sums[0][p] + transition(&m, before[p], own[k]);
                if (there > best) {
                    best = there;
                    at = p;
                }
            }
            sums[1][k] = best + chance[k];
            back[t * keep + k] = (uint8_t)at;
        }
        if (!states)
            fine = 0;
        double *other = sums[0];
        sums[0] = sums[1];
        sums[1] = other;
        before = own;
        width = states;
        run++;
    }
    Py_END_ALLOW_THREADS
    if (fine)
        result = Py_NewRef(Py_None);
    else
        refuse(&a[IDS], "a token that is neither a word nor has candidates");
done:
    free(back);
    free(sums[0]);
    free(sums[1]);
    release(a, ARRAYS);
    return result;
}

PyMethodDef correction_entries[] = {
    {"split", correction_split, METH_VARARGS, "the tokens of a text"},
    {"candidates", correction_candidates, METH_VARARGS, "the words with the most trigrams in common"},
    {"viterbi", correction_viterbi, METH_VARARGS, "the most probable candidates"},
    END_OF_ENTRIES,
};
