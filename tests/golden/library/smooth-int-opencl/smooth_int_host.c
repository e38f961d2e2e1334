// Host code for the OpenCL kernels of smooth_int, composed for simple-gpu:
//   select(smooth_rounds, G), S_G, regroup(copy_tiled, G), distribute(B), S_B,
//   regroup(copy_strided, B), distribute(T), compute(copy#1, SE_T), S_G,
//   regroup(smooth_rounds, G), distribute(B), S_B, devolve(T), compute(mean_at#1, SE_T), S_G,
//   devolve(B), S_B, regroup(apart_parts, B), distribute(T), compute(most_apart#1, SE_T),
//   compute(tree, VE_B), S_G, regroup(copy_tiled, G), distribute(B), S_B,
//   regroup(copy_strided, B), distribute(T), compute(copy#1, SE_T)
#include "smooth_int.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

#define TANGRAM_TEXT_(x) #x
#define TANGRAM_TEXT(x) TANGRAM_TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const tangram_source =
    "// OpenCL kernels of smooth_int, composed for simple-gpu:\n"
    "//   select(smooth_rounds, G), S_G, regroup(copy_tiled, G), distribute(B), S_B,\n"
    "//   regroup(copy_strided, B), distribute(T), compute(copy#1, SE_T), S_G,\n"
    "//   regroup(smooth_rounds, G), distribute(B), S_B, devolve(T), compute(mean_at#1, SE_T), S_G,\n"
    "//   devolve(B), S_B, regroup(apart_parts, B), distribute(T), compute(most_apart#1, SE_T),\n"
    "//   compute(tree, VE_B), S_G, regroup(copy_tiled, G), distribute(B), S_B,\n"
    "//   regroup(copy_strided, B), distribute(T), compute(copy#1, SE_T)\n"
    "\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 256\n"
    "#endif\n"
    "\n"
    "// Orders memory accesses of this work-item as all groups see them.\n"
    "static inline void fence_groups(void) {\n"
    "#if defined(__NV_CL_C_VERSION)\n"
    "  asm volatile(\"membar.gl;\" ::: \"memory\");\n"
    "#elif __OPENCL_C_VERSION__ >= 200\n"
    "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);\n"
    "#else\n"
    "  mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
    "#endif\n"
    "}\n"
    "\n"
    "// Counts a group: who counts later sees what it has written. How many there were before.\n"
    "static inline uint count_group(volatile __global uint *groups, uint one) {\n"
    "  fence_groups();\n"
    "  const uint earlier = atomic_add(groups, one);\n"
    "  fence_groups();\n"
    "  return earlier;\n"
    "}\n"
    "\n"
    "static inline void atomic_store_u32(volatile __global uint *place, uint value) {\n"
    "  volatile __global uint *words = (volatile __global uint *)place;\n"
    "  uint bits = as_uint(value);\n"
    "  atomic_xchg(words, bits);\n"
    "}\n"
    "\n"
    "int larger_2(int a, int b) {\n"
    "  return a < b ? b : a;\n"
    "}\n"
    "\n"
    "int none(void) {\n"
    "  return 0;\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void smooth_int_1(__global const int *restrict values,\n"
    "                           __global int *now,\n"
    "                           __global uint *rounds,\n"
    "                           __global int *changed,\n"
    "                           __global uint *goes_on,\n"
    "                           __global uint *finished_2,\n"
    "                           ulong values_size,\n"
    "                           int by,\n"
    "                           uint most) {\n"
    "  __local uint earlier[1];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(copy_tiled, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong values_tile = (values_size + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong in_start = block * values_tile;\n"
    "  const ulong in_len = min(values_tile, values_size - min(in_start, values_size));\n"
    "\n"
    "  // S_B, regroup(copy_strided, B)\n"
    "  // distribute(T)\n"
    "  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;\n"
    "\n"
    "  // compute(copy#1, SE_T)\n"
    "  #pragma unroll 16\n"
    "  for (ulong i = 0; i < in_len_2; ++i) {\n"
    "    now[in_start + thread + i * NUM_THREADS] = values[in_start + thread + i * NUM_THREADS];\n"
    "  }\n"
    "  if (thread == 0) {\n"
    "    earlier[0] = count_group(&finished_2[0], 1U);\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "  const uint earlier_2 = earlier[0];\n"
    "  if (earlier_2 == (uint)(p - 1)) {\n"
    "    // the last group goes on\n"
    "    if (thread == 0) {\n"
    "      rounds[0] = 0U;\n"
    "      changed[0] = (int)((uint)by + 1);\n"
    "      goes_on[0] = (uint)(changed[0] > by && rounds[0] < most);\n"
    "    }\n"
    "    if (thread == 0) {\n"
    "      atomic_store_u32(&finished_2[0], 0U);\n"
    "    }\n"
    "  }\n"
    "}\n"
    "\n"
    "__kernel void smooth_int_2(__global const int *restrict now,\n"
    "                           __global int *restrict next,\n"
    "                           ulong values_size) {\n"
    "  // S_G, regroup(smooth_rounds, G)\n"
    "  // distribute(B)\n"
    "  for (ulong block = get_group_id(0); block < values_size; block += get_num_groups(0)) {\n"
    "    // S_B, devolve(T)\n"
    "    // compute(mean_at#1, SE_T)\n"
    "    next[block] =\n"
    "        (int)((uint)now[min(max(block, (ulong)1) - 1, values_size - 1)] + now[block]\n"
    "        + now[min(block + 1, values_size - 1)]) / 3;\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void smooth_int_3(__global const int *restrict now,\n"
    "                           __global const int *restrict next,\n"
    "                           __global uint *restrict rounds,\n"
    "                           __global int *restrict changed,\n"
    "                           __global uint *restrict goes_on,\n"
    "                           ulong values_size,\n"
    "                           int by,\n"
    "                           uint most) {\n"
    "  __local int tmp[NUM_THREADS];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, devolve(B)\n"
    "  // S_B, regroup(apart_parts, B)\n"
    "  const ulong now_tile = (values_size + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "  // distribute(T)\n"
    "  const ulong a_start = thread * now_tile;\n"
    "  const ulong a_len = min(now_tile, values_size - min(a_start, values_size));\n"
    "\n"
    "  // compute(most_apart#1, SE_T)\n"
    "  int most_2 = 0;\n"
    "  #pragma unroll 8\n"
    "  for (ulong i = 0; i < a_len; ++i) {\n"
    "    const int distance = now[a_start + i] < next[a_start + i]\n"
    "        ? (int)((uint)next[a_start + i] - now[a_start + i])\n"
    "        : (int)((uint)now[a_start + i] - next[a_start + i]);\n"
    "    most_2 = larger_2(most_2, distance);\n"
    "  }\n"
    "  const int most_apart_of_thread = most_2;\n"
    "\n"
    "  // compute(tree, VE_B)\n"
    "  tmp[thread] = most_apart_of_thread;\n"
    "  for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "    int tmp_read;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    tmp_read = thread >= s ? larger_2(tmp[thread - s], tmp[thread]) : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    if (thread >= s) {\n"
    "      tmp[thread] = tmp_read;\n"
    "    }\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "  if (thread == 0) {\n"
    "    changed[0] = tmp[NUM_THREADS - 1];\n"
    "  }\n"
    "  if (thread == 0) {\n"
    "    ++rounds[0];\n"
    "    goes_on[0] = (uint)(changed[0] > by && rounds[0] < most);\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void smooth_int_4(__global int *values,\n"
    "                           __global uint *result,\n"
    "                           __global const int *restrict now,\n"
    "                           __global const uint *restrict rounds,\n"
    "                           __global uint *finished,\n"
    "                           ulong values_size) {\n"
    "  __local uint earlier[1];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(copy_tiled, G)\n"
    "  // distribute(B)\n"
    "  const ulong p_2 = get_num_groups(0);\n"
    "  const ulong now_tile = (values_size + p_2 - 1) / p_2;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong in_start = block * now_tile;\n"
    "  const ulong in_len = min(now_tile, values_size - min(in_start, values_size));\n"
    "\n"
    "  // S_B, regroup(copy_strided, B)\n"
    "  // distribute(T)\n"
    "  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;\n"
    "\n"
    "  // compute(copy#1, SE_T)\n"
    "  #pragma unroll 16\n"
    "  for (ulong i = 0; i < in_len_2; ++i) {\n"
    "    values[in_start + thread + i * NUM_THREADS] = now[in_start + thread + i * NUM_THREADS];\n"
    "  }\n"
    "  if (thread == 0) {\n"
    "    earlier[0] = count_group(&finished[0], 1U);\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  const uint earlier_2 = earlier[0];\n"
    "  if (earlier_2 == (uint)(p_2 - 1)) {\n"
    "    // the last group goes on\n"
    "    if (thread == 0) {\n"
    "      result[0] = rounds[0];\n"
    "    }\n"
    "    if (thread == 0) {\n"
    "      atomic_store_u32(&finished[0], 0U);\n"
    "    }\n"
    "  }\n"
    "}\n";
#include "smooth_int_pocl.h"

#define TANGRAM_OPTIONS "-cl-std=CL1.2" " -DNUM_THREADS=" TANGRAM_TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct tangram_kernels {
  cl_program program;
  cl_kernel smooth_int_1;
  cl_kernel smooth_int_2;
  cl_kernel smooth_int_3;
  cl_kernel smooth_int_4;
};

struct smooth_int_handle {
  cl_context context;
  cl_device_id device;
  cl_uint alignment;
  int status;     ///< 1: the device cannot run this plan
  unsigned users; ///< of a handle in the cache
  pthread_mutex_t lock;
  struct tangram_kernels kernels;
};

/// Whether a device is PoCL's, whose compiler makes wrong code of kernels that others run rightly.
static bool tangram_is_pocl(cl_device_id device) {
  cl_platform_id platform = NULL;
  char name[64] = "";
  return clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform,
      NULL) == CL_SUCCESS &&
         clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
         strcmp(name, "Portable Computing Language") == 0;
}

