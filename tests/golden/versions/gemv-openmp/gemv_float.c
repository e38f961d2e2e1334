// gemv_float in 3 versions, composed for cpu; the sizes say which one is called.
//   0 4aa68bff: S_P, devolve(T), S_T, devolve(V), compute(gemv#1, SE_V)
//   1 71326ed6: S_P, regroup(row_blocks, P), distribute(T), compute(four_rows, VE_T)
//   2 31a7701f: S_P, regroup(row_chunks, P), distribute(T), S_T, regroup(row_blocks, T),
//     distribute(V), compute(gemv#1, SE_V)
#include "gemv_float.h"

#include "4aa68bff/gemv_float_4aa68bff.h"
#include "71326ed6/gemv_float_71326ed6.h"
#include "31a7701f/gemv_float_31a7701f.h"

/// The version that is taken to be fastest, by its number.
static unsigned preferred(size_t a_size0, size_t a_size1) {
  if (a_size0 * a_size1 < 16384)
    return 0;
  if (a_size1 < 64)
    return 2;
  return 1;
}

int gemv_float_workspace(size_t a_size0, size_t a_size1, size_t x_size, size_t y_size,
    size_t threads, size_t *bytes) {
  const unsigned first = preferred(a_size0, a_size1);
  // 1: it cannot serve these sizes, which are left to the next one.
  int status = 1;
  for (unsigned i = 0; status == 1 && i < 3; ++i) {
    switch ((first + i) % 3) {
    case 0:
      status = gemv_float_4aa68bff_workspace(a_size0, a_size1, x_size, y_size, threads, bytes);
      break;
    case 1:
      status = gemv_float_71326ed6_workspace(a_size0, a_size1, x_size, y_size, threads, bytes);
      break;
    default:
      status = gemv_float_31a7701f_workspace(a_size0, a_size1, x_size, y_size, threads, bytes);
      break;
    }
  }
  return status;
}

int gemv_float_on_threads(const float *a, size_t a_size0, size_t a_size1, const float *x,
    size_t x_size, float *y, size_t y_size, size_t threads, void *workspace,
    size_t workspace_bytes) {
  const unsigned first = preferred(a_size0, a_size1);
  // 1: it cannot serve these sizes, which are left to the next one.
  int status = 1;
  for (unsigned i = 0; status == 1 && i < 3; ++i) {
    switch ((first + i) % 3) {
    case 0:
      status =
          gemv_float_4aa68bff_on_threads(a, a_size0, a_size1, x, x_size, y, y_size, threads,
          workspace, workspace_bytes);
      break;
    case 1:
      status =
          gemv_float_71326ed6_on_threads(a, a_size0, a_size1, x, x_size, y, y_size, threads,
          workspace, workspace_bytes);
      break;
    default:
      status =
          gemv_float_31a7701f_on_threads(a, a_size0, a_size1, x, x_size, y, y_size, threads,
          workspace, workspace_bytes);
      break;
    }
  }
  return status;
}

int gemv_float(const float *a, size_t a_size0, size_t a_size1, const float *x, size_t x_size,
    float *y, size_t y_size) {
  const unsigned first = preferred(a_size0, a_size1);
  // 1: it cannot serve these sizes, which are left to the next one.
  int status = 1;
  for (unsigned i = 0; status == 1 && i < 3; ++i) {
    switch ((first + i) % 3) {
    case 0:
      status = gemv_float_4aa68bff(a, a_size0, a_size1, x, x_size, y, y_size);
      break;
    case 1:
      status = gemv_float_71326ed6(a, a_size0, a_size1, x, x_size, y, y_size);
      break;
    default:
      status = gemv_float_31a7701f(a, a_size0, a_size1, x, x_size, y, y_size);
      break;
    }
  }
  return status;
}

const char *gemv_float_message(int status) {
  switch (status) {
  case gemv_float_ok:
    return "success";
  case gemv_float_refused:
    return "no call with these sizes or numbers of workers can be served";
  case gemv_float_no_memory:
    return "there is no memory for temporaries";
  case gemv_float_small_workspace:
    return "the workspace is missing or too small";
  case gemv_float_overlap:
    return "a container that is written shares memory with another one";
  case gemv_float_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}
