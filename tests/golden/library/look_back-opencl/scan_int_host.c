// Host code for the OpenCL kernels of scan_int, composed for h200:
//   S_G, regroup(chained, G), distribute(B), S_B, regroup(by_parts, B), distribute(T),
//   compute(sum#1, SE_T), compute(offsets_lanes, VE_B), S_B, regroup(by_parts, B),
//   distribute(T), compute(scan_after#1, SE_T)
#include "scan_int.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// free parameter of chained
#ifndef CHAINED_T
#define CHAINED_T 4096
#endif
// free parameter of by_parts
#ifndef BY_PARTS_E
#define BY_PARTS_E 4
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 128
#endif

#define TANGRAM_TEXT_(x) #x
#define TANGRAM_TEXT(x) TANGRAM_TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const tangram_source =
    "// OpenCL kernels of scan_int, composed for h200:\n"
    "//   S_G, regroup(chained, G), distribute(B), S_B, regroup(by_parts, B), distribute(T),\n"
    "//   compute(sum#1, SE_T), compute(offsets_lanes, VE_B), S_B, regroup(by_parts, B),\n"
    "//   distribute(T), compute(scan_after#1, SE_T)\n"
    "\n"
    "// free parameter of chained\n"
    "#ifndef CHAINED_T\n"
    "#define CHAINED_T 4096\n"
    "#endif\n"
    "// free parameter of by_parts\n"
    "#ifndef BY_PARTS_E\n"
    "#define BY_PARTS_E 4\n"
    "#endif\n"
    "// threads in a block\n"
    "#ifndef NUM_THREADS\n"
    "#define NUM_THREADS 128\n"
    "#endif\n"
    "\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
    "\n"
    "// What is there by now.\n"
    "static inline ulong atomic_look_u64(volatile __global ulong *place, ulong nothing) {\n"
    "#if defined(__NV_CL_C_VERSION)\n"
    "  return *place;\n"
    "#else\n"
    "  return atom_add(place, nothing);\n"
    "#endif\n"
    "}\n"
    "\n"
    "static inline int4 load_int4(const __global int *from) {\n"
    "#if defined(__NV_CL_C_VERSION)\n"
    "  return *(const __global int4 *)from;\n"
    "#else\n"
    "  return vload4(0, from);\n"
    "#endif\n"
    "}\n"
    "\n"
    "static inline void store_int4(int4 value, __global int *to) {\n"
    "#if defined(__NV_CL_C_VERSION)\n"
    "  *(__global int4 *)to = value;\n"
    "#else\n"
    "  vstore4(value, 0, to);\n"
    "#endif\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void scan_int_1(__global ulong *restrict states,\n"
    "                         __global uint *restrict ticket,\n"
    "                         ulong in_size) {\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // S_G, regroup(chained, G)\n"
    "  for (ulong first = get_group_id(0); first < ((in_size + CHAINED_T - 1) / CHAINED_T + NUM_THREADS)\n"
    "      / NUM_THREADS; first += get_num_groups(0)) {\n"
    "    // A state: in its upper half 1 where the sum of the part alone is there, 2 where that of all parts up to it is\n"
    "    const ulong part = first * NUM_THREADS + thread;\n"
    "    if (part < (in_size + CHAINED_T - 1) / CHAINED_T + 1) {\n"
    "      states[part] = part == 0 ? (2UL << 32) : 0UL;\n"
    "      if (part == 0) {\n"
    "        ticket[0] = 0U;\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void scan_int_2(__global const int *restrict in,\n"
    "                         __global int *out,\n"
    "                         __global ulong *states,\n"
    "                         __global uint *ticket,\n"
    "                         ulong in_size) {\n"
    "  __local uint taken[1];\n"
    "  __local int sum_of_thread[(CHAINED_T + BY_PARTS_E - 1) / BY_PARTS_E];\n"
    "  __local int tmp[NUM_THREADS];\n"
    "  __local uint marks[64];\n"
    "  __local uint values[64];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // distribute(B), each waiting for the one before it\n"
    "  for (ulong block = get_group_id(0); block < (in_size + CHAINED_T - 1) / CHAINED_T; block +=\n"
    "      get_num_groups(0)) {\n"
    "    if (thread == 0) {\n"
    "      taken[0] = atomic_add(&ticket[0], 1U);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    const ulong part = (ulong)taken[0];\n"
    "    const ulong in_start = part * CHAINED_T;\n"
    "    const ulong in_len = min((ulong)CHAINED_T, in_size - min(in_start, in_size));\n"
    "\n"
    "    // S_B, regroup(by_parts, B)\n"
    "    // distribute(T)\n"
    "    int in_held[((CHAINED_T + BY_PARTS_E - 1) / BY_PARTS_E + NUM_THREADS - 1) / NUM_THREADS\n"
    "        * BY_PARTS_E];\n"
    "    if (in_len == CHAINED_T && CHAINED_T % (BY_PARTS_E * NUM_THREADS) == 0) {\n"
    "      #pragma unroll 64\n"
    "      for (ulong turn = 0; turn < ((CHAINED_T + BY_PARTS_E - 1) / BY_PARTS_E + NUM_THREADS - 1)\n"
    "          / NUM_THREADS; ++turn) {\n"
    "        const ulong part_2 = turn * NUM_THREADS + thread;\n"
    "        const ulong in_start_2 = part_2 * BY_PARTS_E;\n"
    "\n"
    "        // compute(sum#1, SE_T)\n"
    "        #pragma unroll 64\n"
    "        for (ulong i = 0; i < BY_PARTS_E; i += 4) {\n"
    "          vstore4(load_int4(&in[in_start + in_start_2 + i]), 0, &in_held[turn * BY_PARTS_E + i]);\n"
    "        }\n"
    "        int accum = 0;\n"
    "        #pragma unroll 64\n"
    "        for (ulong i = 0; i < BY_PARTS_E; ++i) {\n"
    "          accum += (uint)in_held[turn * BY_PARTS_E + i];\n"
    "        }\n"
    "        sum_of_thread[part_2] = accum;\n"
    "      }\n"
    "    } else {\n"
    "      for (ulong part_2 = thread; part_2 < (in_len + BY_PARTS_E - 1) / BY_PARTS_E; part_2 +=\n"
    "          NUM_THREADS) {\n"
    "        const ulong in_start_2 = part_2 * BY_PARTS_E;\n"
    "        const ulong in_len_2 = min((ulong)BY_PARTS_E, in_len - in_start_2);\n"
    "\n"
    "        // compute(sum#1, SE_T)\n"
    "        int accum = 0;\n"
    "        #pragma unroll 16\n"
    "        for (ulong i = 0; i < in_len_2; ++i) {\n"
    "          accum += (uint)in[in_start + in_start_2 + i];\n"
    "        }\n"
    "        sum_of_thread[part_2] = accum;\n"
    "      }\n"
    "    }\n"
    "\n"
    "    // compute(offsets_lanes, VE_B)\n"
    "    const ulong each = ((in_len + BY_PARTS_E - 1) / BY_PARTS_E + NUM_THREADS - 1) / NUM_THREADS;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    int own = 0;\n"
    "    for (ulong k = 0; k < each && each * thread + k < (in_len + BY_PARTS_E - 1) / BY_PARTS_E; ++k) {\n"
    "      own += (uint)sum_of_thread[each * thread + k];\n"
    "    }\n"
    "    tmp[thread] = own;\n"
    "    for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "      int tmp_read;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      tmp_read = thread >= s ? tmp[thread - s] : 0;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      if (thread >= s) {\n"
    "        tmp[thread] += (uint)tmp_read;\n"
    "      }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    int accum = thread > 0 ? tmp[thread - 1] : 0;\n"
    "    for (ulong k = 0; k < each && each * thread + k < (in_len + BY_PARTS_E - 1) / BY_PARTS_E; ++k) {\n"
    "      const int here = sum_of_thread[each * thread + k];\n"
    "      sum_of_thread[each * thread + k] = accum;\n"
    "      accum += (uint)here;\n"
    "    }\n"
    "    const int total = tmp[NUM_THREADS - 1];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    if (thread == 0) {\n"
    "      atom_add(&states[part + 1], (1UL << 32) + (ulong)(uint)total);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    ulong behind = part;\n"
    "    uint mark = 1U;\n"
    "    int carry = 0;\n"
    "    while (mark == 1U) {\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      if (thread < 64) {\n"
    "        ulong seen = (2UL << 32);\n"
    "        if (thread <= behind) {\n"
    "          seen = 0UL;\n"
    "          while ((seen >> 32UL) == 0UL) {\n"
    "            seen = atomic_look_u64(&states[behind - thread], 0UL);\n"
    "          }\n"
    "        }\n"
    "        marks[thread] = (uint)(seen >> 32UL);\n"
    "        values[thread] = (uint)seen;\n"
    "      }\n"
    "      for (ulong stride = 1; stride < min((ulong)NUM_THREADS, (ulong)64); stride *= 2) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "        if (thread % (2 * stride) == 0 && thread + stride < min((ulong)NUM_THREADS, (ulong)64)\n"
    "            && marks[thread] == 1U) {\n"
    "          values[thread] = values[thread + stride] + values[thread];\n"
    "          marks[thread] = marks[thread + stride];\n"
    "        }\n"
    "      }\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      carry = (int)(behind == part ? values[0] : values[0] + (uint)carry);\n"
    "      mark = marks[0];\n"
    "      behind -= min(behind, min((ulong)NUM_THREADS, (ulong)64));\n"
    "    }\n"
    "    const int next = (int)((uint)carry + total);\n"
    "    if (thread == 0) {\n"
    "      atom_add(&states[part + 1], (2UL << 32) + (ulong)(uint)next\n"
    "          - ((1UL << 32) + (ulong)(uint)total));\n"
    "    }\n"
    "\n"
    "    // S_B, regroup(by_parts, B)\n"
    "    // distribute(T)\n"
    "    if (in_len == CHAINED_T && CHAINED_T % (BY_PARTS_E * NUM_THREADS) == 0) {\n"
    "      #pragma unroll 64\n"
    "      for (ulong turn = 0; turn < ((CHAINED_T + BY_PARTS_E - 1) / BY_PARTS_E + NUM_THREADS - 1)\n"
    "          / NUM_THREADS; ++turn) {\n"
    "        const ulong part_2 = turn * NUM_THREADS + thread;\n"
    "        const int before = sum_of_thread[part_2];\n"
    "        const ulong in_start_2 = part_2 * BY_PARTS_E;\n"
    "\n"
    "        // compute(scan_after#1, SE_T)\n"
    "        int out_kept[BY_PARTS_E];\n"
    "        int accum_2 = (int)((uint)carry + before);\n"
    "        #pragma unroll 64\n"
    "        for (ulong i = 0; i < BY_PARTS_E; ++i) {\n"
    "          accum_2 += (uint)in_held[turn * BY_PARTS_E + i];\n"
    "          out_kept[i] = accum_2;\n"
    "        }\n"
    "        #pragma unroll 64\n"
    "        for (ulong i = 0; i < BY_PARTS_E; i += 4) {\n"
    "          store_int4(vload4(0, &out_kept[i]), &out[in_start + in_start_2 + i]);\n"
    "        }\n"
    "      }\n"
    "    } else {\n"
    "      for (ulong part_2 = thread; part_2 < (in_len + BY_PARTS_E - 1) / BY_PARTS_E; part_2 +=\n"
    "          NUM_THREADS) {\n"
    "        const int before = sum_of_thread[part_2];\n"
    "        const ulong in_start_2 = part_2 * BY_PARTS_E;\n"
    "        const ulong in_len_2 = min((ulong)BY_PARTS_E, in_len - in_start_2);\n"
    "\n"
    "        // compute(scan_after#1, SE_T)\n"
    "        int accum_2 = (int)((uint)carry + before);\n"
    "        #pragma unroll 16\n"
    "        for (ulong i = 0; i < in_len_2; ++i) {\n"
    "          accum_2 += (uint)in[in_start + in_start_2 + i];\n"
    "          out[in_start + in_start_2 + i] = accum_2;\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";
#include "scan_int_pocl.h"

#define TANGRAM_OPTIONS "-cl-std=CL1.2" " -DCHAINED_T=" TANGRAM_TEXT(CHAINED_T) \
    " -DBY_PARTS_E=" TANGRAM_TEXT(BY_PARTS_E) " -DNUM_THREADS=" TANGRAM_TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct tangram_kernels {
  cl_program program;
  cl_kernel scan_int_1;
  cl_kernel scan_int_2;
};

struct scan_int_handle {
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
  if (kernels->scan_int_1)
    clReleaseKernel(kernels->scan_int_1);
  if (kernels->scan_int_2)
    clReleaseKernel(kernels->scan_int_2);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct tangram_kernels){0};
}

static int tangram_build_kernels(const scan_int_handle *handle, const char *options,
    struct tangram_kernels *kernels) {
  cl_int status = CL_SUCCESS;
  const char *source = tangram_is_pocl(handle->device) ? tangram_pocl_source : tangram_source;
  kernels->program = clCreateProgramWithSource(handle->context, 1, &source, NULL, &status);
  if (status == CL_SUCCESS)
    status = clBuildProgram(kernels->program, 1, &handle->device, options, NULL, NULL);
  if (status == CL_SUCCESS)
    kernels->scan_int_1 = clCreateKernel(kernels->program, "scan_int_1", &status);
  if (status == CL_SUCCESS)
    kernels->scan_int_2 = clCreateKernel(kernels->program, "scan_int_2", &status);
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
  if (status == CL_SUCCESS && (1) * sizeof(cl_uint) + ((CHAINED_T + BY_PARTS_E - 1) / BY_PARTS_E)
      * sizeof(cl_int) + (NUM_THREADS) * sizeof(cl_int) + (64) * sizeof(cl_uint) + (64)
      * sizeof(cl_uint) > most_bytes)
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
static int tangram_make_handle(cl_context context, cl_device_id device, scan_int_handle **handle) {
  *handle = NULL;
  scan_int_handle *made = calloc(1, sizeof *made);
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
    status = tangram_check_kernel(made->kernels.scan_int_1, device, NUM_THREADS);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels.scan_int_2, device, NUM_THREADS);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    scan_int_destroy(made);
  return status;
}

int scan_int_create(cl_context context, cl_device_id device, scan_int_handle **handle) {
  const int status = tangram_make_handle(context, device, handle);
  if (status == 1) {
    scan_int_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void scan_int_destroy(scan_int_handle *handle) {
  if (!handle)
    return;
  tangram_release_kernels(&handle->kernels);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
}

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t in_size, size_t out_size) {
  // scan<int> requires out.size() == in.size() (scan.cpp:201:3)
  if (!(out_size == in_size))
    return 1;
  // a chain counts its elements in 32 bits
  if (!((in_size + CHAINED_T - 1) / CHAINED_T < 4294967296))
    return 1;
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
    status = scan_int_small_buffer;
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
        return scan_int_overlap;
    }
  }
  return CL_SUCCESS;
}

