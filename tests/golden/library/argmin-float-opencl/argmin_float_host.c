// Host code for the OpenCL kernels of argmin_float, composed for simple-gpu:
//   S_G, regroup(argmin_tiled, G), distribute(B), S_B, regroup(argmin_tiled, B), distribute(T),
//   compute(argmin#1, SE_T), compute(smallest_lanes, VE_B), S_G, devolve(B),
//   compute(smallest_lanes, VE_B)
#include "argmin_float.h"

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
    "// OpenCL kernels of argmin_float, composed for simple-gpu:\n"
    "//   S_G, regroup(argmin_tiled, G), distribute(B), S_B, regroup(argmin_tiled, B), distribute(T),\n"
    "//   compute(argmin#1, SE_T), compute(smallest_lanes, VE_B), S_G, devolve(B),\n"
    "//   compute(smallest_lanes, VE_B)\n"
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
    "static inline uint atomic_load_u32(volatile __global uint *place) {\n"
    "#if defined(__NV_CL_C_VERSION)\n"
    "  return *(const __global uint *)place;\n"
    "#else\n"
    "  volatile __global uint *words = (volatile __global uint *)place;\n"
    "  uint bits;\n"
    "  bits = atomic_or(words, 0u);\n"
    "  return as_uint(bits);\n"
    "#endif\n"
    "}\n"
    "\n"
    "static inline void atomic_store_u32(volatile __global uint *place, uint value) {\n"
    "  volatile __global uint *words = (volatile __global uint *)place;\n"
    "  uint bits = as_uint(value);\n"
    "  atomic_xchg(words, bits);\n"
    "}\n"
    "\n"
    "bool comes_before(float a, float b) {\n"
    "  return a < b || (a != a && b == b);\n"
    "}\n"
    "\n"
    "bool stands_before(float a, uint i, float b, uint k) {\n"
    "  const bool equal = !comes_before(a, b) && !comes_before(b, a);\n"
    "  return i != 4294967295U && (k == 4294967295U || comes_before(a, b) || (equal && i < k));\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void argmin_float_kernel(__global const float *restrict in,\n"
    "                                  __global uint *result,\n"
    "                                  __global uint *argmin_of_block,\n"
    "                                  __global uint *best,\n"
    "                                  __global uint *finished,\n"
    "                                  ulong in_size,\n"
    "                                  uint from) {\n"
    "  __local uint argmin_of_thread[NUM_THREADS];\n"
    "  __local uint place[NUM_THREADS];\n"
    "  __local float value[NUM_THREADS];\n"
    "  __local uint earlier[1];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(argmin_tiled, G)\n"
    "  // distribute(B)\n"
    "  const ulong p = get_num_groups(0);\n"
    "  const ulong tile = (in_size + p - 1) / p;\n"
    "  const ulong block = get_group_id(0);\n"
    "  const ulong in_start = block * tile;\n"
    "  const ulong in_len = min(tile, in_size - min(in_start, in_size));\n"
    "  const ulong tile_2 = (in_len + NUM_THREADS - 1) / NUM_THREADS;\n"
    "\n"
    "  // S_B, regroup(argmin_tiled, B)\n"
    "  // distribute(T)\n"
    "  const ulong in_start_2 = thread * tile_2;\n"
    "  const ulong in_len_2 = min(tile_2, in_len - min(in_start_2, in_len));\n"
    "\n"
    "  // compute(argmin#1, SE_T)\n"
    "  ulong best_2 = 0;\n"
    "  #pragma unroll 8\n"
    "  for (ulong i = 1; i < in_len_2; ++i) {\n"
    "    if (comes_before(in[in_start + in_start_2 + i], in[in_start + in_start_2 + best_2])) {\n"
    "      best_2 = i;\n"
    "    }\n"
    "  }\n"
    "  argmin_of_thread[thread] = in_len_2 == 0 ? 4294967295U : (uint)(thread * tile_2) + (uint)best_2;\n"
    "\n"
    "  // compute(smallest_lanes, VE_B)\n"
    "  uint best_3;\n"
    "  float least;\n"
    "  best_3 = 4294967295U;\n"
    "  least = 0.0f;\n"
    "  for (ulong i = thread; i < NUM_THREADS; i += NUM_THREADS) {\n"
    "    const uint position = argmin_of_thread[i];\n"
    "    if ((ulong)position < in_len) {\n"
    "      const float element = in[in_start + (ulong)position];\n"
    "      if (stands_before(element, position, least, best_3)) {\n"
    "        best_3 = position;\n"
    "        least = element;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "  place[thread] = best_3;\n"
    "  value[thread] = least;\n"
    "  for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    if (thread >= s) {\n"
    "      const uint position = place[thread - s];\n"
    "      const float element = value[thread - s];\n"
    "      if (stands_before(element, position, least, best_3)) {\n"
    "        best_3 = position;\n"
    "        least = element;\n"
    "      }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    place[thread] = best_3;\n"
    "    value[thread] = least;\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "  const uint best_4 = place[NUM_THREADS - 1];\n"
    "  if (thread == 0) {\n"
    "    atomic_store_u32(&argmin_of_block[block], best_4 == 4294967295U ? best_4 : (uint)(block * tile)\n"
    "        + best_4);\n"
    "    earlier[0] = count_group(&finished[0], 1U);\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "  const uint earlier_2 = earlier[0];\n"
    "  if (earlier_2 == (uint)(p - 1)) {\n"
    "    // the last group goes on\n"
    "    // S_G, devolve(B)\n"
    "    // compute(smallest_lanes, VE_B)\n"
    "    uint best_5;\n"
    "    float least_2;\n"
    "    best_5 = 4294967295U;\n"
    "    least_2 = 0.0f;\n"
    "    for (ulong i = thread; i < p; i += NUM_THREADS) {\n"
    "      const uint position = atomic_load_u32(&argmin_of_block[i]);\n"
    "      if ((ulong)position < in_size) {\n"
    "        const float element = in[(ulong)position];\n"
    "        if (stands_before(element, position, least_2, best_5)) {\n"
    "          best_5 = position;\n"
    "          least_2 = element;\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "    argmin_of_thread[thread] = best_5;\n"
    "    value[thread] = least_2;\n"
    "    for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      if (thread >= s) {\n"
    "        const uint position = argmin_of_thread[thread - s];\n"
    "        const float element = value[thread - s];\n"
    "        if (stands_before(element, position, least_2, best_5)) {\n"
    "          best_5 = position;\n"
    "          least_2 = element;\n"
    "        }\n"
    "      }\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      argmin_of_thread[thread] = best_5;\n"
    "      value[thread] = least_2;\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    if (thread == 0) {\n"
    "      best[0] = argmin_of_thread[NUM_THREADS - 1];\n"
    "    }\n"
    "    if (thread == 0) {\n"
    "      result[0] = best[0] == 4294967295U ? best[0] : from + best[0];\n"
    "    }\n"
    "    if (thread == 0) {\n"
    "      atomic_store_u32(&finished[0], 0U);\n"
    "    }\n"
    "  }\n"
    "}\n";
