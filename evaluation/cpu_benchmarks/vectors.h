// Vectors of floats as wide as the processor's, for loops whose sums have to stay in registers.
#pragma once

#include <cstddef>

#ifdef __AVX512F__
using Vector = float __attribute__((vector_size(64)));
#else
using Vector = float __attribute__((vector_size(32)));
#endif
constexpr std::size_t lanes = sizeof(Vector) / sizeof(float);

inline Vector vectorAt(const float *from) {
  Vector vector;
  __builtin_memcpy(&vector, from, sizeof vector);
  return vector;
}

inline void putVector(float *to, Vector vector) { __builtin_memcpy(to, &vector, sizeof vector); }
