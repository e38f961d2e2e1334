// The functions of glibc's libmvec: loops of `omp simd` may call them in vectors, as those compiled with -ffast-math do.
// Their results are off by at most four units in the last place.
#pragma once

#include <cmath>

#if defined __x86_64__ && defined __GLIBC__ && __GLIBC_PREREQ(2, 35)
#pragma omp declare simd notinbranch
extern "C" float expf(float) noexcept;
#pragma omp declare simd notinbranch
extern "C" float logf(float) noexcept;
#pragma omp declare simd notinbranch
extern "C" float erff(float) noexcept;
#pragma omp declare simd notinbranch
extern "C" float sinf(float) noexcept;
#pragma omp declare simd notinbranch
extern "C" float cosf(float) noexcept;
#endif
