// Host code for the OpenCL kernels of compact_int, composed for simple-gpu:
//   S_G, regroup(chained_packs, G), distribute(B), S_B, regroup(pack_by_parts, B),
//   distribute(T), compute(kept#1, SE_T), compute(starts_lanes, VE_B), S_B,
//   regroup(pack_by_parts, B), distribute(T), compute(pack#1, SE_T), S_B,
//   regroup(pack_by_parts, B), serialize(B), compute(front_lanes, VE_B)
#include "compact_int.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// free parameter of chained_packs
#ifndef CHAINED_PACKS_T
#define CHAINED_PACKS_T 2048
#endif
// free parameter of pack_by_parts
#ifndef PACK_BY_PARTS_E
#define PACK_BY_PARTS_E 16
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

#define TANGRAM_TEXT_(x) #x
#define TANGRAM_TEXT(x) TANGRAM_TEXT_(x)
#define min(a, b) ((b) < (a) ? (b) : (a))
#define max(a, b) ((a) < (b) ? (b) : (a))

static const char *const tangram_source =
    "// OpenCL kernels of compact_int, composed for simple-gpu:\n"
    "//   S_G, regroup(chained_packs, G), distribute(B), S_B, regroup(pack_by_parts, B),\n"
    "//   distribute(T), compute(kept#1, SE_T), compute(starts_lanes, VE_B), S_B,\n"
    "//   regroup(pack_by_parts, B), distribute(T), compute(pack#1, SE_T), S_B,\n"
    "//   regroup(pack_by_parts, B), serialize(B), compute(front_lanes, VE_B)\n"
    "\n"
    "// free parameter of chained_packs\n"
    "#ifndef CHAINED_PACKS_T\n"
    "#define CHAINED_PACKS_T 2048\n"
    "#endif\n"
    "// free parameter of pack_by_parts\n"
    "#ifndef PACK_BY_PARTS_E\n"
    "#define PACK_BY_PARTS_E 16\n"
    "#endif\n"
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
    "// Waits for another group to set the flag.\n"
    "static inline void await_flag(volatile __global uint *flag) {\n"
    "  while (atomic_or(flag, 0u) == 0u)\n"
    "    ;\n"
    "  fence_groups();\n"
    "}\n"
    "\n"
    "static inline uint atomic_load_u32(volatile __global uint *place) {\n"
    "  volatile __global uint *words = (volatile __global uint *)place;\n"
    "  uint bits;\n"
    "  bits = atomic_or(words, 0u);\n"
    "  return as_uint(bits);\n"
    "}\n"
    "\n"
    "static inline void set_flag(volatile __global uint *flag) {\n"
    "  fence_groups();\n"
    "  atomic_xchg(flag, 1u);\n"
    "}\n"
    "\n"
    "static inline void atomic_store_u32(volatile __global uint *place, uint value) {\n"
    "  volatile __global uint *words = (volatile __global uint *)place;\n"
    "  uint bits = as_uint(value);\n"
    "  atomic_xchg(words, bits);\n"
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
    "bool keep(int x) {\n"
    "  return x > 0;\n"
    "}\n"
    "\n"
    "__kernel void compact_int_1(__global uint *restrict carries,\n"
    "                            __global uint *restrict flags,\n"
    "                            __global uint *restrict ticket,\n"
    "                            ulong in_size) {\n"
    "  // S_G, regroup(chained_packs, G)\n"
    "  for (ulong part = get_group_id(0); part < (in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T + 1;\n"
    "      part += get_num_groups(0)) {\n"
    "    carries[part] = 0U;\n"
    "    flags[part] = (uint)(part == 0);\n"
    "    if (part == 0) {\n"
    "      ticket[0] = 0U;\n"
    "    }\n"
    "  }\n"
    "}\n"
    "\n"
    "__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))\n"
    "__kernel void compact_int_2(__global const int *restrict in,\n"
    "                            __global int *out,\n"
    "                            __global uint *carries,\n"
    "                            __global uint *flags,\n"
    "                            __global uint *ticket,\n"
    "                            ulong in_size) {\n"
    "  __local uint taken[1];\n"
    "  __local uint kept_of_thread[(CHAINED_PACKS_T + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E];\n"
    "  __local uint starts[(CHAINED_PACKS_T + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E + 1];\n"
    "  __local uint tmp[NUM_THREADS];\n"
    "  __local uint received[1];\n"
    "  __local int tile[CHAINED_PACKS_T];\n"
    "  const ulong thread = get_local_id(0);\n"
    "\n"
    "  // distribute(B), each waiting for the one before it\n"
    "  for (ulong block = get_group_id(0); block < (in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T;\n"
    "      block += get_num_groups(0)) {\n"
    "    if (thread == 0) {\n"
    "      taken[0] = atomic_add(&ticket[0], 1U);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    const ulong part = (ulong)taken[0];\n"
    "    const ulong in_start = part * CHAINED_PACKS_T;\n"
    "    const ulong in_len = min((ulong)CHAINED_PACKS_T, in_size - min(in_start, in_size));\n"
    "\n"
    "    // S_B, regroup(pack_by_parts, B)\n"
    "    // distribute(T)\n"
    "    int in_held[((CHAINED_PACKS_T + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E + NUM_THREADS - 1)\n"
    "        / NUM_THREADS * PACK_BY_PARTS_E];\n"
    "    if (in_len == CHAINED_PACKS_T && CHAINED_PACKS_T % (PACK_BY_PARTS_E * NUM_THREADS) == 0) {\n"
    "      #pragma unroll 64\n"
    "      for (ulong turn = 0;\n"
    "          turn < ((CHAINED_PACKS_T + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E + NUM_THREADS - 1)\n"
    "          / NUM_THREADS; ++turn) {\n"
    "        const ulong part_2 = turn * NUM_THREADS + thread;\n"
    "        const ulong in_start_2 = part_2 * PACK_BY_PARTS_E;\n"
    "\n"
    "        // compute(kept#1, SE_T)\n"
    "        #pragma unroll 64\n"
    "        for (ulong i = 0; i < PACK_BY_PARTS_E; i += 4) {\n"
    "          vstore4(load_int4(&in[in_start + in_start_2 + i]), 0,\n"
    "              &in_held[turn * PACK_BY_PARTS_E + i]);\n"
    "        }\n"
    "        uint count = 0U;\n"
    "        #pragma unroll 64\n"
    "        for (ulong i = 0; i < PACK_BY_PARTS_E; ++i) {\n"
    "          count += keep(in_held[turn * PACK_BY_PARTS_E + i]) ? 1 : 0;\n"
    "        }\n"
    "        kept_of_thread[part_2] = count;\n"
    "      }\n"
    "    } else {\n"
    "      for (ulong part_2 = thread; part_2 < (in_len + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E;\n"
    "          part_2 += NUM_THREADS) {\n"
    "        const ulong in_start_2 = part_2 * PACK_BY_PARTS_E;\n"
    "        const ulong in_len_2 = min((ulong)PACK_BY_PARTS_E, in_len - in_start_2);\n"
    "\n"
    "        // compute(kept#1, SE_T)\n"
    "        uint count = 0U;\n"
    "        #pragma unroll 16\n"
    "        for (ulong i = 0; i < in_len_2; ++i) {\n"
    "          count += keep(in[in_start + in_start_2 + i]) ? 1 : 0;\n"
    "        }\n"
    "        kept_of_thread[part_2] = count;\n"
    "      }\n"
    "    }\n"
    "    const ulong parts = (in_len + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E;\n"
    "\n"
    "    // compute(starts_lanes, VE_B)\n"
    "    const ulong each = (parts + NUM_THREADS - 1) / NUM_THREADS;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    uint own = 0U;\n"
    "    for (ulong k = 0; k < each && each * thread + k < parts; ++k) {\n"
    "      own += kept_of_thread[each * thread + k];\n"
    "    }\n"
    "    tmp[thread] = own;\n"
    "    for (ulong s = 1; s < NUM_THREADS; s *= 2) {\n"
    "      uint tmp_read;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      tmp_read = thread >= s ? tmp[thread - s] : 0U;\n"
    "      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "      if (thread >= s) {\n"
    "        tmp[thread] += tmp_read;\n"
    "      }\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    uint accum = thread > 0 ? tmp[thread - 1] : 0U;\n"
    "    for (ulong k = 0; k < each && each * thread + k < parts; ++k) {\n"
    "      starts[each * thread + k] = accum;\n"
    "      accum += kept_of_thread[each * thread + k];\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    if (thread == 0) {\n"
    "      starts[parts] = tmp[NUM_THREADS - 1];\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    const uint total = starts[parts];\n"
    "    if (thread == 0) {\n"
    "      await_flag(&flags[part]);\n"
    "      received[0] = atomic_load_u32(&carries[part]);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    const uint carry = received[0];\n"
    "    const uint next = carry + total;\n"
    "    if (thread == 0) {\n"
    "      atomic_store_u32(&carries[part + 1], next);\n"
    "      set_flag(&flags[part + 1]);\n"
    "    }\n"
    "\n"
    "    // S_B, regroup(pack_by_parts, B)\n"
    "    // distribute(T)\n"
    "    if (in_len == CHAINED_PACKS_T && CHAINED_PACKS_T % (PACK_BY_PARTS_E * NUM_THREADS) == 0) {\n"
    "      #pragma unroll 64\n"
    "      for (ulong turn = 0;\n"
    "          turn < ((CHAINED_PACKS_T + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E + NUM_THREADS - 1)\n"
    "          / NUM_THREADS; ++turn) {\n"
    "        const ulong part_2 = turn * NUM_THREADS + thread;\n"
    "        const ulong out_start = (ulong)starts[part_2];\n"
    "        const ulong out_len = max(min((ulong)starts[1 + part_2], in_len), out_start) - out_start;\n"
    "\n"
    "        // compute(pack#1, SE_T)\n"
    "        ulong at = 0;\n"
    "        #pragma unroll 64\n"
    "        for (ulong i = 0; i < PACK_BY_PARTS_E; ++i) {\n"
    "          if (keep(in_held[turn * PACK_BY_PARTS_E + i]) && at < out_len) {\n"
    "            tile[out_start + at] = in_held[turn * PACK_BY_PARTS_E + i];\n"
    "            ++at;\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "    } else {\n"
    "      for (ulong part_2 = thread; part_2 < (in_len + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E;\n"
    "          part_2 += NUM_THREADS) {\n"
    "        const ulong in_start_2 = part_2 * PACK_BY_PARTS_E;\n"
    "        const ulong in_len_2 = min((ulong)PACK_BY_PARTS_E, in_len - in_start_2);\n"
    "        const ulong out_start = (ulong)starts[part_2];\n"
    "        const ulong out_len = max(min((ulong)starts[1 + part_2], in_len), out_start) - out_start;\n"
    "\n"
    "        // compute(pack#1, SE_T)\n"
    "        ulong at = 0;\n"
    "        #pragma unroll 16\n"
    "        for (ulong i = 0; i < in_len_2; ++i) {\n"
    "          if (keep(in[in_start + in_start_2 + i]) && at < out_len) {\n"
    "            tile[out_start + at] = in[in_start + in_start_2 + i];\n"
    "            ++at;\n"
    "          }\n"
    "        }\n"
    "      }\n"
    "    }\n"
    "\n"
    "    // S_B, regroup(pack_by_parts, B)\n"
    "    // serialize(B)\n"
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "    for (ulong part_2 = 0; part_2 < 1; ++part_2) {\n"
    "      const ulong out_start = (ulong)carry;\n"
    "      const ulong out_len = max(min((ulong)next, in_size), out_start) - out_start;\n"
    "\n"
    "      // compute(front_lanes, VE_B)\n"
    "      const ulong count = min(in_len, out_len);\n"
    "      for (ulong i = thread; i < count; i += NUM_THREADS) {\n"
    "        out[out_start + i] = tile[i];\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n"
    "\n"
    "__kernel void compact_int_3(__global uint *restrict result,\n"
    "                            __global const uint *restrict carries,\n"
    "                            ulong in_size) {\n"
    "  result[0] = carries[(in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T];\n"
    "}\n";
#include "compact_int_pocl.h"

#define TANGRAM_OPTIONS "-cl-std=CL1.2" " -DCHAINED_PACKS_T=" TANGRAM_TEXT(CHAINED_PACKS_T) \
    " -DPACK_BY_PARTS_E=" TANGRAM_TEXT(PACK_BY_PARTS_E) " -DNUM_THREADS=" TANGRAM_TEXT(NUM_THREADS)

/// A program and its kernels, whose arguments one thread sets at a time.
struct tangram_kernels {
  cl_program program;
  cl_kernel compact_int_1;
  cl_kernel compact_int_2;
  cl_kernel compact_int_3;
};

struct compact_int_handle {
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
  if (kernels->compact_int_1)
    clReleaseKernel(kernels->compact_int_1);
  if (kernels->compact_int_2)
    clReleaseKernel(kernels->compact_int_2);
  if (kernels->compact_int_3)
    clReleaseKernel(kernels->compact_int_3);
  if (kernels->program)
    clReleaseProgram(kernels->program);
  *kernels = (struct tangram_kernels){0};
}

static int tangram_build_kernels(const compact_int_handle *handle, const char *options,
    struct tangram_kernels *kernels) {
  cl_int status = CL_SUCCESS;
  const char *source = tangram_is_pocl(handle->device) ? tangram_pocl_source : tangram_source;
  kernels->program = clCreateProgramWithSource(handle->context, 1, &source, NULL, &status);
  if (status == CL_SUCCESS)
    status = clBuildProgram(kernels->program, 1, &handle->device, options, NULL, NULL);
  if (status == CL_SUCCESS)
    kernels->compact_int_1 = clCreateKernel(kernels->program, "compact_int_1", &status);
  if (status == CL_SUCCESS)
    kernels->compact_int_2 = clCreateKernel(kernels->program, "compact_int_2", &status);
  if (status == CL_SUCCESS)
    kernels->compact_int_3 = clCreateKernel(kernels->program, "compact_int_3", &status);
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
  if (status == CL_SUCCESS && 1 > most_items)
    status = 1;
  if (status == CL_SUCCESS && NUM_THREADS > most_items)
    status = 1;
  cl_ulong most_bytes = 0;
  if (status == CL_SUCCESS)
    status =
        clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most_bytes, &most_bytes, NULL);
  if (status == CL_SUCCESS && (1) * sizeof(cl_uint)
      + ((CHAINED_PACKS_T + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E) * sizeof(cl_uint)
      + ((CHAINED_PACKS_T + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E + 1) * sizeof(cl_uint)
      + (NUM_THREADS) * sizeof(cl_uint) + (1) * sizeof(cl_uint) + (CHAINED_PACKS_T)
      * sizeof(cl_int) > most_bytes)
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
    compact_int_handle **handle) {
  *handle = NULL;
  compact_int_handle *made = calloc(1, sizeof *made);
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
    status = tangram_check_kernel(made->kernels.compact_int_1, device, 1);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels.compact_int_2, device, NUM_THREADS);
  if (status == CL_SUCCESS)
    status = tangram_check_kernel(made->kernels.compact_int_3, device, 1);
  made->status = status;
  if (status == CL_SUCCESS || status == 1)
    *handle = made;
  else
    compact_int_destroy(made);
  return status;
}

int compact_int_create(cl_context context, cl_device_id device, compact_int_handle **handle) {
  const int status = tangram_make_handle(context, device, handle);
  if (status == 1) {
    compact_int_destroy(*handle);
    *handle = NULL;
  }
  return status;
}

void compact_int_destroy(compact_int_handle *handle) {
  if (!handle)
    return;
  tangram_release_kernels(&handle->kernels);
  pthread_mutex_destroy(&handle->lock);
  free(handle);
}

/// 1: this plan cannot serve the sizes.
static int tangram_settle(size_t in_size, size_t out_size) {
  // compact<int> requires out.size() == in.size() (compact.cpp:165:3)
  if (!(out_size == in_size))
    return 1;
  // a chain counts its elements in 32 bits
  if (!((in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T < 4294967296))
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
    status = compact_int_small_buffer;
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
  struct tangram_place places[3];
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
        return compact_int_overlap;
    }
  }
  return CL_SUCCESS;
}