#include "argmin_float_pocl.h"

#define TANGRAM_OPTIONS "-cl-std=CL1.2" " -DNUM_THREADS=" TANGRAM_TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct tangram_kernels {
  cl_program program;
  cl_kernel argmin_float_kernel;
};

struct argmin_float_handle {
  cl_context context;
  cl_device_id device;
  cl_ulong largest_allocation;
  cl_ulong all_memory;
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
  if (kernels->argmin_float_kernel)
    clReleaseKernel(kernels->argmin_float_kernel);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct tangram_kernels){0};
}

static int tangram_build_kernels(const argmin_float_handle *handle, const char *options,
    struct tangram_kernels *kernels) {
  cl_int status = CL_SUCCESS;
  const char *source = tangram_is_pocl(handle->device) ? tangram_pocl_source : tangram_source;
  kernels->program = clCreateProgramWithSource(handle->context, 1, &source, NULL, &status);
  if (status == CL_SUCCESS)
    status = clBuildProgram(kernels->program, 1, &handle->device, options, NULL, NULL);
  if (status == CL_SUCCESS)
    kernels->argmin_float_kernel = clCreateKernel(kernels->program, "argmin_float_kernel", &status);
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
  cl_ulong most_bytes = 0;
  if (status == CL_SUCCESS)
    status =
        clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most_bytes, &most_bytes, NULL);
  if (status == CL_SUCCESS && (NUM_THREADS) * sizeof(cl_uint) + (NUM_THREADS) * sizeof(cl_uint)
      + (NUM_THREADS) * sizeof(cl_float) + (1) * sizeof(cl_uint) > most_bytes)
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
    argmin_float_handle **handle) {
  *handle = NULL;
  argmin_float_handle *made = calloc(1, sizeof *made);
  if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
    free(made);
    return CL_OUT_OF_HOST_MEMORY;
  }
  made->context = context;
  made->device = device;
  int status = tangram_check_device(device);
  if (status == CL_SUCCESS)
    status = clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
                             sizeof made->largest_allocation, &made->largest_allocation, NULL);
  if (status == CL_SUCCESS)
    status = clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE,
                             sizeof made->all_memory, &made->all_memory, NULL);
  if (status == CL_SUCCESS)
    status = clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN,
                             sizeof made->alignment, &made->alignment, NULL);
  if (status == CL_SUCCESS)
    status = tangram_build_kernels(made, TANGRAM_OPTIONS, &made->kernels);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels.argmin_float_kernel, device, NUM_THREADS);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    argmin_float_destroy(made);
  return status;
}

