/* The innermost loops of an answer: expected frequencies from the postings of many strings, and scores from them.
 *
 * gather(documents, tf, begins, ends, exact, weights, beliefs, sums, absent, found) -> (how many, df, present)
 *   adds up, for strings whose postings go from begins[k] to ends[k], what each occurrence counts in a document:
 *   exact[k] · (1 − belief) + weights[k] · belief, beliefs having one for each document, or one for all. sums must be zero; found gets the documents in which it is no longer.
 *   absent must be one; it becomes the probability that no occurrence is the word. df is the sum of all sums, at most 1
 *   each, and present that of all 1 − absent. A document outside of sums is an IndexError, and sums are zero and absent is
 *   one again.
 *
 * add(sums, absent, found, many, norms, factor, scores, all, before) -> how many documents have a score now
 *   adds factor · (e / (e + norm)) to the scores of the documents found and sets their sums back to zero, absent to one;
 *   all gets the documents that had no score before.
 *
 * add_doubtful(sums, absent, found, many, norms, times, odds, repeats, scores, all, before) -> the same
 *   adds times · log(1 + odds · p) · t / (t + norm), where p is 1 − absent, and t = 1 + repeats · (e / p − 1), at least 1.
 *
 * ask(documents, tf, offsets, words, exact, weights, beliefs, more, expected, pairs, pairs_of, times, repeats, groups or None,
 *     rarity, norms, sums, absent, found, scores, all, present, bounds, to, given) -> how many documents have a score
 *   does gather and add_doubtful for all words of a question. Word w has the strings words[w] to words[w + 1], of which
 *   string k has the postings offsets[k] to offsets[k + 1], and the pairs pairs_of[w] to pairs_of[w + 1], of which pair k is
 *   expected[pairs[k]] times and so on in the document more[pairs[k]], times the belief. present[w] gets the sum of all
 *   1 − absent; odds are (documents − present + 0.5) / (present + 0.5) / rarity, and document d has repeats[groups[d]], or
 *   the first. scores must be zero, and are so again after an error. What word w gives if it is asked for once is from
 *   bounds[w] to bounds[w + 1] in given, and to which documents in to, which have room for all postings and all of more.
 *
 * give(documents, given, scores, all) -> how many documents have a score
 *   adds that again to scores, which must be zero.
 *
 * systems/parts/deciphering/slow_adding.py does the same in Python and is the oracle of the tests.
 */
#include "buffers.h"
#include "sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Powers of a number that mostly is the same as before, as are its exponents. */
typedef struct {
    double of, known[16];
} Powers;

static inline double
power(Powers *p, double of, int32_t times)
{
    if (times < 0 || times >= 16)
        return pow(of, times);
    if (!(p->of == of)) {
        for (int k = 0; k < 16; k++)
            p->known[k] = -1;
        p->of = of;
    }
    if (p->known[times] < 0)
        p->known[times] = pow(of, times);
    return p->known[times];
}

#define KEPT 256 /* of the logarithms */

/* log1p(odds · p) for one odds: documents that have the same strings have the same p, and it takes long. */
typedef struct {
    double odds, of[KEPT], known[KEPT];
} Logarithms;

static void
forget(Logarithms *l, double odds)
{
    l->odds = odds;
    for (int k = 0; k < KEPT; k++)
        l->of[k] = NAN;
}

static inline double
logarithm(Logarithms *l, double p)
{
    uint64_t bits;
    memcpy(&bits, &p, sizeof bits);
    bits = bits * 0x9E3779B97F4A7C15u >> 56;
    if (!(l->of[bits] == p)) {
        l->of[bits] = p;
        l->known[bits] = log1p(l->odds * p);
    }
    return l->known[bits];
}

/* What is added up for one word: expected frequencies and chances of absence, and the documents that have some. */
typedef struct {
    double *sums, *absent;
    int32_t *found;
    int64_t size, many;
} Room;

/* Strings with their postings, and what they count for a word. */
typedef struct {
    const int32_t *documents, *tf;
    const int64_t *begins, *ends;
    const double *exact, *weights, *beliefs;
    int own; /* whether a document has a belief of its own */
} Strings;

