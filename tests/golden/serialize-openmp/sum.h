#ifndef TANGRAM_sum_H
#define TANGRAM_sum_H

#include <stddef.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns 0, 1 when this plan cannot serve the size, 2 when memory ran out.
int sum(const int *in, size_t in_size, int *result);

/// The same with the number of workers chosen by the caller.
/// p: number of threads that share the work, or 0 for what suits the size.
int sum_tuned(const int *in, size_t in_size, int *result, size_t p);

#ifdef __cplusplus
}
#endif

#endif
