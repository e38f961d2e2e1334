// cc example.c sum_host.c -lOpenCL -pthread && ./a.out
#include "sum.h"

#include <stdio.h>

enum { SIZE = 1000 };

int main(void) {
  static int in[SIZE];
  for (size_t i = 0; i < SIZE; ++i)
    in[i] = (int)(i % 7);
  cl_platform_id platform;
  cl_device_id device;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
    fprintf(stderr, "no OpenCL device\n");
    return 1;
  }
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_mem in_memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
      sizeof in, in, NULL);
  int result = 0;
  cl_mem result_memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof result, NULL, NULL);
  int status = sum(queue, in_memory, SIZE, result_memory);
  if (status != 0) {
    fprintf(stderr, "sum: %s\n", sum_message(status));
    return 1;
  }
  clEnqueueReadBuffer(queue, result_memory, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL);
  printf("sum = %ld\n", (long)result);
  clReleaseMemObject(in_memory);
  clReleaseMemObject(result_memory);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