static int tangram_check_call(cl_mem in, size_t in_size, cl_mem out, size_t out_size,
    cl_mem result) {
  const struct tangram_container containers[] = {
      {in, (double)in_size, sizeof(cl_int), false},
      {out, (double)out_size, sizeof(cl_int), true},
      {result, 1, sizeof(cl_uint), true}};
  return tangram_check_containers(containers, 3);
}

enum { TANGRAM_TEMPORARIES = 3 };

static void tangram_bytes_of_temporaries(size_t in_size, size_t *bytes) {
  bytes[0] = max((in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T + 1, 1) * sizeof(cl_uint); // carries
  bytes[1] = max((in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T + 1, 1) * sizeof(cl_uint); // flags
  bytes[2] = sizeof(cl_uint); // ticket
}

/// Where the next temporary of a workspace may begin; a device has its alignment in bits.
static size_t tangram_next_start(const compact_int_handle *handle, size_t end) {
  const size_t alignment = max(handle->alignment / 8, 1);
  return (end + alignment - 1) / alignment * alignment;
}

/// Enqueues the kernels.
static int tangram_launch_kernels(compact_int_handle *handle, cl_command_queue queue, cl_mem in,
    size_t in_size, cl_mem out, cl_mem result, const cl_mem *temporaries, cl_uint waits,
    const cl_event *wait_list, cl_event *event) {
  const cl_mem carries = temporaries[0];
  const cl_mem flags = temporaries[1];
  const cl_mem ticket = temporaries[2];
  pthread_mutex_lock(&handle->lock);
  const struct tangram_kernels *const kernels = &handle->kernels;
  int status = CL_SUCCESS;
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->compact_int_1;
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = 1;
    const size_t items = (min((in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T + 1, 65535))
        * group_size;
    status = clSetKernelArg(kernel, 0, sizeof carries, &carries);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof flags, &flags);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof ticket, &ticket);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status =
          clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, waits, wait_list,
          NULL);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->compact_int_2;
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = NUM_THREADS;
    const size_t items = (min(max((in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T, 1), 65535))
        * group_size;
    status = clSetKernelArg(kernel, 0, sizeof in, &in);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof out, &out);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof carries, &carries);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 3, sizeof flags, &flags);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 4, sizeof ticket, &ticket);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 5, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, NULL);
  }
  if (status == CL_SUCCESS) {
    cl_kernel kernel = kernels->compact_int_3;
    const cl_ulong in_size_argument = in_size;
    const size_t group_size = 1;
    const size_t items = (1) * group_size;
    status = clSetKernelArg(kernel, 0, sizeof result, &result);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 1, sizeof carries, &carries);
    if (status == CL_SUCCESS)
      status = clSetKernelArg(kernel, 2, sizeof in_size_argument, &in_size_argument);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group_size, 0, NULL, event);
  }
  pthread_mutex_unlock(&handle->lock);
  return status;
}

