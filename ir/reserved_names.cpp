#include "ir/reserved_names.h"

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
      "gridDim",   "warpSize"};
  return words;
}

bool startsWithOneOf(const std::string &name, std::initializer_list<const char *> prefixes) {
  for (const char *prefix : prefixes) {
    if (name.starts_with(prefix))
      return true;
  }
  return false;
}

bool isKeyword(const std::string &name) {
  return keywords().contains(name) ||
         startsWithOneOf(name, {"M_", "CLK_", "CL_", "FLT_", "DBL_", "image1d_", "image2d_",
                                "image3d_", "cl_khr_"});
}

/// What generated code itself calls or declares, and what sizes in bundles are made of: the names of
/// algebra/device_facts.h.
bool isOurs(const std::string &name) {
  static const Words words{
      "min",          "max",         "abs",         "barrier",   "mem_fence",     "malloc",
      "free",         "calloc",      "memset",      "memcpy",    "isnan",         "result",
      "omp",          "max_index",   "main",        "min_index", "await_flag",    "set_flag",
      "fence_groups", "sched_yield", "count_group", "threads",   "compute_units", "max_group_size",
      "local_memory", "even_parts"};
  return words.contains(name) ||
         startsWithOneOf(name, {"get_global_", "get_local_", "get_group_", "get_num_groups",
                                "get_work_", "atomic_", "atom_", "omp_", "tangram_"});
}

/// Of <math.h>, <stdlib.h>, <string.h> and <time.h>; the forms for float and long double end in f and l.
bool isOfC(const std::string &name) {
  static const Words words{
      "acos",        "acosh",     "asin",       "asinh",    "atan",     "atan2",     "atanh",
      "cbrt",        "ceil",      "copysign",   "cos",      "cosh",     "erf",       "erfc",
      "exp",         "exp2",      "exp10",      "expm1",    "fabs",     "fdim",      "floor",
      "fma",         "fmax",      "fmin",       "fmod",     "frexp",    "gamma",     "hypot",
      "ilogb",       "isinf",     "isnan",      "isfinite", "isnormal", "j0",        "j1",
      "jn",          "ldexp",     "lgamma",     "llrint",   "llround",  "log",       "log10",
      "log1p",       "log2",      "logb",       "lrint",    "lround",   "modf",      "nan",
      "nearbyint",   "nextafter", "nexttoward", "pow",      "pow10",    "remainder", "remquo",
      "rint",        "round",     "roundeven",  "scalb",    "scalbln",  "scalbn",    "signbit",
      "significand", "sin",       "sincos",     "sinh",     "sqrt",     "tan",       "tanh",
      "tgamma",      "trunc",     "drem",       "finite",   "y0",       "y1",        "yn",
      "abort",       "abs",       "labs",       "llabs",    "div",      "ldiv",      "lldiv",
      "atexit",      "atof",      "atoi",       "atol",     "atoll",    "bsearch",   "calloc",
      "exit",        "free",      "getenv",     "malloc",   "qsort",    "rand",      "realloc",
      "srand",       "strtod",    "strtol",     "system",   "random",   "srandom",   "memchr",
      "memcmp",      "memcpy",    "memmove",    "memset",   "strcat",   "strchr",    "strcmp",
      "strcpy",      "strlen",    "strncmp",    "index",    "rindex",   "ffs",       "bcmp",
      "bcopy",       "bzero",     "select",     "printf",   "puts",     "putchar",   "main",
      "alloca",      "valloc",    "time",       "clock",    "difftime", "mktime",    "asctime",
      "ctime",       "gmtime",    "localtime",  "strftime", "timegm",   "tzset",     "nanosleep"};
  if (words.contains(name))
    return true;
  return name.size() > 1 && (name.back() == 'f' || name.back() == 'l') &&
         words.contains(name.substr(0, name.size() - 1));
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
  return isKeyword(name) || isOurs(name) ? name + "_" : name;
}

bool isReservedFunction(const std::string &name) {
  return isKeyword(name) || isOurs(name) || isOfC(name) || isOfDevices(name) || isExtent(name);
}

bool isReservedEntry(const std::string &name) {
  // entry.c, reference.c and example.c are files of every bundle.
  return isKeyword(name) || isOfC(name) || name == "entry" || name == "reference" ||
         name == "example" || name.starts_with("omp_") || name.starts_with("tangram_");
}

} // namespace tangram::ir
