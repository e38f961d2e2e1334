// What is known about numbers. Composer, codegen and runtime ask here; nobody else proves anything.
//
//   polynomial.h     sums of products of atoms with integer coefficients: the normal form in which
//                    offsets, strides and bounds are compared. An atom is whatever its owner says;
//                    a coefficient that does not fit is remembered, and such a polynomial equals
//                    nothing.
//   inequalities.h   the one prover: facts p >= 0, and a search for a certificate that p >= 0
//                    follows, a sum of facts times products of numbers that are never negative.
//                    Expressions become polynomials here (quotients, minima, maxima as atoms with
//                    the facts that define them). A proof is a proof for every value that the
//                    facts allow; "not proved" says nothing.
//   bounds.h         the one set of bounds: what an expression is at least and at most, when the
//                    ends of its variables are known. Ends are polynomials, and the prover says
//                    which of two is the smaller.
//   wrapping.h       whether an unsigned value may have wrapped around below 0.
//   overlap.h        whether two sets of LMADs have an element in common.
//   simplify.h       a shorter expression of the same value, and statements made of such; the
//                    rules that need to know how large a number may be are in simplify_ranges.h.
//   size_expression.h  the one language in which files say how large something is: parsed,
//                    evaluated exactly, printed as C. What it may name of a device is listed once,
//                    in device_facts.h.
//
// Arithmetic is that of the whole numbers. Where a machine's is not (an unsigned difference that
// may go below 0, a conversion to fewer bits), the expression is an atom and not looked into, or
// the answer is "unknown". Nothing here knows a machine, a target or a plan.
#pragma once

#include "algebra/bounds.h"
#include "algebra/device_facts.h"
#include "algebra/inequalities.h"
#include "algebra/overlap.h"
#include "algebra/polynomial.h"
#include "algebra/simplify.h"
#include "algebra/size_expression.h"
#include "algebra/wrapping.h"
