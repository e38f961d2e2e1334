// Vectors, as the language has them, become their components: programs have numbers and containers of
// numbers alone.
//
//     Array<1, float4> p        Array<2, float> p, whose last dimension is 4; require(p.size(1) == 4)
//     float4 a = p[i];          float a_x = p[i][0], a_y = p[i][1], a_z = p[i][2], a_w = p[i][3];
//     a.x, a + b                a_x, and the sum of each pair of components
//     float4 f(float4 a)        f_x(a_x, a_y, a_z, a_w), f_y(...), ... of a helper function;
//                               void f(float a_x, ..., Array<1, float> f_result) of a spectrum
//     map(f, p)                 map(f, transpose(p)[0], ..., results): what f takes as numbers is columns
#pragma once

#include "frontend/written_source.h"
#include "ir/program.h"

namespace tangram::frontend {

/// Component number `k` of a vector, a number.
ir::ExprPtr componentOf(const ir::ExprPtr &vector, unsigned k, const ir::SourceLocation &place);
/// Whether `e` is one.
bool isComponent(const ir::Expr &e);
/// The vector of these components, or of one number for all of them.
ir::ExprPtr vectorOf(const ir::Type &type, std::vector<ir::ExprPtr> components,
                     const ir::SourceLocation &place);
/// Whether `e` is one of those.
bool isVectorOf(const ir::Expr &e);
/// "x", "y", "z" or "w".
std::string componentName(unsigned k);

/// The program with components for vectors; what cannot have them is reported. `source` is told what they were.
ir::Program splitVectors(ir::Program program, ir::Diagnostics &diagnostics, WrittenSource &source);

} // namespace tangram::frontend