int argmin_float_create(cl_context context, cl_device_id device, argmin_float_handle **handle) {
  const int status = tangram_make_handle(context, device, handle);
  if (status == 1) {
    argmin_float_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void argmin_float_destroy(argmin_float_handle *handle) {
  if (!handle)
    return;
  tangram_release_kernels(&handle->kernels);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
}

/// Value number i to try for a number of workers: those in `first` (the default leads), powers of
/// two from the nearest below the default down to 1 and then up, the bounds. 0: there is none.
static size_t tangram_attempt(unsigned i, const size_t *first, unsigned count, size_t least,
                              size_t most) {
  size_t value = i == count + 64 ? least : most;
  if (i < count) {
    value = first[i];
    if (i == 0)
      value = value < least ? least : value > most ? most : value;
  } else if (i < count + 64) {
    unsigned top = 0;
    while (top < 63 && first[0] >> (top + 1) != 0)
      ++top;
    value = (size_t)1 << (i - count <= top ? top - (i - count) : i - count);
  }
  return value < least || value > most ? 0 : value;
}

/// Whether the plan serves these sizes with these numbers of workers.
static bool tangram_serves(size_t in_size, size_t largest_allocation, size_t all_memory, size_t p) {
  // temporaries fit into the memory of the device
  const size_t in_bytes = (in_size) * sizeof(cl_float);
  const size_t result_bytes = (1) * sizeof(cl_uint);
  const size_t argmin_of_block_bytes = (p) * sizeof(cl_uint);
  if (argmin_of_block_bytes > largest_allocation)
    return false;
  const size_t best_bytes = (1) * sizeof(cl_uint);
  if (best_bytes > largest_allocation)
    return false;
  const size_t finished_bytes = (1) * sizeof(cl_uint);
  if (finished_bytes > largest_allocation)
    return false;
  if (in_bytes + result_bytes + argmin_of_block_bytes + best_bytes + finished_bytes > all_memory)
    return false;
  return true;
}

/// Gives the numbers of workers that are 0 values that suit the size, the defaults where
/// they do. False: there are none.
static bool tangram_choose(size_t in_size, size_t largest_allocation, size_t all_memory,
    size_t *p_chosen, size_t p_default) {
  const size_t p_first[] = {p_default};
  for (unsigned p_try = 0; p_try < (*p_chosen != 0 ? 1 : 67); ++p_try) {
    const size_t p = *p_chosen != 0 ? *p_chosen : tangram_attempt(p_try, p_first, 1, 1UL, 65535UL);
    if (p != 0 && tangram_serves(in_size, largest_allocation, all_memory, p)) {
      *p_chosen = p;
      return true;
    }
  }
  return false;
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(const argmin_float_handle *handle, size_t in_size, size_t *p_settled) {
  size_t p = *p_settled;
  if (p > 65535)
    p = 65535;
  if (!tangram_choose(in_size, handle->largest_allocation, handle->all_memory, &p, 64))
    return 1;
  *p_settled = p;
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
    status = argmin_float_small_buffer;
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
        return argmin_float_overlap;
    }
  }
  return CL_SUCCESS;
}

static int tangram_check_call(cl_mem in, size_t in_size, cl_mem result) {
  const struct tangram_container containers[] = {
      {in, (double)in_size, sizeof(cl_float), false},
      {result, 1, sizeof(cl_uint), true}};
  return tangram_check_containers(containers, 2);
}

enum { TANGRAM_TEMPORARIES = 3 };

static void tangram_bytes_of_temporaries(size_t p, size_t *bytes) {
  bytes[0] = max(p, 1) * sizeof(cl_uint); // argmin_of_block
  bytes[1] = sizeof(cl_uint); // best
  bytes[2] = sizeof(cl_uint); // finished
}

/// Where the next temporary of a workspace may begin; a device has its alignment in bits.
static size_t tangram_next_start(const argmin_float_handle *handle, size_t end) {
  const size_t alignment = max(handle->alignment / 8, 1);
  return (end + alignment - 1) / alignment * alignment;
}

/// Enqueues the kernels.
static int tangram_launch_kernels(argmin_float_handle *handle, cl_command_queue queue,
    cl_uint from, cl_mem in, size_t in_size, cl_mem result, size_t p, const cl_mem *temporaries,
    cl_uint waits, const cl_event *wait_list, cl_event *event) {
  const cl_mem argmin_of_block = temporaries[0];
  const cl_mem best = temporaries[1];
  const cl_mem finished = temporaries[2];
  pthread_mutex_lock(&handle->lock);
  const struct tangram_kernels *const kernels = &handle->kernels;
  int status = CL_SUCCESS;
  if (status == CL_SUCCESS) {
    const cl_uint zero = 0;
    status =
        clEnqueueFillBuffer(queue, finished, &zero, sizeof zero, 0, sizeof zero, waits, wait_list,
        NULL);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->argmin_float_kernel;
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (p) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof result, &result);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof argmin_of_block, &argmin_of_block);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof best, &best);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof finished, &finished);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 6, sizeof from, &from);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, event);
  }
  pthread_mutex_unlock(&handle->lock);
  return status;
}