static void tangram_release_kernels(struct tangram_kernels *kernels) {
  if (kernels->smooth_int_1)
    clReleaseKernel(kernels->smooth_int_1);
  if (kernels->smooth_int_2)
    clReleaseKernel(kernels->smooth_int_2);
  if (kernels->smooth_int_3)
    clReleaseKernel(kernels->smooth_int_3);
  if (kernels->smooth_int_4)
    clReleaseKernel(kernels->smooth_int_4);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct tangram_kernels){0};
}

static int tangram_build_kernels(const smooth_int_handle *handle, const char *options,
    struct tangram_kernels *kernels) {
  cl_int status = CL_SUCCESS;
  const char *source = tangram_is_pocl(handle->device) ? tangram_pocl_source : tangram_source;
  kernels->program = clCreateProgramWithSource(handle->context, 1, &source, NULL, &status);
  if (status == CL_SUCCESS)
    status = clBuildProgram(kernels->program, 1, &handle->device, options, NULL, NULL);
  if (status == CL_SUCCESS)
    kernels->smooth_int_1 = clCreateKernel(kernels->program, "smooth_int_1", &status);
  if (status == CL_SUCCESS)
    kernels->smooth_int_2 = clCreateKernel(kernels->program, "smooth_int_2", &status);
  if (status == CL_SUCCESS)
    kernels->smooth_int_3 = clCreateKernel(kernels->program, "smooth_int_3", &status);
  if (status == CL_SUCCESS)
    kernels->smooth_int_4 = clCreateKernel(kernels->program, "smooth_int_4", &status);
  if (status != CL_SUCCESS)
    tangram_release_kernels(kernels);
  return status;
}