int compact_int_workspace(const compact_int_handle *handle, size_t in_size, size_t out_size,
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

int compact_int_enqueue(compact_int_handle *handle, cl_command_queue queue, cl_mem in,
    size_t in_size, cl_mem out, size_t out_size, cl_mem result, cl_mem workspace, cl_uint waits,
    const cl_event *wait_list, cl_event *event) {
  int status = tangram_settle(in_size, out_size);
  if (status == CL_SUCCESS)
    status = tangram_check_call(in, in_size, out, out_size, result);
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
        tangram_launch_kernels(handle, queue, in, in_size, out, result, temporaries, waits,
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
static compact_int_handle *tangram_handle_cache[TANGRAM_CACHED];

static void tangram_give_back(compact_int_handle *handle) {
  pthread_mutex_lock(&tangram_cache_lock);
  const bool unused = --handle->users == 0;
  pthread_mutex_unlock(&tangram_cache_lock);
  if (unused)
    compact_int_destroy(handle);
}

/// The handle for a queue, made on first use, to be given back; none where the status is not 0.
static int tangram_take_handle(cl_command_queue queue, compact_int_handle **handle) {
  cl_context context;
  cl_device_id device;
  int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (status == CL_SUCCESS)
    status = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (status != CL_SUCCESS)
    return status;
  compact_int_handle *oldest = NULL;
  pthread_mutex_lock(&tangram_cache_lock);
  unsigned i = 0;
  while (i < TANGRAM_CACHED
      && !(tangram_handle_cache[i] && tangram_handle_cache[i]->context == context
      && tangram_handle_cache[i]->device == device))
    ++i;
  compact_int_handle *found = i < TANGRAM_CACHED ? tangram_handle_cache[i] : NULL;
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

int compact_int(cl_command_queue queue, cl_mem in, size_t in_size, cl_mem out, size_t out_size,
    cl_mem result) {
  compact_int_handle *handle;
  int status = tangram_take_handle(queue, &handle);
  if (status != CL_SUCCESS)
    return status;
  status = tangram_settle(in_size, out_size);
  if (status == CL_SUCCESS)
    status = tangram_check_call(in, in_size, out, out_size, result);
  cl_mem temporaries[TANGRAM_TEMPORARIES] = {NULL};
  size_t bytes[TANGRAM_TEMPORARIES];
  if (status == CL_SUCCESS)
    tangram_bytes_of_temporaries(in_size, bytes);
  for (unsigned i = 0; status == CL_SUCCESS && i < TANGRAM_TEMPORARIES; ++i)
    temporaries[i] =
        clCreateBuffer(handle->context, CL_MEM_READ_WRITE, bytes[i], NULL, &status);
  if (status == CL_SUCCESS)
    status =
        tangram_launch_kernels(handle, queue, in, in_size, out, result, temporaries, 0, NULL, NULL);
  for (unsigned i = 0; i < TANGRAM_TEMPORARIES; ++i) {
    if (temporaries[i])
      clReleaseMemObject(temporaries[i]);
  }
  tangram_give_back(handle);
  return status;
}

const char *compact_int_message(int status) {
  switch (status) {
  case compact_int_ok:
    return "success";
  case compact_int_refused:
    return "no call with these sizes or numbers of workers can be served, or the device cannot run it";
  case compact_int_overlap:
    return "a container that is written shares memory with another one";
  case compact_int_small_buffer:
    return "a buffer is smaller than the container that it holds";
  case compact_int_bad_data:
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
