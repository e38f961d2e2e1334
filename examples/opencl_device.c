#include "opencl_device.h"

#include <stdio.h>
#include <stdlib.h>

void need_success(int status, const char *what) {
  if (status == CL_SUCCESS)
    return;
  fprintf(stderr, "%s failed: %d%s\n", what, status,
          status == 1 ? " (the plan cannot serve this size)" : "");
  exit(1);
}

/// The first device of this type; NULL when no platform has one.
static cl_device_id first_device(cl_device_type type) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
    return NULL;
  for (cl_uint i = 0; i < count && i < 16; ++i) {
    cl_device_id device;
    if (clGetDeviceIDs(platforms[i], type, 1, &device, NULL) == CL_SUCCESS)
      return device;
  }
  return NULL;
}

struct opencl_device open_device(void) {
  cl_device_id id = first_device(CL_DEVICE_TYPE_GPU);
  if (!id)
    id = first_device(CL_DEVICE_TYPE_ALL);
  if (!id) {
    fprintf(stderr, "no OpenCL device (Debian package pocl-opencl-icd makes one of the CPU)\n");
    exit(1);
  }
  char name[256] = "";
  clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name, name, NULL);
  printf("device: %s\n", name);

  struct opencl_device device;
  cl_int status;
  device.context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
  need_success(status, "clCreateContext");
  device.queue = clCreateCommandQueue(device.context, id, 0, &status);
  need_success(status, "clCreateCommandQueue");
  return device;
}

void close_device(struct opencl_device device) {
  clReleaseCommandQueue(device.queue);
  clReleaseContext(device.context);
}

cl_mem device_memory(struct opencl_device device, size_t bytes, const void *data) {
  const int copied = data && bytes > 0;
  cl_int status;
  cl_mem memory =
      clCreateBuffer(device.context, CL_MEM_READ_WRITE | (copied ? CL_MEM_COPY_HOST_PTR : 0),
                     bytes > 0 ? bytes : 1, copied ? (void *)data : NULL, &status);
  need_success(status, "clCreateBuffer");
  return memory;
}

void read_back(struct opencl_device device, cl_mem memory, size_t bytes, void *data) {
  if (bytes > 0)
    need_success(clEnqueueReadBuffer(device.queue, memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
                 "clEnqueueReadBuffer");
}