/// 1: the device has smaller groups, or less local memory for one, than a kernel needs.
static int tangram_check_device(cl_device_id device) {
  size_t most_items = 0;
  int status =
      clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most_items, &most_items,
                               NULL);
  if (status == CL_SUCCESS && NUM_THREADS > most_items)
    status = 1;
  if (status == CL_SUCCESS && 1 > most_items)
    status = 1;
  cl_ulong most_bytes = 0;
  if (status == CL_SUCCESS)
    status =
        clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most_bytes, &most_bytes, NULL);
  if (status == CL_SUCCESS && (1) * sizeof(cl_uint) > most_bytes)
    status = 1;
  if (status == CL_SUCCESS && (NUM_THREADS) * sizeof(cl_int) > most_bytes)
    status = 1;
  return status;
}

/// 1: the kernel, as it was built, cannot have groups of this size.
static int tangram_check_kernel(cl_kernel kernel, cl_device_id device, size_t group_size) {
  size_t most_items = 0;
  const int status = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
                                              sizeof most_items, &most_items, NULL);
  return status == CL_SUCCESS && group_size > most_items ? 1 : status;
}

/// A handle, also where it returns 1; none where it returns an error of OpenCL.
static int tangram_make_handle(cl_context context, cl_device_id device,
    smooth_int_handle **handle) {
  *handle = NULL;
  smooth_int_handle *made = calloc(1, sizeof *made);
  if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
    free(made);
    return CL_OUT_OF_HOST_MEMORY;
  }
  made->context = context;
  made->device = device;
  int status = tangram_check_device(device);
  if (status == CL_SUCCESS)
    status = clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN,
                             sizeof made->alignment, &made->alignment, NULL);
  if (status == CL_SUCCESS)
    status = tangram_build_kernels(made, TANGRAM_OPTIONS, &made->kernels);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels.smooth_int_1, device, NUM_THREADS);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels.smooth_int_2, device, 1);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels.smooth_int_3, device, NUM_THREADS);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels.smooth_int_4, device, NUM_THREADS);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    smooth_int_destroy(made);
  return status;
}

