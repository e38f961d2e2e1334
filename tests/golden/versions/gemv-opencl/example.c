/* cc example.c gemv_float_host.c 89c6309c/gemv_float_89c6309c_host.c \
       aecc2ce3/gemv_float_aecc2ce3_host.c 2e1f49e6/gemv_float_2e1f49e6_host.c \
       -lOpenCL -pthread && ./a.out */
#include "gemv_float.h"

#include <stdio.h>

enum { SIZE = 40 };

int main(void) {
  static float a[SIZE * SIZE];
  for (size_t i = 0; i < SIZE * SIZE; ++i)
    a[i] = (float)(i % 7);
  static float x[SIZE];
  for (size_t i = 0; i < SIZE; ++i)
    x[i] = (float)(i % 7);
  static float y[SIZE];
  for (size_t i = 0; i < SIZE; ++i)
    y[i] = (float)(i % 7);
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
    fprintf(stderr, "no OpenCL device\n");
    return 1;
  }
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_mem a_memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
      sizeof a, a, NULL);
  cl_mem x_memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
      sizeof x, x, NULL);
  cl_mem y_memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
      sizeof y, y, NULL);
  int status = gemv_float(queue, a_memory, SIZE, SIZE, x_memory, SIZE, y_memory, SIZE);
  if (status != 0) {
    fprintf(stderr, "gemv_float: %s\n", gemv_float_message(status));
    return 1;
  }
  clEnqueueReadBuffer(queue, y_memory, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL);
  printf("y[0] = %g\n", (double)y[0]);
  clReleaseMemObject(a_memory);
  clReleaseMemObject(x_memory);
  clReleaseMemObject(y_memory);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
