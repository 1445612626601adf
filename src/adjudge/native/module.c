/* The module adjudge._native: one submodule for each file of this folder that has loops in it, named as the file.
 *
 * core/kernel.py loads it. Where it was not built, or ADJUDGE_KERNEL=python asks for it, the same is done in Python.
 */
#include "buffers.h"

#define FOR_EACH_JOB(job)                                                                                              \
    job(adding)                                                                                                        \
    job(channel)                                                                                                       \
    job(closer)                                                                                                        \
    job(correction)                                                                                                    \
    job(differing)                                                                                                     \
    job(double_dot)                                                                                                    \
    job(forms)                                                                                                         \
    job(gaps)                                                                                                          \
    job(gathering)                                                                                                     \
    job(halves)                                                                                                        \
    job(inverting)                                                                                                     \
    job(json_text)                                                                                                     \
    job(judging)                                                                                                       \
    job(lines)                                                                                                         \
    job(marks)                                                                                                         \
    job(measuring)                                                                                                     \
    job(nearness)                                                                                                      \
    job(numbering)                                                                                                     \
    job(packing)                                                                                                       \
    job(pages)                                                                                                         \
    job(placing)                                                                                                       \
    job(pooling)                                                                                                       \
    job(pruning)                                                                                                       \
    job(ranks)                                                                                                         \
    job(reach)                                                                                                         \
    job(scoring)                                                                                                       \
    job(signed_ranks)                                                                                                  \
    job(slots)                                                                                                         \
    job(spans)                                                                                                         \
    job(splitting)                                                                                                     \
    job(stretching)                                                                                                    \
    job(successors)                                                                                                    \
    job(tables)                                                                                                        \
    job(tagging)                                                                                                       \
    job(tally)                                                                                                         \
    job(weighing)                                                                                                      \
    job(writing)

#define DECLARE(job) extern PyMethodDef job##_entries[];
FOR_EACH_JOB(DECLARE)

static int
add_job(PyObject *module, const char *name, PyMethodDef *entries)
{
    PyObject *full = PyUnicode_FromFormat("adjudge._native.%s", name), *job = full ? PyModule_NewObject(full) : NULL;
    int fine = job && PyModule_AddFunctions(job, entries) == 0 && PyModule_AddObjectRef(module, name, job) == 0;
    Py_XDECREF(full);
    Py_XDECREF(job);
    return fine;
}

static int
fill(PyObject *module)
{
#define ADD(job) add_job(module, #job, job##_entries) &&
    return FOR_EACH_JOB(ADD) 1 ? 0 : -1;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "adjudge._native",
    .m_doc = "The loops that decide how fast adjudge is, compiled.",
    .m_slots = slots,
};

PyMODINIT_FUNC
PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
}
