// Peers in Halide, of the version that Debian has (libhalide14-0-dev). None where the program is built without
// their objects, which halide/make.cpp makes.
#pragma once

#include "row.h"

/// What a pipeline of Halide reads or writes: a row lies behind the one before.
struct Image {
  /// Extents as Arguments::container has them, the one along rows last.
  Image(const float *of, std::initializer_list<std::size_t> extents)
      : data(const_cast<float *>(of)), extents(extents), integers(false) {}
  Image(const int *of, std::initializer_list<std::size_t> extents)
      : data(const_cast<int *>(of)), extents(extents), integers(true) {}
  void *data;
  std::vector<std::size_t> extents;
  bool integers;
};

/// Adds to a row's peers the pipeline of this name with a schedule by hand, and with that of an autoscheduler; `scalars`
/// outlive them, and the last image is the result. Windows of convolutions are 17 wide. One that refuses such a size is
/// left out.
void addHalide(Row &row, const std::string &name, const std::vector<float *> &scalars,
               const std::vector<Image> &images);