/* Add up strings from one to another; 0 if a document is not there. */
static int
gather(const Strings *s, int64_t first, int64_t last, Room *r)
{
    Powers powers = {.of = NAN};
    for (int64_t k = first; k < last && r->size; k++) {
        double counts = s->exact[k] * (1 - s->beliefs[0]) + s->weights[k] * s->beliefs[0];
        for (int64_t p = s->begins[k]; p < s->ends[k]; p++) {
            int32_t d = s->documents[p];
            if (d < 0 || d >= r->size)
                return 0;
            if (s->own)
                counts = s->exact[k] * (1 - s->beliefs[d]) + s->weights[k] * s->beliefs[d];
            if (!(counts > 0))
                continue;
            if (r->many < r->size) { /* whether a document is new cannot be foretold, so nothing branches on it */
                r->found[r->many] = d;
                r->many += r->sums[d] == 0;
            } else if (r->sums[d] == 0) /* a damaged file has frequencies of 0 */
                return 0;
            r->sums[d] += counts * s->tf[p];
            r->absent[d] *= counts < 1 ? (s->tf[p] == 1 ? 1 - counts : power(&powers, 1 - counts, s->tf[p])) : 0;
        }
    }
    return 1;
}

/* Nothing is added up any more. */
static void
cleared(Room *r)
{
    for (int64_t k = 0; k < r->many; k++) {
        r->sums[r->found[k]] = 0;
        r->absent[r->found[k]] = 1;
    }
}

static PyObject *
adding_gather(PyObject *self, PyObject *args)
{
    enum { DOCUMENTS, TF, BEGINS, ENDS, EXACT, WEIGHTS, BELIEFS, SUMS, ABSENT, FOUND, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "documents"), READS(int32_t, "tf"), READS(int64_t, "begins"),
                       READS(int64_t, "ends"),
                       READS(double, "exact"), READS(double, "weights"), READS(double, "beliefs"),
                       WRITES(double, "sums"), WRITES(double, "absent"), WRITES(int32_t, "found")};
    PyObject *result = NULL;
    const int64_t *begins, *ends;
    int64_t strings, postings, size, k;
    double df = 0, present = 0;
    int fine;

    (void)self;
    if (!take(args, "gather", "AAAAAAAAAA", a))
        return NULL;
    begins = a[BEGINS].items;
    ends = a[ENDS].items;
    strings = a[BEGINS].length;
    postings = a[TF].length;
    size = a[SUMS].length;
    if (!has_length(&a[DOCUMENTS], postings) || !has_length(&a[ENDS], strings) || !has_length(&a[EXACT], strings) || !has_length(&a[WEIGHTS], strings) ||
        (a[BELIEFS].length != 1 && !has_length(&a[BELIEFS], size)) || !has_length(&a[ABSENT], size) || !has_length(&a[FOUND], size))
        goto done;
    for (k = 0; k < strings; k++)
        if (begins[k] < 0 || ends[k] < begins[k] || ends[k] > postings) {
            refuse(&a[ENDS], "postings that are not there");
            goto done;
        }
    Room r = {a[SUMS].items, a[ABSENT].items, a[FOUND].items, size, 0};
    Py_BEGIN_ALLOW_THREADS
    const Strings s = {a[DOCUMENTS].items, a[TF].items, begins, ends, a[EXACT].items, a[WEIGHTS].items, a[BELIEFS].items,
                       a[BELIEFS].length > 1};
    fine = gather(&s, 0, strings, &r);
    if (!fine)
        cleared(&r);
    for (k = 0; k < r.many && fine; k++) {
        df += r.sums[r.found[k]] < 1 ? r.sums[r.found[k]] : 1;
        present += 1 - r.absent[r.found[k]];
    }
    Py_END_ALLOW_THREADS
    if (!fine)
        PyErr_SetString(PyExc_IndexError, "a document that is not there");
    else
        result = Py_BuildValue("Ldd", (long long)r.many, df, present);
done:
    release(a, ARRAYS);
    return result;
}

/* Scores of documents, and those that have one, so many. */
typedef struct {
    const double *norms;
    double *scores;
    int32_t *all;
    int64_t before;
} Scores;

/* One more document has a score, if it had none. */
static inline void
meet(Scores *s, int32_t d, int64_t size)
{
    if (s->before < size) {
        s->all[s->before] = d;
        s->before += s->scores[d] == 0;
    }
}

/* Add what was gathered to the scores, in doubt of the word: as often as it is asked for, with what the odds give, and how
 * far an occurrence counts that is not the first, which documents of a group have in common. What a word gives that is asked
 * for once is kept, if there is room. */
