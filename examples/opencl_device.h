#ifndef EXAMPLES_OPENCL_DEVICE_H
#define EXAMPLES_OPENCL_DEVICE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

/// A device, and the in-order queue that everything goes through.
struct opencl_device {
  cl_context context;
  cl_command_queue queue;
};

/// The first GPU of all platforms, else their first device; prints which. Ends the program when
/// there is none.
struct opencl_device open_device(void);
void close_device(struct opencl_device device);

/// Ends the program with a message unless `status` is 0. `what` is what was tried.
void need_success(int status, const char *what);

/// Memory of the device for `bytes` (one at least), with a copy of `data` unless it is NULL.
cl_mem device_memory(struct opencl_device device, size_t bytes, const void *data);

/// Waits for everything enqueued, then copies `bytes` from the device to `data`.
void read_back(struct opencl_device device, cl_mem memory, size_t bytes, void *data);

#endif
