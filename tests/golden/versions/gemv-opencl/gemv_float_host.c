// gemv_float in 3 versions, composed for pocl; the sizes say which one is called.
//   0 89c6309c: S_G, regroup(row_chunks, G), distribute(B), S_B, regroup(row_blocks, B),
//     distribute(T), select(by_row, T), distribute(I), compute(dot#1, SE_I)
//   1 aecc2ce3: S_G, regroup(column_blocks, G), distribute(B), S_B, regroup(row_chunks, B),
//     serialize(B), S_B, regroup(row_blocks, B), distribute(T), S_T, regroup(row_blocks, T),
//     distribute(I), compute(gemv#1, SE_I), split(G), distribute(B), distribute(T),
//     compute(sum#1, SE_T)
//   2 2e1f49e6: S_G, regroup(row_blocks, G), distribute(B), S_B, regroup(row_blocks, B),
//     distribute(T), S_T, regroup(row_chunks, T), split(T), distribute(I), serialize(I),
//     compute(gemv#1, SE_I)
#include "gemv_float.h"

#include <stdlib.h>

#include "89c6309c/gemv_float_89c6309c.h"
#include "aecc2ce3/gemv_float_aecc2ce3.h"
#include "2e1f49e6/gemv_float_2e1f49e6.h"

/// The version that is taken to be fastest, by its number.
static unsigned preferred(size_t a_size0, size_t a_size1) {
  if (a_size0 >= 16384)
    return 2;
  if (a_size1 < 2048)
    return 0;
  return 1;
}

/// NULL: the device cannot run the version.
struct gemv_float_handle {
  gemv_float_89c6309c_handle *version_0;
  gemv_float_aecc2ce3_handle *version_1;
  gemv_float_2e1f49e6_handle *version_2;
};

int gemv_float_create(cl_context context, cl_device_id device, gemv_float_handle **handle) {
  *handle = NULL;
  gemv_float_handle *made = calloc(1, sizeof *made);
  if (!made)
    return CL_OUT_OF_HOST_MEMORY;
  // Errors of OpenCL are below 0.
  int status = gemv_float_89c6309c_create(context, device, &made->version_0);
  if (status >= 0)
    status = gemv_float_aecc2ce3_create(context, device, &made->version_1);
  if (status >= 0)
    status = gemv_float_2e1f49e6_create(context, device, &made->version_2);
  if (status >= 0)
    status = made->version_0 || made->version_1 || made->version_2 ? CL_SUCCESS : 1;
  if (status == CL_SUCCESS)
    *handle = made;
  else
    gemv_float_destroy(made);
  return status;
}

void gemv_float_destroy(gemv_float_handle *handle) {
  if (!handle)
    return;
  gemv_float_89c6309c_destroy(handle->version_0);
  gemv_float_aecc2ce3_destroy(handle->version_1);
  gemv_float_2e1f49e6_destroy(handle->version_2);
  free(handle);
}

int gemv_float_workspace(const gemv_float_handle *handle, size_t a_size0, size_t a_size1,
    size_t x_size, size_t y_size, size_t *bytes) {
  const unsigned first = preferred(a_size0, a_size1);
  // 1: it cannot serve these sizes, which are left to the next one.
  int status = 1;
  for (unsigned i = 0; status == 1 && i < 3; ++i) {
    switch ((first + i) % 3) {
    case 0:
      status = handle->version_0
          ? gemv_float_89c6309c_workspace(handle->version_0, a_size0, a_size1, x_size, y_size,
          bytes) : 1;
      break;
    case 1:
      status = handle->version_1
          ? gemv_float_aecc2ce3_workspace(handle->version_1, a_size0, a_size1, x_size, y_size,
          bytes) : 1;
      break;
    default:
      status = handle->version_2
          ? gemv_float_2e1f49e6_workspace(handle->version_2, a_size0, a_size1, x_size, y_size,
          bytes) : 1;
      break;
    }
  }
  return status;
}

