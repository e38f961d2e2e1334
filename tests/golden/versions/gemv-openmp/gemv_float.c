// gemv_float in 2 versions, composed for cpu; the sizes say which one is called.
//   0 9ca52d52: S_P, regroup(row_blocks, P), distribute(T), select(by_row, T), distribute(V),
//     S_V, regroup(dot_strided, V), distribute(I), compute(dot#1, SE_I), compute(sum#1, SE_V)
//   1 71326ed6: S_P, regroup(row_blocks, P), distribute(T), compute(four_rows, VE_T)
#include "gemv_float.h"

#include "9ca52d52/gemv_float_9ca52d52.h"
#include "71326ed6/gemv_float_71326ed6.h"

/// The version that is taken to be fastest, by its number.
static unsigned preferred(size_t a_size1) {
  if (a_size1 < 8)
    return 0;
  return 1;
}

int gemv_float_workspace(size_t a_size0, size_t a_size1, size_t x_size, size_t y_size, size_t threads, size_t *bytes) {
  const unsigned first = preferred(a_size1);
  // 1: it cannot serve these sizes, which are left to the next one.
  int status = 1;
  for (unsigned i = 0; status == 1 && i < 2; ++i) {
    switch ((first + i) % 2) {
    case 0:
      status = gemv_float_9ca52d52_workspace(a_size0, a_size1, x_size, y_size, threads, bytes);
      break;
    default:
      status = gemv_float_71326ed6_workspace(a_size0, a_size1, x_size, y_size, threads, bytes);
      break;
    }
  }
  return status;
}

int gemv_float_on_threads(const float *a, size_t a_size0, size_t a_size1, const float *x, size_t x_size, float *y, size_t y_size, size_t threads, void *workspace, size_t workspace_bytes) {
  const unsigned first = preferred(a_size1);
  // 1: it cannot serve these sizes, which are left to the next one.
  int status = 1;
  for (unsigned i = 0; status == 1 && i < 2; ++i) {
    switch ((first + i) % 2) {
    case 0:
      status = gemv_float_9ca52d52_on_threads(a, a_size0, a_size1, x, x_size, y, y_size, threads, workspace, workspace_bytes);
      break;
    default:
      status = gemv_float_71326ed6_on_threads(a, a_size0, a_size1, x, x_size, y, y_size, threads, workspace, workspace_bytes);
      break;
    }
  }
  return status;
}

int gemv_float(const float *a, size_t a_size0, size_t a_size1, const float *x, size_t x_size, float *y, size_t y_size) {
  const unsigned first = preferred(a_size1);
  // 1: it cannot serve these sizes, which are left to the next one.
  int status = 1;
  for (unsigned i = 0; status == 1 && i < 2; ++i) {
    switch ((first + i) % 2) {
    case 0:
      status = gemv_float_9ca52d52(a, a_size0, a_size1, x, x_size, y, y_size);
      break;
    default:
      status = gemv_float_71326ed6(a, a_size0, a_size1, x, x_size, y, y_size);
      break;
    }
  }
  return status;
}
