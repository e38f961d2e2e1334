#include "ir/reserved_names.h"

#include "ir/library_names.h"
#include "ir/type.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>

namespace tangram::ir {

namespace {

using Words = std::unordered_set<std::string>;

/// Of C11, OpenCL C 1.2 to 3.0 and CUDA that are no keywords of C++, and macros without parameters.
const Words &keywords() {
  static const Words words{
      "restrict",  "kernel",    "global",    "local",     "constant",   "private",    "generic",
      "half",      "uniform",   "pipe",      "read_only", "write_only", "read_write", "sampler_t",
      "event_t",   "index_t",   "uchar",     "ushort",    "uint",       "ulong",      "quad",
      "complex",   "imaginary", "vec_step",  "linux",     "unix",       "NULL",       "NAN",
      "INFINITY",  "HUGE_VAL",  "HUGE_VALF", "MAXFLOAT",  "CHAR_BIT",   "CHAR_MAX",   "CHAR_MIN",
      "SCHAR_MAX", "SCHAR_MIN", "UCHAR_MAX", "SHRT_MAX",  "SHRT_MIN",   "USHRT_MAX",  "INT_MAX",
      "INT_MIN",   "UINT_MAX",  "LONG_MAX",  "LONG_MIN",  "ULONG_MAX",  "SIZE_MAX",   "RAND_MAX",
      "errno",     "stdin",     "stdout",    "stderr",    "blockDim",   "blockIdx",   "threadIdx",
      "gridDim",   "warpSize",  "I",         "EOF",       "BUFSIZ",     "environ",    "typeof",
      "concept",   "requires",  "char8_t",   "consteval", "constinit",  "co_await",   "co_return",
      "co_yield",  "bool"};
  return words;
}

bool startsWithOneOf(const std::string &name, std::initializer_list<const char *> prefixes) {
  for (const char *prefix : prefixes) {
    if (name.starts_with(prefix))
      return true;
  }
  return false;
}

/// "float4", "uchar16": a type of OpenCL C and CUDA.
bool isVectorType(const std::string &name) {
  static const Words types{"char", "uchar", "short", "ushort", "int",  "uint",
                           "long", "ulong", "float", "double", "half", "bool"};
  static const Words lanes{"2", "3", "4", "8", "16"};
  const std::size_t digits = name.find_first_of("0123456789");
  return digits != std::string::npos && types.contains(name.substr(0, digits)) &&
         lanes.contains(name.substr(digits));
}

bool isKeyword(const std::string &name) {
  return keywords().contains(name) || isVectorType(name) ||
         startsWithOneOf(name, {"M_", "CLK_", "CL_", "FLT_", "DBL_", "LDBL_", "FP_", "MAP_",
                                "PROT_", "MADV_", "CLOCK_", "PTHREAD_", "MCL_", "SCHED_", "EXIT_",
                                "image1d_", "image2d_", "image3d_", "cl_"});
}

/// "min_f32", "quotient_i64", "i32_of_f64", "sum_f32_in_f64": functions of codegen/printing/number_functions.h.
bool isNumberFunction(const std::string &name) {
  static const Words operations{"min", "max", "fmin", "fmax", "quotient", "remainder", "absolute"};
  const std::size_t at = name.rfind('_');
  if (at == std::string::npos || scalarNamed(name.substr(at + 1)) == Scalar::Void)
    return false;
  const std::string before = name.substr(0, at);
  return operations.contains(before) ||
         (before.ends_with("_of") &&
          scalarNamed(before.substr(0, before.size() - 3)) != Scalar::Void) ||
         before.ends_with("_f32_in") || before.ends_with("_f64_in");
}

bool isTypeName(const std::string &name) {
  static const Words types{"i8",  "u8",  "i16", "u16", "i32", "u32",
                           "i64", "u64", "f16", "f32", "f64", "index"};
  return types.contains(name);
}

/// "load_float4", "store_float2": helpers of emitted files, by the vectors that they are for.
bool isVectorHelper(const std::string &name) {
  const std::size_t bar = name.find('_');
  if (bar == std::string::npos)
    return false;
  const std::string kind = name.substr(0, bar);
  return (kind == "load" || kind == "store") && isVectorType(name.substr(bar + 1));
}

bool isApiFunction(const std::string &name) {
  return name.size() > 2 && name.starts_with("cl") && name[2] >= 'A' && name[2] <= 'Z';
}

/// "atomic_add_f32", likewise.
bool isTypedAtomic(const std::string &name) {
  return name.starts_with("atomic_") && isTypeName(name.substr(name.rfind('_') + 1));
}

/// Names that generated code calls or declares at file scope, and the device facts that sizes in bundles use
/// (algebra/device_facts.h).
bool isNameOfOurs(const std::string &name) {
  static const Words words{
      "min",         "max",           "abs",           "barrier",        "mem_fence",
      "malloc",      "free",          "calloc",        "memset",         "memcpy",
      "isnan",       "result",        "omp",           "max_index",      "main",
      "min_index",   "await_flag",    "set_flag",      "fence_groups",   "sched_yield",
      "count_group", "threads",       "compute_units", "max_group_size", "local_memory",
      "even_parts",  "aligned_alloc", "madvise",       "getenv",         "strcmp",
      "strtoul",     "llabs",         "labs"};
  return words.contains(name) || isNumberFunction(name) || isVectorHelper(name) ||
         isTypedAtomic(name) || isApiFunction(name) ||
         startsWithOneOf(name, {"omp_", "pthread_", "tangram_"});
}

/// The same, and functions of OpenCL C that kernels call.
bool isOurs(const std::string &name) {
  return isNameOfOurs(name) ||
         startsWithOneOf(name, {"get_global_", "get_local_", "get_group_", "get_num_groups",
                                "get_work_", "atomic_", "atom_", "vload", "vstore"});
}

/// Built-in functions of OpenCL C and CUDA that C does not have.
bool isOfDevices(const std::string &name) {
  static const Words words{
      "abs_diff",    "acospi",      "add_sat",       "all",         "any",
      "asinpi",      "atan2pi",     "atanpi",        "bitselect",   "clamp",
      "clz",         "cospi",       "cross",         "ctz",         "degrees",
      "distance",    "dot",         "fast_distance", "fast_length", "fast_normalize",
      "fract",       "hadd",        "isequal",       "isgreater",   "isgreaterequal",
      "isless",      "islessequal", "islessgreater", "isnotequal",  "isordered",
      "isunordered", "length",      "lgamma_r",      "mad",         "mad24",
      "mad_hi",      "mad_sat",     "maxmag",        "minmag",      "mix",
      "mul24",       "mul_hi",      "normalize",     "popcount",    "pown",
      "powr",        "prefetch",    "radians",       "rhadd",       "rootn",
      "rotate",      "rsqrt",       "select",        "shuffle",     "shuffle2",
      "sign",        "sinpi",       "smoothstep",    "step",        "sub_sat",
      "tanpi",       "upsample",    "saturate",      "norm",        "rnorm",
      "rcbrt",       "umin",        "umax",          "llmin",       "llmax",
      "mulhi",       "clock"};
  return words.contains(name) ||
         startsWithOneOf(name, {"as_", "async_work_", "convert_", "get_image_", "half_", "native_",
                                "read_image", "read_mem_", "vload", "vstore", "wait_group_",
                                "work_group_", "write_image", "write_mem_", "sub_group_"});
}

/// "in_size", "a_size1": what extents of a container are called.
bool isExtent(const std::string &name) {
  std::size_t at = name.rfind("_size");
  return at != std::string::npos && at > 0 &&
         name.find_first_not_of("0123456789", at + 5) == std::string::npos;
}

} // namespace

std::string variableName(const std::string &name) {
  std::string plain = name;
  std::ranges::replace(plain, '$', '_'); // which C++ compilers take, and few others
  return isKeyword(plain) || isOurs(plain) ? plain + "_" : plain;
}

bool isReservedFunction(const std::string &name) {
  return isKeyword(name) || isOurs(name) || isOfLibrary(name) || isOfDevices(name) ||
         isExtent(name) || name.find('$') != std::string::npos;
}

const std::vector<std::string> &interfaceEnds() {
  static const std::vector<std::string> ends{
      "",        "_tuned",   "_workspace", "_workspace_tuned", "_on_threads",    "_handle",
      "_create", "_destroy", "_enqueue",   "_message",         "_enqueue_tuned", "_status",
      "_choose", "_chosen"};
  return ends;
}

std::string problemOfEntry(const std::string &name) {
  const bool isWord = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return c < 128 && (std::isalnum(c) != 0 || c == '_');
  });
  if (!isWord || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
    return "is no name that C has for a function: letters, digits and _, no digit first";
  if (name.front() == '_')
    return "begins with _, as names of compilers and C libraries do";
  if (isKeyword(name))
    return "is a word or a macro of C, C++ or OpenCL C";
  // entry.c, reference.c and example.c are files of every bundle.
  if (name == "entry" || name == "reference" || name == "example")
    return "is a file of every bundle";
  if (isNameOfOurs(name))
    return "is a name of generated code";
  if (isOfLibrary(name))
    return "is a function of the C library";
  for (const std::string &end : interfaceEnds()) {
    if (isFunctionOfLibrary(name + end))
      return "makes " + name + end + ", which is a function of the C library";
  }
  return "";
}

} // namespace tangram::ir