static void
add_in_doubt(const Room *r, Scores *s, double times, double odds, const double *repeats, const uint8_t *group, double *given)
{
    const double sure = log1p(odds); /* most words that are read at all are read surely */
    Logarithms logarithms;
    forget(&logarithms, odds);
    for (int64_t k = 0; k < r->many; k++) {
        const int32_t d = r->found[k];
        const double p = 1 - r->absent[d];
        double t = p > 0 ? 1 + repeats[group ? group[d] : 0] * (r->sums[d] / p - 1) : 1;
        meet(s, d, r->size);
        t = t > 1 ? t : 1;
        {
            const double value = p < 1 ? logarithm(&logarithms, p) : sure, part = t / (t + s->norms[d]);
            s->scores[d] += times * value * part;
            if (given)
                given[k] = value * part;
        }
        r->sums[d] = 0;
        r->absent[d] = 1;
    }
}

/* The same as bm25 has it. */
static void
add_plainly(const Room *r, Scores *s, double factor)
{
    for (int64_t k = 0; k < r->many; k++) {
        const int32_t d = r->found[k];
        meet(s, d, r->size);
        s->scores[d] += factor * (r->sums[d] / (r->sums[d] + s->norms[d])); /* as bm25 rounds */
        r->sums[d] = 0;
        r->absent[d] = 1;
    }
}

/* Scores of the documents found: in doubt of the word, or as bm25 has them. */
static PyObject *
add_scores(PyObject *args, int doubtful)
{
    enum { SUMS, ABSENT, FOUND, NORMS, SCORES, ALL, ARRAYS };
    Array a[ARRAYS] = {WRITES(double, "sums"), WRITES(double, "absent"), READS(int32_t, "found"), READS(double, "norms"),
                       WRITES(double, "scores"), WRITES(int32_t, "all")};
    PyObject *result = NULL;
    const char *entry = doubtful ? "add_doubtful" : "add";
    int64_t many, before, size, k;
    double factor, odds = 0, repeats = 1;

    if (!(doubtful ? take(args, entry, "AAAiAdddAAi", a, &many, &factor, &odds, &repeats, &before)
                   : take(args, entry, "AAAiAdAAi", a, &many, &factor, &before)))
        return NULL;
    size = a[SUMS].length;
    if (!has_length(&a[ABSENT], size) || !has_length(&a[NORMS], size) || !has_length(&a[SCORES], size) ||
        !has_length(&a[ALL], size) || !is_part(entry, 0, many, a[FOUND].length) || !is_part(entry, 0, before, size))
        goto done;
    for (k = 0; k < many; k++)
        if (((const int32_t *)a[FOUND].items)[k] < 0 || ((const int32_t *)a[FOUND].items)[k] >= size) {
            refuse(&a[FOUND], "a document that is not there");
            goto done;
        }
    const Room room = {a[SUMS].items, a[ABSENT].items, a[FOUND].items, size, many};
    Scores scores = {a[NORMS].items, a[SCORES].items, a[ALL].items, before};
    if (doubtful)
        add_in_doubt(&room, &scores, factor, odds, &repeats, NULL, NULL);
    else
        add_plainly(&room, &scores, factor);
    result = PyLong_FromLongLong((long long)scores.before);
done:
    release(a, ARRAYS);
    return result;
}

static PyObject *
adding_add(PyObject *self, PyObject *args)
{
    (void)self;
    return add_scores(args, 0);
}

static PyObject *
adding_add_doubtful(PyObject *self, PyObject *args)
{
    (void)self;
    return add_scores(args, 1);
}

/* More of a word in documents that have it besides; sums of what that changes are as numpy has them. How much more of it is
 * present, and outside is 1 if a document is not there. */
static double
gather_more(Room *r, const Strings *s, const int64_t *documents, const double *expected, int64_t many, double *change,
            int *outside)
{
    for (int64_t k = 0; k < many; k++) {
        const int64_t d = documents[k];
        double more, left, before;
        if (d < 0 || d >= r->size) {
            *outside = 1;
            return 0;
        }
        more = expected[k] * s->beliefs[s->own ? d : 0];
        before = r->sums[d];
        left = r->absent[d] * (1 - (more < 1 ? more : 1));
        if (before == 0 && before + more > 0 && r->many < r->size)
            r->found[r->many++] = (int32_t)d;
        change[k] = r->absent[d] - left;
        r->sums[d] = before + more;
        r->absent[d] = left;
    }
    return 0 + sum_of(change, many);
}

