// Micro-benchmarks of an OpenCL device.

__kernel void nothing(__global float *out) {
  if (get_global_size(0) == 0)
    out[0] = 0.0f;
}

// One addition after the other.
__kernel void one_sum(__global float *out, float by, uint rounds) {
  float x = by;
  for (uint i = 0; i < rounds; ++i) {
    x += by; x += by; x += by; x += by;
    x += by; x += by; x += by; x += by;
  }
  out[get_global_id(0)] = x;
}

// Eight at a time.
__kernel void eight_sums(__global float *out, float by, uint rounds) {
  float a = by, b = by + 1, c = by + 2, d = by + 3, e = by + 4, f = by + 5, g = by + 6, h = by + 7;
  for (uint i = 0; i < rounds; ++i) {
    a += by; b += by; c += by; d += by; e += by; f += by; g += by; h += by;
  }
  out[get_global_id(0)] = ((a + b) + (c + d)) + ((e + f) + (g + h));
}

// From one element to the one that it names.
__kernel void chase(__global uint *next, uint rounds) {
  uint at = next[1]; // where the last one has stopped, so that nothing is read twice
  for (uint i = 0; i < rounds; ++i)
    at = next[at];
  next[1] = at;
}

// Many items that compute, without a loop: compilers for CPUs make vectors of them.
#define EIGHT a += by; b += by; c += by; d += by; e += by; f += by; g += by; h += by;
#define SIXTY_FOUR EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT
__kernel void items_sums(__global float *out, float by) {
  const float x = by * (float)get_local_id(0);
  float a = x, b = x + 1, c = x + 2, d = x + 3, e = x + 4, f = x + 5, g = x + 6, h = x + 7;
  SIXTY_FOUR SIXTY_FOUR SIXTY_FOUR SIXTY_FOUR
  out[get_local_id(0)] = ((a + b) + (c + d)) + ((e + f) + (g + h));
}

__kernel void chase_local(__global uint *out, uint rounds) {
  __local uint next[1024];
  for (uint i = 0; i < 1024; ++i)
    next[i] = (i + 33) % 1024;
  uint at = 0;
  for (uint i = 0; i < rounds; ++i)
    at = next[at];
  out[0] = at;
}

// Every item reads on where the others have stopped; `mask` + 1 elements, a power of two, again and again.
__kernel void read(__global const float4 *in, __global float *out, uint mask, uint rounds) {
  const uint all = get_global_size(0);
  uint at = get_global_id(0);
  float4 x = 0.0f, y = 0.0f;
  for (uint i = 0; i < rounds; i += 4) {
    x += in[at & mask];
    y += in[(at + all) & mask];
    x += in[(at + 2 * all) & mask];
    y += in[(at + 3 * all) & mask];
    at += 4 * all;
  }
  x += y;
  out[get_global_id(0)] = (x.x + x.y) + (x.z + x.w);
}

__kernel void meet(__global float *out, uint rounds) {
  __local float one[1];
  for (uint i = 0; i < rounds; ++i) {
    if (get_local_id(0) == 0)
      one[0] = (float)i;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = one[0];
}

// On as many counters, a line apart, as `mask` has places.
__kernel void count(__global uint *counters, uint mask, uint rounds) {
  __global uint *const own = &counters[(get_global_id(0) & mask) * 64];
  for (uint i = 0; i < rounds; ++i)
    atomic_inc(own);
}