int smooth_int_create(cl_context context, cl_device_id device, smooth_int_handle **handle) {
  const int status = tangram_make_handle(context, device, handle);
  if (status == 1) {
    smooth_int_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void smooth_int_destroy(smooth_int_handle *handle) {
  if (!handle)
    return;
  tangram_release_kernels(&handle->kernels);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t *p_settled, size_t *p_2_settled) {
  size_t p = *p_settled;
  size_t p_2 = *p_2_settled;
  if (p > 65535)
    p = 65535;
  if (p_2 > 65535)
    p_2 = 65535;
  if (p == 0)
    p = 64;
  if (p_2 == 0)
    p_2 = 64;
  *p_settled = p;
  *p_2_settled = p_2;
  return CL_SUCCESS;
}

/// A container of a call.
struct tangram_container {
  cl_mem buffer;
  double elements;
  size_t size; ///< of each
  bool is_written;
};

/// The memory that it has: of a part of a buffer that of the whole.
struct tangram_place {
  cl_mem memory;
  size_t begin, bytes;
};

static int tangram_find_place(const struct tangram_container *container,
    struct tangram_place *place) {
  *place = (struct tangram_place){container->buffer, 0, 0};
  const double bytes = container->elements * (double)container->size;
  if (bytes == 0)
    return CL_SUCCESS;
  size_t available = 0;
  cl_mem whole = NULL;
  int status =
      clGetMemObjectInfo(container->buffer, CL_MEM_SIZE, sizeof available, &available, NULL);
  if (status == CL_SUCCESS && bytes > (double)available)
    status = smooth_int_small_buffer;
  if (status == CL_SUCCESS)
    status =
        clGetMemObjectInfo(container->buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole,
        NULL);
  if (status == CL_SUCCESS && whole) {
    place->memory = whole;
    status =
        clGetMemObjectInfo(container->buffer, CL_MEM_OFFSET, sizeof place->begin, &place->begin,
        NULL);
  }
  place->bytes = status == CL_SUCCESS ? (size_t)bytes : 0;
  return status;
}

/// Each buffer holds its container, and what is written shares no memory with another container.
static int tangram_check_containers(const struct tangram_container *containers, unsigned count) {
  struct tangram_place places[2];
  for (unsigned i = 0; i < count; ++i) {
    const int status = tangram_find_place(&containers[i], &places[i]);
    if (status != CL_SUCCESS)
      return status;
    for (unsigned k = 0; k < i; ++k) {
      const bool is_same = places[i].memory == places[k].memory && places[i].bytes > 0
          && places[k].bytes > 0 &&
                           places[i].begin < places[k].begin + places[k].bytes &&
                           places[k].begin < places[i].begin + places[i].bytes;
      if (is_same && (containers[i].is_written || containers[k].is_written))
        return smooth_int_overlap;
    }
  }
  return CL_SUCCESS;
}

static int tangram_check_call(cl_mem values, size_t values_size, cl_mem result) {
  const struct tangram_container containers[] = {
      {values, (double)values_size, sizeof(cl_int), true},
      {result, 1, sizeof(cl_uint), true}};
  return tangram_check_containers(containers, 2);
}

enum { TANGRAM_TEMPORARIES = 7 };

static void tangram_bytes_of_temporaries(size_t values_size, size_t *bytes) {
  bytes[0] = max(values_size, 1) * sizeof(cl_int); // now
  bytes[1] = max(values_size, 1) * sizeof(cl_int); // next
  bytes[2] = sizeof(cl_uint); // rounds
  bytes[3] = sizeof(cl_int); // changed
  bytes[4] = sizeof(cl_uint); // goes_on
  bytes[5] = sizeof(cl_uint); // finished
  bytes[6] = sizeof(cl_uint); // finished_2
}

/// Where the next temporary of a workspace may begin; a device has its alignment in bits.
static size_t tangram_next_start(const smooth_int_handle *handle, size_t end) {
  const size_t alignment = max(handle->alignment / 8, 1);
  return (end + alignment - 1) / alignment * alignment;
}

/// Waits for what a kernel has decided, and lets other threads launch meanwhile; false when something
/// has failed.
static bool tangram_says_yes(cl_command_queue queue, cl_mem answer, pthread_mutex_t *lock,
    int *status) {
  cl_uint yes = 0;
  pthread_mutex_unlock(lock);
  if (*status == CL_SUCCESS)
    *status = clEnqueueReadBuffer(queue, answer, CL_TRUE, 0, sizeof yes, &yes, 0, NULL, NULL);
  pthread_mutex_lock(lock);
  return *status == CL_SUCCESS && yes != 0;
}

/// Enqueues the kernels.
static int tangram_launch_kernels(smooth_int_handle *handle, cl_command_queue queue, cl_int by,
    cl_uint most, cl_mem values, size_t values_size, cl_mem result, size_t p, size_t p_2,
    const cl_mem *temporaries, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  cl_mem now = temporaries[0];
  cl_mem next = temporaries[1];
  const cl_mem rounds = temporaries[2];
  const cl_mem changed = temporaries[3];
  const cl_mem goes_on = temporaries[4];
  const cl_mem finished = temporaries[5];
  const cl_mem finished_2 = temporaries[6];
  pthread_mutex_lock(&handle->lock);
  const struct tangram_kernels *const kernels = &handle->kernels;
  int status = CL_SUCCESS;
  if (waits > 0 && status == CL_SUCCESS)
    status = clEnqueueBarrierWithWaitList(queue, waits, wait_list, NULL);
  if (status == CL_SUCCESS) {
    const cl_uint zero = 0;
    status =
        clEnqueueFillBuffer(queue, finished, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL);
  }
  if (status == CL_SUCCESS) {
    const cl_uint zero = 0;
    status =
        clEnqueueFillBuffer(queue, finished_2, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->smooth_int_1;
    const cl_ulong values_size_argument = values_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof values, &values);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof now, &now);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof rounds, &rounds);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof changed, &changed);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof goes_on, &goes_on);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof finished_2, &finished_2);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 6, sizeof values_size_argument, &values_size_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 7, sizeof by, &by);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 8, sizeof most, &most);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
  }
  while (tangram_says_yes(queue, goes_on, &handle->lock, &status)) {
    if (status == CL_SUCCESS) {
      cl_kernel kernel = kernels->smooth_int_2;
      const cl_ulong values_size_argument = values_size;
      const size_t group_size = 1;
      const size_t items = (min(max(values_size, 1), 65535)) * group_size;
      status = clSetKernelArg(kernel, 0, sizeof now, &now);
      if (status == CL_SUCCESS)
        status = clSetKernelArg(kernel, 1, sizeof next, &next);
      if (status == CL_SUCCESS)
        status = clSetKernelArg(kernel, 2, sizeof values_size_argument, &values_size_argument);
      if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    }
    if (status == CL_SUCCESS) {
      cl_kernel kernel = kernels->smooth_int_3;
      const cl_ulong values_size_argument = values_size;
      const size_t group_size = NUM_THREADS;
      const size_t items = (1) * group_size;
      status = clSetKernelArg(kernel, 0, sizeof now, &now);
      if (status == CL_SUCCESS)
        status = clSetKernelArg(kernel, 1, sizeof next, &next);
      if (status == CL_SUCCESS)
        status = clSetKernelArg(kernel, 2, sizeof rounds, &rounds);
      if (status == CL_SUCCESS)
        status = clSetKernelArg(kernel, 3, sizeof changed, &changed);
      if (status == CL_SUCCESS)
        status = clSetKernelArg(kernel, 4, sizeof goes_on, &goes_on);
      if (status == CL_SUCCESS)
        status = clSetKernelArg(kernel, 5, sizeof values_size_argument, &values_size_argument);
      if (status == CL_SUCCESS)
        status = clSetKernelArg(kernel, 6, sizeof by, &by);
      if (status == CL_SUCCESS)
        status = clSetKernelArg(kernel, 7, sizeof most, &most);
      if (status == CL_SUCCESS)
        status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
    }
    {
      const cl_mem held = now;
      now = next;
      next = held;
    }
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->smooth_int_4;
    const cl_ulong values_size_argument = values_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p_2) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof values, &values);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof result, &result);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof now, &now);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof rounds, &rounds);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof finished, &finished);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof values_size_argument, &values_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
  }
  if (event && status == CL_SUCCESS)
    status = clEnqueueMarkerWithWaitList(queue, 0, NULL, event);
  pthread_mutex_unlock(&handle->lock);
  return status;
}