static int tangram_check_call(cl_mem in, size_t in_size, cl_mem out, size_t out_size) {
  const struct tangram_container containers[] = {
      {in, (double)in_size, sizeof(cl_int), false},
      {out, (double)out_size, sizeof(cl_int), true}};
  return tangram_check_containers(containers, 2);
}

enum { TANGRAM_TEMPORARIES = 2 };

static void tangram_bytes_of_temporaries(size_t in_size, size_t *bytes) {
  bytes[0] = max((in_size + CHAINED_T - 1) / CHAINED_T + 1, 1) * sizeof(cl_ulong); // states
  bytes[1] = sizeof(cl_uint); // ticket
}

/// Where the next temporary of a workspace may begin; a device has its alignment in bits.
static size_t tangram_next_start(const scan_int_handle *handle, size_t end) {
  const size_t alignment = max(handle->alignment / 8, 1);
  return (end + alignment - 1) / alignment * alignment;
}

/// Enqueues the kernels.
static int tangram_launch_kernels(scan_int_handle *handle, cl_command_queue queue, cl_mem in,
    size_t in_size, cl_mem out, const cl_mem *temporaries, cl_uint waits,
    const cl_event *wait_list, cl_event *event) {
  const cl_mem states = temporaries[0];
  const cl_mem ticket = temporaries[1];
  pthread_mutex_lock(&handle->lock);
  const struct tangram_kernels *const kernels = &handle->kernels;
  int status = CL_SUCCESS;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->scan_int_1;
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = NUM_THREADS;
    const size_t items =
        (min(max(((in_size + CHAINED_T - 1) / CHAINED_T + NUM_THREADS) / NUM_THREADS, 1),
        2147483647)) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof states, &states);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof ticket, &ticket);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status =
          clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, waits, wait_list,
          NULL);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->scan_int_2;
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (min(max((in_size + CHAINED_T - 1) / CHAINED_T, 1), 2147483647))
        * group_size;
    status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof out, &out);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof states, &states);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof ticket, &ticket);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, event);
  }
  pthread_mutex_unlock(&handle->lock);
  return status;
}