int gemv_float_enqueue(gemv_float_handle *handle, cl_command_queue queue, cl_mem a, size_t a_size0,
    size_t a_size1, cl_mem x, size_t x_size, cl_mem y, size_t y_size, cl_mem workspace,
    cl_uint waits, const cl_event *wait_list, cl_event *event) {
  const unsigned first = preferred(a_size0, a_size1);
  // 1: it cannot serve these sizes, which are left to the next one.
  int status = 1;
  for (unsigned i = 0; status == 1 && i < 3; ++i) {
    switch ((first + i) % 3) {
    case 0:
      status = handle->version_0
          ? gemv_float_89c6309c_enqueue(handle->version_0, queue, a, a_size0, a_size1, x, x_size,
          y, y_size, workspace, waits, wait_list, event) : 1;
      break;
    case 1:
      status = handle->version_1
          ? gemv_float_aecc2ce3_enqueue(handle->version_1, queue, a, a_size0, a_size1, x, x_size,
          y, y_size, workspace, waits, wait_list, event) : 1;
      break;
    default:
      status = handle->version_2
          ? gemv_float_2e1f49e6_enqueue(handle->version_2, queue, a, a_size0, a_size1, x, x_size,
          y, y_size, workspace, waits, wait_list, event) : 1;
      break;
    }
  }
  return status;
}

int gemv_float(cl_command_queue queue, cl_mem a, size_t a_size0, size_t a_size1, cl_mem x,
    size_t x_size, cl_mem y, size_t y_size) {
  const unsigned first = preferred(a_size0, a_size1);
  // 1: it cannot serve these sizes, which are left to the next one.
  int status = 1;
  for (unsigned i = 0; status == 1 && i < 3; ++i) {
    switch ((first + i) % 3) {
    case 0:
      status = gemv_float_89c6309c(queue, a, a_size0, a_size1, x, x_size, y, y_size);
      break;
    case 1:
      status = gemv_float_aecc2ce3(queue, a, a_size0, a_size1, x, x_size, y, y_size);
      break;
    default:
      status = gemv_float_2e1f49e6(queue, a, a_size0, a_size1, x, x_size, y, y_size);
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
    return "no call with these sizes or numbers of workers can be served, or the device cannot run it";
  case gemv_float_overlap:
    return "a container that is written shares memory with another one";
  case gemv_float_small_buffer:
    return "a buffer is smaller than the container that it holds";
  case gemv_float_bad_data:
    return "elements are not what is required of them";
  case CL_DEVICE_NOT_AVAILABLE:
    return "CL_DEVICE_NOT_AVAILABLE";
  case CL_COMPILER_NOT_AVAILABLE:
    return "CL_COMPILER_NOT_AVAILABLE";
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
  case CL_OUT_OF_RESOURCES:
    return "CL_OUT_OF_RESOURCES";
  case CL_OUT_OF_HOST_MEMORY:
    return "CL_OUT_OF_HOST_MEMORY";
  case CL_BUILD_PROGRAM_FAILURE:
    return "CL_BUILD_PROGRAM_FAILURE";
  case CL_MISALIGNED_SUB_BUFFER_OFFSET:
    return "CL_MISALIGNED_SUB_BUFFER_OFFSET";
  case CL_INVALID_CONTEXT:
    return "CL_INVALID_CONTEXT";
  case CL_INVALID_COMMAND_QUEUE:
    return "CL_INVALID_COMMAND_QUEUE";
  case CL_INVALID_MEM_OBJECT:
    return "CL_INVALID_MEM_OBJECT";
  case CL_INVALID_EVENT_WAIT_LIST:
    return "CL_INVALID_EVENT_WAIT_LIST";
  case CL_INVALID_BUFFER_SIZE:
    return "CL_INVALID_BUFFER_SIZE";
  default:
    return "an error of OpenCL";
  }
}