int smooth_int_workspace_tuned(const smooth_int_handle *handle, cl_int by, cl_uint most,
    size_t values_size, size_t p, size_t p_2, size_t *bytes) {
  (void)by;
  (void)most;
  const int status = tangram_settle(&p, &p_2);
  if (status != CL_SUCCESS)
    return status;
  size_t each[TANGRAM_TEMPORARIES];
  tangram_bytes_of_temporaries(values_size, each);
  *bytes = 0;
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i)
    *bytes = tangram_next_start(handle, *bytes) + each[i];
  return CL_SUCCESS;
}

int smooth_int_enqueue_tuned(smooth_int_handle *handle, cl_command_queue queue, cl_int by,
    cl_uint most, cl_mem values, size_t values_size, cl_mem result, size_t p, size_t p_2,
    cl_mem workspace, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  int status = tangram_settle(&p, &p_2);
  if (status == CL_SUCCESS)
    status = tangram_check_call(values, values_size, result);
  if (status != CL_SUCCESS)
    return status;
  size_t bytes[TANGRAM_TEMPORARIES];
  tangram_bytes_of_temporaries(values_size, bytes);
  cl_mem temporaries[TANGRAM_TEMPORARIES] = {NULL};
  cl_buffer_region region = {0, 0};
  for (unsigned i = 0; status == CL_SUCCESS && i < TANGRAM_TEMPORARIES; ++i) {
    region.origin = tangram_next_start(handle, region.origin + region.size);
    region.size = bytes[i];
    temporaries[i] = clCreateSubBuffer(workspace, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
        &region, &status);
  }
  if (status == CL_SUCCESS)
    status =
        tangram_launch_kernels(handle, queue, by, most, values, values_size, result, p, p_2,
        temporaries, waits, wait_list, event);
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i) {
    if (temporaries[i])
      clReleaseMemObject(temporaries[i]);
  }
  return status;
}