int scan_int_workspace(const scan_int_handle *handle, size_t in_size, size_t out_size,
    size_t *bytes) {
  const int status = tangram_settle(in_size, out_size);
  if (status != CL_SUCCESS)
    return status;
  size_t each[TANGRAM_TEMPORARIES];
  tangram_bytes_of_temporaries(in_size, each);
  *bytes = 0;
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i)
    *bytes = tangram_next_start(handle, *bytes) + each[i];
  return CL_SUCCESS;
}

int scan_int_enqueue(scan_int_handle *handle, cl_command_queue queue, cl_mem in, size_t in_size,
    cl_mem out, size_t out_size, cl_mem workspace, cl_uint waits, const cl_event *wait_list,
    cl_event *event) {
  int status = tangram_settle(in_size, out_size);
  if (status == CL_SUCCESS)
    status = tangram_check_call(in, in_size, out, out_size);
  if (status != CL_SUCCESS)
    return status;
  size_t bytes[TANGRAM_TEMPORARIES];
  tangram_bytes_of_temporaries(in_size, bytes);
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
        tangram_launch_kernels(handle, queue, in, in_size, out, temporaries, waits, wait_list,
        event);
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i) {
    if (temporaries[i])
      clReleaseMemObject(temporaries[i]);
  }
  return status;
}

