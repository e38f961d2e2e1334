// gemv_float in 3 versions, composed for pocl; the sizes say which one is called.
//   0 ce421be7: S_G, devolve(B), S_B, regroup(row_blocks, B), distribute(T), select(by_row, T),
//     distribute(I), compute(dot#1, SE_I)
//   1 68b09d3c: S_G, regroup(column_blocks, G), distribute(B), S_B, regroup(row_blocks, B),
//     distribute(T), select(by_row, T), distribute(I), compute(dot#1, SE_I), split(G),
//     distribute(B), distribute(T), select(sum_reduce, T), S_T, regroup(strided, T),
//     distribute(I), compute(reduce#1, SE_I), compute(reduce#1, SE_T)
//   2 2ff747d5: S_G, regroup(row_blocks, G), distribute(B), S_B, regroup(row_blocks, B),
//     distribute(T), select(by_row, T), distribute(I), compute(dot#1, SE_I)
#include "gemv_float.h"

#include "ce421be7/gemv_float_ce421be7.h"
#include "68b09d3c/gemv_float_68b09d3c.h"
#include "2ff747d5/gemv_float_2ff747d5.h"

/// The version that is taken to be fastest, by its number.
static unsigned preferred(size_t a_size0, size_t a_size1) {
  if (a_size0 >= 512)
    return 2;
  if (a_size1 < 1024)
    return 0;
  return 1;
}

int gemv_float(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem x, size_t x_size, cl_mem y, size_t y_size) {
  const unsigned first = preferred(a_size0, a_size1);
  // 1: it cannot serve these sizes, which are left to the next one.
  int status = 1;
  for (unsigned i = 0; status == 1 && i < 3; ++i) {
    switch ((first + i) % 3) {
    case 0:
      status = gemv_float_ce421be7(queue, a, a_size0, a_size1, x, x_size, y, y_size);
      break;
    case 1:
      status = gemv_float_68b09d3c(queue, a, a_size0, a_size1, x, x_size, y, y_size);
      break;
    default:
      status = gemv_float_2ff747d5(queue, a, a_size0, a_size1, x, x_size, y, y_size);
      break;
    }
  }
  return status;
}