// Handles of the functions that take none, the latest first.
enum { TANGRAM_CACHED = 4 };
static pthread_mutex_t tangram_cache_lock = PTHREAD_MUTEX_INITIALIZER;
static smooth_int_handle *tangram_handle_cache[TANGRAM_CACHED];

static void tangram_give_back(smooth_int_handle *handle) {
  pthread_mutex_lock(&tangram_cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (unused)
    smooth_int_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int tangram_take_handle(cl_command_queue queue, smooth_int_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  smooth_int_handle *oldest = NULL;
  pthread_mutex_lock(&tangram_cache_lock);
  unsigned i = 0;
  while (i < TANGRAM_CACHED
      && !(tangram_handle_cache[i] && tangram_handle_cache[i]->context == context
      && tangram_handle_cache[i]->device == device))
    ++i;
  smooth_int_handle *found = i < TANGRAM_CACHED ? tangram_handle_cache[i] : NULL;
  if (found) {
    status = found->status;
  } else {
    status = tangram_make_handle(context, device, &found);
    if (found) {
      oldest = tangram_handle_cache[TANGRAM_CACHED - 1];
      for (i = TANGRAM_CACHED - 1; i > 0; --i)
        tangram_handle_cache[i] = tangram_handle_cache[i - 1];
      tangram_handle_cache[0] = found;
      found->users = 1;
    }
  }
  if (status == CL_SUCCESS)
    ++found->users;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (oldest)
    tangram_give_back(oldest);
  *handle = found;
  return status;
}

int smooth_int_tuned(cl_command_queue queue, cl_int by, cl_uint most, cl_mem values,
    size_t values_size, cl_mem result, size_t p, size_t p_2) {
  smooth_int_handle *handle;
  int status = tangram_take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status = tangram_settle(&p, &p_2);
  if (status == CL_SUCCESS)
    status = tangram_check_call(values, values_size, result);
  cl_mem temporaries[TANGRAM_TEMPORARIES] = {NULL};
  size_t bytes[TANGRAM_TEMPORARIES];
  if (status == CL_SUCCESS)
    tangram_bytes_of_temporaries(values_size, bytes);
  for (unsigned i = 0; status == CL_SUCCESS && i < TANGRAM_TEMPORARIES; ++i)
    temporaries[i] =
        clCreateBuffer(handle->context, CL_MEM_READ_WRITE, bytes[i], NULL, &status);
  if (status == CL_SUCCESS)
    status =
        tangram_launch_kernels(handle, queue, by, most, values, values_size, result, p, p_2,
        temporaries, 0, NULL, NULL);
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i) {
    if (temporaries[i])
      clReleaseMemObject(temporaries[i]);
  }
  tangram_give_back(handle);
  return status;
}

int smooth_int_workspace(const smooth_int_handle *handle, cl_int by, cl_uint most,
    size_t values_size, size_t *bytes) {
  return smooth_int_workspace_tuned(handle, by, most, values_size, 0, 0, bytes);
}

int smooth_int_enqueue(smooth_int_handle *handle, cl_command_queue queue, cl_int by, cl_uint most,
    cl_mem values, size_t values_size, cl_mem result, cl_mem workspace, cl_uint waits,
    const cl_event *wait_list, cl_event *event) {
  return smooth_int_enqueue_tuned(handle, queue, by, most, values, values_size, result, 0, 0,
      workspace, waits, wait_list, event);
}

int smooth_int(cl_command_queue queue, cl_int by, cl_uint most, cl_mem values, size_t values_size,
    cl_mem result) {
  return smooth_int_tuned(queue, by, most, values, values_size, result, 0, 0);
}

const char *smooth_int_message(int status) {
  switch (status) {
  case smooth_int_ok:
    return "success";
  case smooth_int_refused:
    return "no call with these sizes or numbers of workers can be served, or the device cannot run it";
  case smooth_int_overlap:
    return "a container that is written shares memory with another one";
  case smooth_int_small_buffer:
    return "a buffer is smaller than the container that it holds";
  case smooth_int_bad_data:
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