enum { Q_DOCUMENTS, Q_TF, Q_OFFSETS, Q_WORDS, Q_EXACT, Q_WEIGHTS, Q_BELIEFS, Q_MORE, Q_EXPECTED, Q_PAIRS, Q_PAIRS_OF,
       Q_TIMES, Q_REPEATS, Q_GROUPS, Q_NORMS, Q_SUMS, Q_ABSENT, Q_FOUND, Q_SCORES, Q_ALL, Q_PRESENT, Q_BOUNDS, Q_TO, Q_GIVEN,
       Q_ARRAYS };

static int
fits_question(const Array *a)
{
    const int64_t size = a[Q_SUMS].length, words = a[Q_TIMES].length, strings = a[Q_OFFSETS].length - 1;
    const int64_t pairs = a[Q_PAIRS].length - 1;
    const uint8_t *group = a[Q_GROUPS].items;
    if (!has_room(&a[Q_OFFSETS], 1) || !has_length(&a[Q_DOCUMENTS], a[Q_TF].length) ||
        !ascends(&a[Q_OFFSETS], 0, strings, a[Q_TF].length) || !has_length(&a[Q_WORDS], words + 1) ||
        !ascends(&a[Q_WORDS], 0, words, strings) || !has_room(&a[Q_EXACT], strings) || !has_room(&a[Q_WEIGHTS], strings) ||
        (a[Q_BELIEFS].length != 1 && !has_length(&a[Q_BELIEFS], size)) || !has_length(&a[Q_EXPECTED], a[Q_MORE].length) ||
        !has_room(&a[Q_PAIRS], 1) || !ascends(&a[Q_PAIRS], 0, pairs, a[Q_MORE].length) ||
        !has_length(&a[Q_PAIRS_OF], words + 1) || !ascends(&a[Q_PAIRS_OF], 0, words, pairs) || !has_room(&a[Q_REPEATS], 1) ||
        (group && !has_length(&a[Q_GROUPS], size)) || !has_length(&a[Q_NORMS], size) || !has_length(&a[Q_ABSENT], size) ||
        !has_length(&a[Q_FOUND], size) || !has_length(&a[Q_SCORES], size) || !has_length(&a[Q_ALL], size) ||
        !has_length(&a[Q_PRESENT], words) || !has_length(&a[Q_BOUNDS], words + 1) ||
        !has_length(&a[Q_GIVEN], a[Q_TO].length) || !has_room(&a[Q_TO], a[Q_TF].length + a[Q_MORE].length))
        return 0;
    for (int64_t d = 0; group && d < size; d++)
        if (group[d] >= a[Q_REPEATS].length)
            return refuse(&a[Q_GROUPS], "a group that is not there");
    return 1;
}

/* The scores of all words of a question, one after the other; 0 if a document is not there. */
static int
ask(const Array *a, double documents, double rarity, Room *r, Scores *scores, double *change)
{
    const Strings s = {a[Q_DOCUMENTS].items, a[Q_TF].items,      a[Q_OFFSETS].items,
                       (const int64_t *)a[Q_OFFSETS].items + 1,  a[Q_EXACT].items,
                       a[Q_WEIGHTS].items,   a[Q_BELIEFS].items, a[Q_BELIEFS].length > 1};
    const int64_t *words = a[Q_WORDS].items, *pairs = a[Q_PAIRS].items, *pairs_of = a[Q_PAIRS_OF].items;
    const double *times = a[Q_TIMES].items;
    double *present = a[Q_PRESENT].items;
    int64_t *bounds = a[Q_BOUNDS].items;
    bounds[0] = 0;
    for (int64_t w = 0; w < a[Q_TIMES].length; w++) {
        int outside;
        r->many = 0;
        outside = !gather(&s, words[w], words[w + 1], r);
        present[w] = 0;
        for (int64_t k = 0; k < r->many && !outside; k++)
            present[w] += 1 - r->absent[r->found[k]];
        for (int64_t k = pairs_of[w]; k < pairs_of[w + 1] && !outside; k++)
            present[w] += gather_more(r, &s, (const int64_t *)a[Q_MORE].items + pairs[k],
                                      (const double *)a[Q_EXPECTED].items + pairs[k], pairs[k + 1] - pairs[k], change,
                                      &outside);
        if (outside) {
            cleared(r);
            return 0;
        }
        add_in_doubt(r, scores, times[w], (documents - present[w] + 0.5) / (present[w] + 0.5) / rarity,
                     a[Q_REPEATS].items, a[Q_GROUPS].items, (double *)a[Q_GIVEN].items + bounds[w]);
        memcpy((int32_t *)a[Q_TO].items + bounds[w], r->found, (size_t)r->many * sizeof *r->found);
        bounds[w + 1] = bounds[w] + r->many;
    }
    return 1;
}

