#include "codegen/form/index_function.h"

#include "algebra/simplify.h"
#include "codegen/form/edges.h"

#include <algorithm>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

std::vector<ExprPtr> rowMajor(const std::vector<ExprPtr> &extents) {
  std::vector<ExprPtr> strides;
  ExprPtr stride = intLiteral(1);
  for (std::size_t d = extents.size(); d-- > 0;) {
    strides.insert(strides.begin(), stride);
    stride = mul(extents[d], stride);
  }
  return strides;
}

View wholeBuffer(const VarPtr &buffer, const std::vector<ExprPtr> &extents) {
  View view{buffer, {}, {}, rowMajor(extents), {}};
  for (std::size_t d = extents.size(); d-- > 0;) {
    view.origin.push_back(intLiteral(0));
    Dimension whole;
    whole.of = static_cast<unsigned>(d);
    whole.step = intLiteral(1);
    whole.extent = whole.bound = extents[d];
    view.dims.insert(view.dims.begin(), whole);
  }
  return view;
}

View cellView(const VarPtr &cell) {
  return elementView(wholeBuffer(cell, {intLiteral(1)}), {intLiteral(0)});
}

ExprPtr flattened(const std::vector<ExprPtr> &subscripts, const std::vector<ExprPtr> &strides) {
  ExprPtr position = intLiteral(0);
  for (std::size_t d = 0; d < subscripts.size(); ++d)
    position = add(position, mul(subscripts[d], strides[d]));
  return position;
}

LinearView linear(const View &view) {
  LinearView result{flattened(view.origin, view.strides), {}};
  for (const Dimension &d : view.dims)
    result.strides.push_back(mul(d.step, view.strides[d.of]));
  return result;
}

View elementView(const View &view, const std::vector<ExprPtr> &indexes) {
  View element = view;
  for (const ExprPtr &i : indexes)
    element = fixOutermost(element, i);
  return element;
}

ExprPtr positionOf(const View &view, const std::vector<ExprPtr> &indexes) {
  return linear(elementView(view, indexes)).offset;
}

ExprPtr elementOf(const View &view, const std::vector<ExprPtr> &indexes) {
  const std::vector<ExprPtr> subscripts = elementView(view, indexes).origin;
  return view.padded ? index(varRef(view.padded), subscripts)
                     : throughEdges(view.buffer, subscripts, view.edges);
}

ExprPtr Sequence::at(const ExprPtr &i) const {
  ExprPtr value = add(start, mul(i, inc));
  return dataDependent ? cast(Scalar::Index, elementOf(container, {value})) : value;
}

ExprPtr Parts::count() const {
  ExprPtr product = cuts.front().count;
  for (std::size_t i = 1; i < cuts.size(); ++i)
    product = mul(product, cuts[i].count);
  return product;
}

PartBounds boundsOf(const Cut &cut, const ExprPtr &size, const ExprPtr &i) {
  const ExprPtr end = cut.end.at(i);
  return {cut.start.at(i), cut.inc.at(i), cut.full ? end : minOf(end, size)};
}

ExprPtr extentOf(const PartBounds &bounds) {
  return ceilDiv(sub(maxOf(bounds.end, bounds.first), bounds.first), bounds.inc);
}

ExprPtr extentBoundOf(const Cut &cut, const ExprPtr &bound) {
  bool affine = !cut.start.dataDependent && !cut.end.dataDependent && !cut.inc.dataDependent &&
                isLiteral(cut.inc.inc, 0);
  if (!affine)
    return bound;
  // Part i may hold end(i) - start(i) positions: the same number for every i when
  // both sequences advance alike, at most those of part 0 when end does not advance.
  ExprPtr positions = bound;
  if (sameExpr(cut.start.inc, cut.end.inc))
    positions = minOf(
        isLiteral(cut.start.start, 0) ? cut.end.start : sub(cut.end.start, cut.start.start), bound);
  else if (isLiteral(cut.end.inc, 0) && isLiteral(cut.start.start, 0))
    positions = minOf(cut.end.start, bound);
  return ceilDiv(positions, cut.inc.start);
}

View partView(const View &view, const Cut &cut, const PartBounds &bounds, const ExprPtr &extent) {
  View part = view;
  Dimension &d = part.dims[cut.dim];
  part.origin[d.of] = add(part.origin[d.of], mul(bounds.first, d.step));
  d.step = mul(bounds.inc, d.step);
  d.extent = extent;
  d.bound = extentBoundOf(cut, d.bound);
  return part;
}

View fixOutermost(const View &view, const ExprPtr &i) {
  View inner = view;
  const Dimension &d = view.dims.front();
  inner.origin[d.of] = add(inner.origin[d.of], mul(cast(Scalar::Index, i), d.step));
  inner.dims.erase(inner.dims.begin());
  return inner;
}

View transposed(View view) {
  std::swap(view.dims[0], view.dims[1]);
  return view;
}

View padded(const View &view, unsigned dim, Boundary boundary, const ExprPtr &before,
            const ExprPtr &after, const ExprPtr &beyond) {
  View longer = view;
  longer.padded = nullptr;
  Dimension &d = longer.dims[dim];
  longer.edges.insert(longer.edges.begin(), {d.of, boundary, before, after, d.extent, d.bound,
                                             view.origin[d.of], d.step, beyond});
  longer.origin[d.of] = intLiteral(0);
  d.step = intLiteral(1);
  d.extent = add(add(d.extent, before), after);
  d.bound = add(add(d.bound, before), after);
  return longer;
}

View reachOf(View view) {
  for (const Edge &edge : view.edges) {
    std::erase_if(view.dims, [&](const Dimension &d) { return d.of == edge.of; });
    view.origin[edge.of] = edge.origin;
    view.dims.push_back({edge.of, edge.step, edge.extent, edge.bound});
  }
  view.edges.clear();
  view.padded = nullptr;
  return view;
}

} // namespace tangram::codegen