int argmin_float_workspace_tuned(const argmin_float_handle *handle, cl_uint from, size_t in_size,
    size_t p, size_t *bytes) {
  (void)from;
  const int status = tangram_settle(handle, in_size, &p);
  if (status != CL_SUCCESS)
    return status;
  size_t each[TANGRAM_TEMPORARIES];
  tangram_bytes_of_temporaries(p, each);
  *bytes = 0;
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i)
    *bytes = tangram_next_start(handle, *bytes) + each[i];
  return CL_SUCCESS;
}

int argmin_float_enqueue_tuned(argmin_float_handle *handle, cl_command_queue queue, cl_uint from,
    cl_mem in, size_t in_size, cl_mem result, size_t p, cl_mem workspace, cl_uint waits,
    const cl_event *wait_list, cl_event *event) {
  int status = tangram_settle(handle, in_size, &p);
  if (status == CL_SUCCESS)
    status = tangram_check_call(in, in_size, result);
  if (status != CL_SUCCESS)
    return status;
  size_t bytes[TANGRAM_TEMPORARIES];
  tangram_bytes_of_temporaries(p, bytes);
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
        tangram_launch_kernels(handle, queue, from, in, in_size, result, p, temporaries, waits,
        wait_list, event);
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i) {
    if (temporaries[i])
      clReleaseMemObject(temporaries[i]);
  }
  return status;
}