// Handles of the functions that take none, the latest first.
enum { TANGRAM_CACHED = 4 };
static pthread_mutex_t tangram_cache_lock = PTHREAD_MUTEX_INITIALIZER;
static scan_int_handle *tangram_handle_cache[TANGRAM_CACHED];

static void tangram_give_back(scan_int_handle *handle) {
  pthread_mutex_lock(&tangram_cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (unused)
    scan_int_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int tangram_take_handle(cl_command_queue queue, scan_int_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  scan_int_handle *oldest = NULL;
  pthread_mutex_lock(&tangram_cache_lock);
  unsigned i = 0;
  while (i < TANGRAM_CACHED
      && !(tangram_handle_cache[i] && tangram_handle_cache[i]->context == context
      && tangram_handle_cache[i]->device == device))
    ++i;
  scan_int_handle *found = i < TANGRAM_CACHED ? tangram_handle_cache[i] : NULL;
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

int scan_int(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem out, size_t out_size) {
  scan_int_handle *handle;
  int status = tangram_take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status = tangram_settle(in_size, out_size);
  if (status == CL_SUCCESS)
    status = tangram_check_call(in, in_size, out, out_size);
  cl_mem temporaries[TANGRAM_TEMPORARIES] = {NULL};
  size_t bytes[TANGRAM_TEMPORARIES];
  if (status == CL_SUCCESS)
    tangram_bytes_of_temporaries(in_size, bytes);
  for (unsigned i = 0; status == CL_SUCCESS && i < TANGRAM_TEMPORARIES; ++i)
    temporaries[i] =
        clCreateBuffer(handle->context, CL_MEM_READ_WRITE, bytes[i], NULL, &status);
  if (status == CL_SUCCESS)
    status = tangram_launch_kernels(handle, queue, in, in_size, out, temporaries, 0, NULL, NULL);
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i) {
    if (temporaries[i])
      clReleaseMemObject(temporaries[i]);
  }
  tangram_give_back(handle);
  return status;
}

const char *scan_int_message(int status) {
  switch (status) {
  case scan_int_ok:
    return "success";
  case scan_int_refused:
    return "no call with these sizes or numbers of workers can be served, or the device cannot run it";
  case scan_int_overlap:
    return "a container that is written shares memory with another one";
  case scan_int_small_buffer:
    return "a buffer is smaller than the container that it holds";
  case scan_int_bad_data:
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
