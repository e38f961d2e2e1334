// Macros of emitted kernels that mean something else on PoCL, and why.
#pragma once

namespace tangram::codegen {

/// PoCL 3.1 (its "workitem loops") computes wrong values where the body of a loop holds another
/// loop with barriers and does not end with a barrier itself, or has a barrier and ends with a loop
/// without, also in a branch, or where a loop with barriers follows a branch that asks the same, or items
/// that went round and branched to loops, or
/// as codegen/targets/opencl/pocl/barriers.h says; other implementations have no use for that barrier.
inline constexpr const char *poclBarrierMacro = "POCL_BARRIER";
inline constexpr const char *poclBarrierDefinition =
    R"(// PoCL needs a barrier at the end of loops around loops with barriers, and between a branch and one.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define POCL_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define POCL_BARRIER()
#endif

)";

/// PoCL 3.1 computes wrong values where a loop with barriers asks memory whether there is another round, and
/// its items go on from the question to what stands before the first barrier.
/// Its compiler crashes where such a loop asks at its beginning and each round begins behind a barrier, too: what is asked
/// again stands at the end of the round.
inline constexpr const char *poclAskMacro = "POCL_ASK";
inline constexpr const char *poclWhileMacro = "POCL_WHILE";
inline constexpr const char *poclAskDefinition =
    R"(// PoCL needs a barrier between what a loop with barriers asks memory and its round.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define POCL_ASK(again) ({ const bool again_ = (again); barrier(CLK_LOCAL_MEM_FENCE); again_; })
#define POCL_WHILE(again) for (bool go_ = POCL_ASK(again); go_; go_ = POCL_ASK(again))
#else
#define POCL_ASK(again) (again)
#define POCL_WHILE(again) while (again)
#endif

)";

/// LLVM merges, copies and moves branches until PoCL's loops over items leave some of them out. What stands on both
/// sides of a prefetch, which reads nothing, stays where it is.
inline constexpr const char *poclKeepMacro = "POCL_KEEP";
inline constexpr const char *poclKeepDefinition =
    R"(// PoCL needs branches between barriers to stay as they are written.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define POCL_KEEP() __builtin_prefetch((const void *)0)
#else
#define POCL_KEEP()
#endif

)";

/// PoCL 3.1 ends with an assertion, or a crash, where some loops of kernels with barriers are unrolled.
inline constexpr const char *unrollMacro = "UNROLL";
inline constexpr const char *unrollDefinition =
    R"(// PoCL cannot unroll every loop of kernels with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL(times)
#else
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(times) PRAGMA(unroll times)
#endif

)";

} // namespace tangram::codegen
