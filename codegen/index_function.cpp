#include "codegen/index_function.h"

#include "codegen/simplify.h"

namespace tangram::codegen {

using namespace ir;

View wholeBuffer(const VarPtr &buffer, const std::vector<ExprPtr> &extents) {
  View view{buffer, intLiteral(0), {}};
  ExprPtr stride = intLiteral(1);
  for (std::size_t d = extents.size(); d-- > 0;) {
    view.dims.insert(view.dims.begin(), Dimension{extents[d], stride, extents[d]});
    stride = mul(extents[d], stride);
  }
  return view;
}

ExprPtr positionOf(const View &view, const std::vector<ExprPtr> &indexes) {
  ExprPtr position = view.offset;
  for (std::size_t d = 0; d < indexes.size(); ++d)
    position = add(position, mul(cast(Scalar::Index, indexes[d]), view.dims[d].stride));
  return position;
}

ExprPtr elementOf(const View &view, const std::vector<ExprPtr> &indexes) {
  return index(varRef(view.buffer), {positionOf(view, indexes)});
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
  return {cut.start.at(i), cut.inc.at(i), minOf(cut.end.at(i), size)};
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
  Dimension &cutDimension = part.dims[cut.dim];
  part.offset = add(view.offset, mul(bounds.first, cutDimension.stride));
  cutDimension = Dimension{extent, mul(bounds.inc, cutDimension.stride),
                           extentBoundOf(cut, cutDimension.bound)};
  return part;
}

View fixOutermost(const View &view, const ExprPtr &i) {
  return {view.buffer,
          add(view.offset, mul(cast(Scalar::Index, i), view.dims[0].stride)),
          {view.dims.begin() + 1, view.dims.end()}};
}

View transposed(View view) {
  std::swap(view.dims[0], view.dims[1]);
  return view;
}

} // namespace tangram::codegen
