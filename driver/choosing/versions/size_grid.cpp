#include "driver/choosing/versions/size_grid.h"

#include <algorithm>
#include <set>

namespace tangram::driver {

namespace {

constexpr unsigned mostBits = 28; ///< of an extent
constexpr unsigned mostBitsOfContainer = 30;
constexpr std::size_t mostFree = 5; ///< of others all sizes are alike

/// No powers of 2.
constexpr std::uint64_t oddAndSmall = 7, oddAndLarge = 1000003, oddSide = 1009;

/// Of each extent, by how many there are; more of them are compared at three sizes each.
std::vector<unsigned> bitsOf(std::size_t extents) {
  unsigned step = extents <= 1 ? 2 : extents == 2 ? 4 : extents == 3 ? 5 : 10;
  std::vector<unsigned> bits;
  for (unsigned at = extents <= 2 ? 0 : 2; at <= mostBits; at += step)
    bits.push_back(at);
  return bits;
}

} // namespace

std::vector<std::string> freeExtents(const runtime::Signature &signature) {
  std::set<std::string> derived;
  for (const runtime::ShapeEquation &equation : signature.shape)
    derived.insert(equation.extent);
  std::vector<std::string> free;
  for (const std::string &extent : signature.extents()) {
    if (!derived.contains(extent))
      free.push_back(extent);
  }
  return free;
}

std::vector<runtime::SizeChoice> sizeGrid(const runtime::Signature &signature) {
  std::vector<std::string> free = freeExtents(signature);
  free.resize(std::min(free.size(), mostFree));
  std::vector<std::map<std::string, unsigned>> grid{{}};
  for (const std::string &extent : free) {
    std::vector<std::map<std::string, unsigned>> finer;
    for (const auto &point : grid) {
      for (unsigned bits : bitsOf(free.size())) {
        finer.push_back(point);
        finer.back()[extent] = bits;
      }
    }
    grid = std::move(finer);
  }
  std::vector<runtime::SizeChoice> sizes;
  for (const auto &point : grid) {
    const bool fits = std::ranges::all_of(signature.parameters, [&](const runtime::Parameter &p) {
      unsigned bits = 0;
      for (const std::string &extent : p.extents)
        bits += point.contains(extent) ? point.at(extent) : 0;
      return bits <= mostBitsOfContainer;
    });
    if (!fits)
      continue;
    runtime::SizeChoice &choice = sizes.emplace_back();
    for (const auto &[extent, bits] : point)
      choice.named[extent] = {std::uint64_t{1} << bits};
  }
  if (free.empty())
    return sizes;
  for (std::uint64_t odd : {oddAndSmall, free.size() == 1 ? oddAndLarge : oddSide}) {
    runtime::SizeChoice &choice = sizes.emplace_back();
    for (const std::string &extent : free)
      choice.named[extent] = {odd};
  }
  return sizes;
}

} // namespace tangram::driver
