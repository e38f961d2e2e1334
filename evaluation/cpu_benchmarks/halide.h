// Peers in Halide, of the version that Debian has (libhalide14-0-dev). None where the program is built without
// their objects, which halide/make.cpp makes.
#pragma once

#include "row.h"

/// Each with a schedule by hand; windows of convolutions are 17 wide.
std::vector<Peer> halideConvolve(const float *in, const float *weights, float *out, int m, int n,
                                 int size);
std::vector<Peer> halideSeparable(const float *in, const float *column, const float *row,
                                  float *out, int m, int n, int size);
std::vector<Peer> halideGaussian(const float *in, float *out, int m, int n);
std::vector<Peer> halideGradient(const float *in, float *out, int m, int n);
std::vector<Peer> halideSobel(const float *in, float *out, int m, int n);
std::vector<Peer> halideJacobi(const float *in, float *out, int m, int n);
std::vector<Peer> halideJacobi9(const float *in, float *out, int m, int n);