static PyObject *
adding_ask(PyObject *self, PyObject *args)
{
    Array a[Q_ARRAYS] = {READS(int32_t, "documents"), READS(int32_t, "tf"),        READS(int64_t, "offsets"),
                         READS(int64_t, "words"),     READS(double, "exact"),      READS(double, "weights"),
                         READS(double, "beliefs"),    READS(int64_t, "more"),      READS(double, "expected"),
                         READS(int64_t, "pairs"),     READS(int64_t, "pairs_of"),  READS(double, "times"),
                         READS(double, "repeats"),    MAY_READ(uint8_t, "groups"), READS(double, "norms"),
                         WRITES(double, "sums"),      WRITES(double, "absent"),    WRITES(int32_t, "found"),
                         WRITES(double, "scores"),    WRITES(int32_t, "all"),      WRITES(double, "present"),
                         WRITES(int64_t, "bounds"),   WRITES(int32_t, "to"),       WRITES(double, "given")};
    PyObject *result = NULL;
    double rarity, *change = NULL;
    int fine;
    (void)self;
    if (!take(args, "ask", "AAAAAAAAAAAAAAdAAAAAAAAAA", a, &rarity))
        return NULL;
    if (!fits_question(a))
        goto done;
    change = malloc((size_t)(a[Q_MORE].length + 1) * sizeof *change);
    if (!change) {
        PyErr_NoMemory();
        goto done;
    }
    Room room = {a[Q_SUMS].items, a[Q_ABSENT].items, a[Q_FOUND].items, a[Q_SUMS].length, 0};
    Scores scores = {a[Q_NORMS].items, a[Q_SCORES].items, a[Q_ALL].items, 0};
    Py_BEGIN_ALLOW_THREADS
    fine = ask(a, (double)room.size, rarity, &room, &scores, change);
    for (int64_t k = 0; k < scores.before && !fine; k++)
        scores.scores[scores.all[k]] = 0;
    Py_END_ALLOW_THREADS
    if (!fine)
        PyErr_SetString(PyExc_IndexError, "a document that is not there");
    else
        result = PyLong_FromLongLong((long long)scores.before);
done:
    free(change);
    release(a, Q_ARRAYS);
    return result;
}

static PyObject *
adding_give(PyObject *self, PyObject *args)
{
    enum { DOCUMENTS, GIVEN, SCORES, ALL, ARRAYS };
    Array a[ARRAYS] = {READS(int32_t, "documents"), READS(double, "given"), WRITES(double, "scores"), WRITES(int32_t, "all")};
    PyObject *result = NULL;
    (void)self;
    if (!take(args, "give", "AAAA", a))
        return NULL;
    if (has_length(&a[GIVEN], a[DOCUMENTS].length) && has_length(&a[ALL], a[SCORES].length) &&
        points_into(&a[DOCUMENTS], a[SCORES].length)) {
        Scores s = {NULL, a[SCORES].items, a[ALL].items, 0};
        const int32_t *documents = a[DOCUMENTS].items;
        const double *given = a[GIVEN].items;
        Py_BEGIN_ALLOW_THREADS
        for (int64_t k = 0; k < a[DOCUMENTS].length; k++) {
            meet(&s, documents[k], a[SCORES].length);
            s.scores[documents[k]] += given[k];
        }
        Py_END_ALLOW_THREADS
        result = PyLong_FromLongLong((long long)s.before);
    }
    release(a, ARRAYS);
    return result;
}

PyMethodDef adding_entries[] = {
    {"gather", adding_gather, METH_VARARGS, "expected frequencies from postings"},
    {"add", adding_add, METH_VARARGS, "scores from expected frequencies"},
    {"add_doubtful", adding_add_doubtful, METH_VARARGS, "scores from expected frequencies and the chance of absence"},
    {"ask", adding_ask, METH_VARARGS, "scores of all words of a question"},
    {"give", adding_give, METH_VARARGS, "scores from what words give to documents"},
    END_OF_ENTRIES,
};