// Handles of the functions that take none, the latest first.
enum { TANGRAM_CACHED = 4 };
static pthread_mutex_t tangram_cache_lock = PTHREAD_MUTEX_INITIALIZER;
static argmin_float_handle *tangram_handle_cache[TANGRAM_CACHED];

static void tangram_give_back(argmin_float_handle *handle) {
  pthread_mutex_lock(&tangram_cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (unused)
    argmin_float_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int tangram_take_handle(cl_command_queue queue, argmin_float_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  argmin_float_handle *oldest = NULL;
  pthread_mutex_lock(&tangram_cache_lock);
  unsigned i = 0;
  while (i < TANGRAM_CACHED
      && !(tangram_handle_cache[i] && tangram_handle_cache[i]->context == context
      && tangram_handle_cache[i]->device == device))
    ++i;
  argmin_float_handle *found = i < TANGRAM_CACHED ? tangram_handle_cache[i] : NULL;
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

int argmin_float_tuned(cl_command_queue queue, cl_uint from, cl_mem in, size_t in_size,
    cl_mem result, size_t p) {
  argmin_float_handle *handle;
  int status = tangram_take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status = tangram_settle(handle, in_size, &p);
  if (status == CL_SUCCESS)
    status = tangram_check_call(in, in_size, result);
  cl_mem temporaries[TANGRAM_TEMPORARIES] = {NULL};
  size_t bytes[TANGRAM_TEMPORARIES];
  if (status == CL_SUCCESS)
    tangram_bytes_of_temporaries(p, bytes);
  for (unsigned i = 0; status == CL_SUCCESS && i < TANGRAM_TEMPORARIES; ++i)
    temporaries[i] =
        clCreateBuffer(handle->context, CL_MEM_READ_WRITE, bytes[i], NULL, &status);
  if (status == CL_SUCCESS)
    status =
        tangram_launch_kernels(handle, queue, from, in, in_size, result, p, temporaries, 0, NULL,
        NULL);
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i) {
    if (temporaries[i])
      clReleaseMemObject(temporaries[i]);
  }
  tangram_give_back(handle);
  return status;
}

int argmin_float_workspace(const argmin_float_handle *handle, cl_uint from, size_t in_size,
    size_t *bytes) {
  return argmin_float_workspace_tuned(handle, from, in_size, 0, bytes);
}

int argmin_float_enqueue(argmin_float_handle *handle, cl_command_queue queue, cl_uint from,
    cl_mem in, size_t in_size, cl_mem result, cl_mem workspace, cl_uint waits,
    const cl_event *wait_list, cl_event *event) {
  return argmin_float_enqueue_tuned(handle, queue, from, in, in_size, result, 0, workspace, waits,
      wait_list, event);
}

int argmin_float(cl_command_queue queue, cl_uint from, cl_mem in, size_t in_size, cl_mem result) {
  return argmin_float_tuned(queue, from, in, in_size, result, 0);
}

const char *argmin_float_message(int status) {
  switch (status) {
  case argmin_float_ok:
    return "success";
  case argmin_float_refused:
    return "no call with these sizes or numbers of workers can be served, or the device cannot run it";
  case argmin_float_overlap:
    return "a container that is written shares memory with another one";
  case argmin_float_small_buffer:
    return "a buffer is smaller than the container that it holds";
  case argmin_float_bad_data:
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
