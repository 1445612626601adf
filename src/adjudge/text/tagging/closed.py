"""Words that we know ourselves: the closed classes, words of mathematics, abbreviations, commands of LaTeX.

They go before any lexicon: lexicons learned from newspapers of the eighties list tags that are slips (``in`` as a noun)
and do not know how mathematicians write (``let``, ``set``, ``manifold``).
"""

from __future__ import annotations

from .classes import Class, profile


def _words(text: str) -> list[str]:
    return text.split()


DETERMINERS = _words(
    """a an the this these those each every some any no another either neither both all half my your his her its our
    their whose"""
)
PREPOSITIONS = _words(
    """of in on at by for from with without within into onto upon over under between among amongst through throughout
    during across against along around about above below beneath beside besides behind before after beyond despite
    toward towards until till via per versus as than if because since unless while whereas although though whether
    except amid unlike like near off out up inside outside modulo lest"""
)
CONJUNCTIONS = _words("and or but nor yet plus minus & et")
PRONOUNS = _words("i you he she it we they who which what there whatever whoever whichever")
OBJECTS = _words(
    """me him us them myself yourself himself herself itself ourselves yourselves themselves oneself mine yours hers
    ours theirs whom none nothing anything something everything nobody anybody somebody everybody someone anyone
    everyone oh yes etc"""
)
MODALS = _words(
    """can could may might must shall should will would cannot do does did let's ought can't couldn't won't wouldn't
    don't doesn't didn't shouldn't mustn't"""
)
BE = _words(
    """be is are was were been being am isn't aren't wasn't weren't it's that's there's he's she's i'm we're they're
    you're"""
)
HAVE = _words("have has had having haven't hasn't hadn't i've we've they've you've")
ADVERBS = _words(
    """not also then thus hence therefore however moreover furthermore nevertheless nonetheless otherwise here now never
    always often sometimes usually again too very quite rather almost already still just ever once twice where when why
    how wherever whenever indeed instead perhaps maybe clearly obviously namely i.e e.g respectively conversely so n't
    further thereby therein thereof hereby herein wherein whereby whence thence anyway elsewhere everywhere somewhere
    nowhere together apart away back forth"""
)
ADVERBS_TOO = _words("even only more most less least")
"""Adverbs that can be adjectives."""
NUMBERS = _words(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion
    ii iii iv vi vii viii ix xi xii xiii xiv xv xvi xvii xviii xix xx"""
)
COMMANDS = _words(
    """mathbb mathcal mathfrak mathrm mathbf mathit mathscr operatorname frac dfrac tfrac sqrt ldots cdots infty leq geq
    neq rightarrow leftarrow longrightarrow mapsto textbf textit texttt eqnarray hline displaystyle qquad mathop
    subseteq supseteq setminus nolimits iff s.t wlog qed"""
)
ADJECTIVES = _words("such same other several many few much own certain various nth")

NOUNS = _words(
    """lemma theorem corollary matrix vertex simplex basis axis locus radius torus homotopy cohomology homology functor
    morphism subset superset eigenvalue eigenvector proof genus kernel topology bijection surjection injection
    isomorphism homomorphism homeomorphism diffeomorphism endomorphism automorphism monoid groupoid magma lattice poset
    sheaf scheme tensor spinor operad cobordism codomain coset quotient antiderivative asymptote hypotenuse abscissa
    equation inequality conjecture"""
)
PLURALS = _words(
    """lemmas lemmata theorems corollaries matrices vertices simplices bases axes loci radii tori functors morphisms
    subsets manifolds polynomials eigenvalues eigenvectors proofs genera kernels topologies sheaves schemes moduli
    tensors cosets quotients equations inequalities conjectures spaces data criteria phenomena hypotheses"""
)
NOUNS_OR_VERBS = _words("set map function group form graph ring field state result")
PLURALS_OR_VERBS = _words("sets maps functions forms graphs states results")
ADJECTIVES_OF_MATHEMATICS = _words(
    """abelian nonabelian smooth compact finite infinite countable uncountable differentiable holomorphic meromorphic
    isomorphic homeomorphic diffeomorphic homotopic orthogonal orthonormal symplectic affine convex concave connected
    closed bounded unbounded ordered noetherian artinian euclidean riemannian lorentzian hermitian lagrangian
    hamiltonian gaussian bayesian boolean markovian cartesian jacobian laplacian hessian newtonian archimedean
    commutative associative distributive transitive reflexive symmetric antisymmetric bilinear multilinear nonlinear
    algebraic topological projective injective surjective bijective separable reducible irreducible solvable nilpotent
    unipotent unitary cyclic acyclic canonical dense open generic disjoint"""
)
ADJECTIVES_OR_NOUNS = _words(
    """normal prime metric constant integral differential exponential real complex rational irrational quadratic cubic
    quartic quintic conjugate inverse adjoint diagonal parabolic elliptic hyperbolic perpendicular parallel conic
    invariant covariant contravariant equivalent residual ideal primitive radical logarithmic interior exterior general
    principal dual infinitesimal whole particular null"""
)
NOUNS_OR_ADJECTIVES = _words(
    """manifold variable integer coefficient determinant discriminant resultant resolvent polynomial derivative tangent
    secant converse complement maximum minimum"""
)

NAMES = ["Lie"]
"""Names that are other words in small letters."""


def _closed_classes() -> dict[str, int]:
    known: dict[str, int] = {}
    for words, best in (
        (DETERMINERS, Class.DETERMINER),
        (PREPOSITIONS, Class.PREPOSITION),
        (CONJUNCTIONS, Class.CONJUNCTION),
        (PRONOUNS, Class.PRONOUN),
        (OBJECTS, Class.OTHER),
        (MODALS, Class.MODAL),
        (BE, Class.BE),
        (HAVE, Class.HAVE),
        (ADVERBS, Class.ADVERB),
        (NUMBERS, Class.NUMBER),
        (COMMANDS, Class.OTHER),
        (ADJECTIVES, Class.ADJECTIVE),
        (["to"], Class.TO),
        (["that"], Class.THAT),
        (["'s", "’s", "'", "’"], Class.POSSESSIVE),
    ):
        known.update(dict.fromkeys(words, profile(best)))
    known.update(dict.fromkeys(ADVERBS_TOO, profile(Class.ADVERB, Class.ADJECTIVE)))
    return known


CLOSED = _closed_classes()
"""Profiles of words that belong to no open class, and of a few that are like them."""


def _technical() -> dict[str, int]:
    known: dict[str, int] = {}
    for words, classes in (
        (NOUNS, (Class.NOUN,)),
        (PLURALS, (Class.PLURAL,)),
        (NOUNS_OR_VERBS, (Class.NOUN, Class.BASE)),
        (PLURALS_OR_VERBS, (Class.PLURAL, Class.PRESENT)),
        (ADJECTIVES_OF_MATHEMATICS, (Class.ADJECTIVE,)),
        (ADJECTIVES_OR_NOUNS, (Class.ADJECTIVE, Class.NOUN)),
        (NOUNS_OR_ADJECTIVES, (Class.NOUN, Class.ADJECTIVE)),
        (["set"], (Class.NOUN, Class.BASE, Class.PAST)),
        (["let", "suppose"], (Class.BASE,)),
        (["given"], (Class.PAST, Class.ADJECTIVE)),
        (["said"], (Class.PAST,)),
        (NAMES, (Class.NOUN,)),
    ):
        known.update(dict.fromkeys(words, profile(*classes)))
    return known


TECHNICAL = _technical()
"""Profiles of words that mathematicians use otherwise than newspapers, or that newspapers do not know."""

OWN = {**TECHNICAL, **CLOSED}

ABBREVIATIONS = frozenset(
    _words(
        """fig figs eq eqs eqn prop thm lem cor def defn sec sect ch chap ref refs ex rem no nos vol pp p art al cf e.g
        i.e eg ie etc viz vs resp approx ca mr mrs ms dr prof st jr sr inc co corp ltd dept govt gen rep sen jan feb mar
        apr jun jul aug sep sept oct nov dec ave blvd univ assn est rev ed eds trans proc conf math phys chem ann bull
        soc acad sci dist wlog w.r.t s.t a.e i.i.d u.s u.k u.n a.m p.m ph.d"""
    )
)
"""Words whose period does not end a sentence."""
