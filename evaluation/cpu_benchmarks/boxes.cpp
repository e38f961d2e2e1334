// Stencils of boxes.
#include "halide.h"
#include "stencils.h"

namespace {

struct Box {
  explicit Box(const Words &sizes)
      : extents{sizeAt(sizes, 0), sizeAt(sizes, 1), sizeAt(sizes, 2)} {}
  std::size_t size() const { return extents[0] * extents[1] * extents[2]; }
  template <class T> Arguments &add(Arguments &arguments, const Array<T> &array) const {
    return arguments.container(array.data(), {extents[0], extents[1], extents[2]});
  }
  template <class T> Image image(const Array<T> &array) const {
    return {array.data(), {extents[0], extents[1], extents[2]}};
  }
  std::size_t extents[3];
};

template <class Value> auto sixAround(const Value &value) {
  return value(-1, 0, 0) + value(0, -1, 0) + value(0, 0, -1) + value(0, 0, 1) + value(0, 1, 0) +
         value(1, 0, 0);
}

} // namespace

Row makeHeat3(const Words &sizes) {
  const Box box(sizes);
  static float c = 0.1F;
  auto in = numbers(box.size(), 1);
  auto out = std::make_shared<Array<float>>(box.size());
  const auto at = [](std::size_t, const auto &value) {
    const auto own = value(0, 0, 0);
    return own + decltype(own)(c) * (sixAround(value) - 6 * own);
  };
  Row row;
  row.bytes = 8.0 * static_cast<double>(box.size());
  row.ours = [=](const Library &library) {
    Arguments arguments;
    arguments.cell(&c);
    box.add(box.add(arguments, *in), *out);
    library.call(arguments);
  };
  row.peers = {
      {"OpenMP", [=] { boxByHand<Edge::Wrap, 1>(in->data(), out->data(), box.extents, at); }}};
  addHalide(row, "heat3", {&c}, {box.image(*in), box.image(*out)});
  judge(row, out, boxInDouble<Edge::Wrap>(*in, box.extents, at), 1e-5);
  return row;
}

Row makeJacobi13(const Words &sizes) {
  const Box box(sizes);
  auto in = numbers(box.size(), 1);
  auto out = std::make_shared<Array<float>>(box.size());
  const auto at = [](std::size_t, const auto &value) {
    return (value(0, 0, 0) + sixAround(value) + value(-2, 0, 0) + value(0, -2, 0) +
            value(0, 0, -2) + value(0, 0, 2) + value(0, 2, 0) + value(2, 0, 0)) /
           13;
  };
  Row row;
  row.bytes = 8.0 * static_cast<double>(box.size());
  row.ours = [=](const Library &library) {
    Arguments arguments;
    box.add(box.add(arguments, *in), *out);
    library.call(arguments);
  };
  row.peers = {
      {"OpenMP", [=] { boxByHand<Edge::Zero, 2>(in->data(), out->data(), box.extents, at); }}};
  addHalide(row, "jacobi13", {}, {box.image(*in), box.image(*out)});
  judge(row, out, boxInDouble<Edge::Zero>(*in, box.extents, at), 1e-5);
  return row;
}

Row makeHotspot3(const Words &sizes) {
  const Box box(sizes);
  static float cc = 0.4F, cx = 0.1F, cy = 0.1F, cz = 0.05F, step = 0.5F, ambient = 80.0F;
  auto power = numbers(box.size(), 2, 0, 1);
  auto in = numbers(box.size(), 1, 60, 100);
  auto out = std::make_shared<Array<float>>(box.size());
  const auto at = [p = power->data()](std::size_t e, const auto &value) {
    const auto own = value(0, 0, 0);
    using T = std::remove_const_t<decltype(own)>;
    return T(cc) * own + T(cx) * (value(0, 0, -1) + value(0, 0, 1)) +
           T(cy) * (value(0, -1, 0) + value(0, 1, 0)) +
           T(cz) * (value(-1, 0, 0) + value(1, 0, 0) + T(ambient)) + T(step) * T(p[e]);
  };
  Row row;
  row.bytes = 12.0 * static_cast<double>(box.size());
  row.ours = [=](const Library &library) {
    Arguments arguments;
    arguments.cell(&cc).cell(&cx).cell(&cy).cell(&cz).cell(&step).cell(&ambient);
    box.add(box.add(box.add(arguments, *power), *in), *out);
    library.call(arguments);
  };
  row.peers = {
      {"OpenMP", [=] { boxByHand<Edge::Clamp, 1>(in->data(), out->data(), box.extents, at); }}};
  addHalide(row, "hotspot3", {&cc, &cx, &cy, &cz, &step, &ambient},
            {box.image(*power), box.image(*in), box.image(*out)});
  judge(row, out, boxInDouble<Edge::Clamp>(*in, box.extents, at), 1e-3);
  return row;
}

Row makeAcoustics(const Words &sizes) {
  const Box box(sizes);
  static float c2 = 0.3F, loss = 0.2F;
  auto open = std::make_shared<Array<int>>(box.size());
  auto before = numbers(box.size(), 2);
  auto in = numbers(box.size(), 1);
  auto out = std::make_shared<Array<float>>(box.size());
  const std::size_t m = box.extents[1], n = box.extents[2];
  fill(*open, [&](std::size_t e) {
    const std::size_t at[3] = {e / (m * n), e / n % m, e % n};
    int count = 0;
    for (int d = 0; d < 3; ++d)
      count += (at[d] > 0) + (at[d] + 1 < box.extents[d]);
    return count;
  });
  const auto at = [o = open->data(), b = before->data()](std::size_t e, const auto &value) {
    const auto own = value(0, 0, 0);
    using T = std::remove_const_t<decltype(own)>;
    const T wall = T(0.5) * T(loss) * T(6 - o[e]);
    const T next = ((2 - T(c2) * T(o[e])) * own + T(c2) * sixAround(value) + (wall - 1) * T(b[e])) /
                   (1 + wall);
    return o[e] == 0 ? T(0) : next;
  };
  Row row;
  row.bytes = 16.0 * static_cast<double>(box.size());
  row.ours = [=](const Library &library) {
    Arguments arguments;
    arguments.cell(&c2).cell(&loss);
    box.add(box.add(box.add(box.add(arguments, *open), *before), *in), *out);
    library.call(arguments);
  };
  row.peers = {
      {"OpenMP", [=] { boxByHand<Edge::Zero, 1>(in->data(), out->data(), box.extents, at); }}};
  addHalide(row, "acoustics", {&c2, &loss},
            {box.image(*open), box.image(*before), box.image(*in), box.image(*out)});
  judge(row, out, boxInDouble<Edge::Zero>(*in, box.extents, at), 1e-4);
  return row;
}
