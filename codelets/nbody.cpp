// A step of the n-body problem with all pairs. Bodies are columns: of `bodies` x, y, z and mass, of
// `speeds` and `pulls` three numbers. `softening` is the square of a length that is added to all
// distances, so that a body does not pull itself.
#include <tangram.h>

// What a distance is multiplied with to become an acceleration, at the square of its length.
template <class T>
T pull_of(T square, T mass) {
  T inverse = 1 / sqrt(square);
  return mass * inverse * inverse * inverse;
}

// pulls += the accelerations of `bodies` by `others`.
template <class T> __codelet
void attract(T softening, const Array<2, T> bodies, const Array<2, T> others, Array<2, T> pulls) {
  require(bodies.size(0) == 4);
  require(others.size(0) == 4);
  require(pulls.size(0) == 3);
  require(pulls.size(1) == bodies.size(1));
  require(within(softening, 0.000001, 1e6));
  for (unsigned i = 0; i < bodies.size(1); ++i) {
    T x = pulls[0][i];
    T y = pulls[1][i];
    T z = pulls[2][i];
    for (unsigned j = 0; j < others.size(1); ++j) {
      T dx = others[0][j] - bodies[0][i];
      T dy = others[1][j] - bodies[1][i];
      T dz = others[2][j] - bodies[2][i];
      T pull = pull_of<T>(dx * dx + dy * dy + dz * dz + softening, others[3][j]);
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
    }
    pulls[0][i] = x;
    pulls[1][i] = y;
    pulls[2][i] = z;
  }
}

// Every lane a body, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(lane_a_body)
void attract(T softening, const Array<2, T> bodies, const Array<2, T> others, Array<2, T> pulls) {
  for (unsigned i = coopIdx(); i < bodies.size(1); i += coopDim()) {
    T x = pulls[0][i];
    T y = pulls[1][i];
    T z = pulls[2][i];
    for (unsigned j = 0; j < others.size(1); ++j) {
      T dx = others[0][j] - bodies[0][i];
      T dy = others[1][j] - bodies[1][i];
      T dz = others[2][j] - bodies[2][i];
      T pull = pull_of<T>(dx * dx + dy * dy + dz * dz + softening, others[3][j]);
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
    }
    pulls[0][i] = x;
    pulls[1][i] = y;
    pulls[2][i] = z;
  }
}

// The same, with as many others at a time as there are lanes: each lane brings one along for all.
template <class T> __codelet __coop __tag(shared_tiles)
void attract(T softening, const Array<2, T> bodies, const Array<2, T> others, Array<2, T> pulls) {
  __shared T xs[coopDim()];
  __shared T ys[coopDim()];
  __shared T zs[coopDim()];
  __shared T masses[coopDim()];
  unsigned id = coopIdx();
  for (unsigned first = 0; first < bodies.size(1); first += coopDim()) {
    unsigned i = first + id < bodies.size(1) ? first + id : first;
    T x = 0;
    T y = 0;
    T z = 0;
    for (unsigned tile = 0; tile < others.size(1); tile += coopDim()) {
      unsigned count = min((unsigned)others.size(1) - tile, coopDim());
      if (id < count) {
        xs[id] = others[0][tile + id];
        ys[id] = others[1][tile + id];
        zs[id] = others[2][tile + id];
        masses[id] = others[3][tile + id];
      }
      for (unsigned j = 0; j < count; ++j) {
        T dx = xs[j] - bodies[0][i];
        T dy = ys[j] - bodies[1][i];
        T dz = zs[j] - bodies[2][i];
        T pull = pull_of<T>(dx * dx + dy * dy + dz * dz + softening, masses[j]);
        x += pull * dx;
        y += pull * dy;
        z += pull * dz;
      }
    }
    if (first + id < bodies.size(1)) {
      pulls[0][first + id] += x;
      pulls[1][first + id] += y;
      pulls[2][first + id] += z;
    }
  }
}

// The same, with two bodies a lane, so that what is read of others, sixteen at a time, serves both. Past the last of the
// others is the first one without its mass.
template <class T> __codelet __coop __tag(two_bodies)
void attract(T softening, const Array<2, T> bodies, const Array<2, T> others, Array<2, T> pulls) {
  require(coopDim() % 16 == 0);
  __shared T near[4 * coopDim()];
  unsigned id = coopIdx();
  for (unsigned first = 0; first < bodies.size(1); first += 2 * coopDim()) {
    T own[6];
    T sums[6];
    for (unsigned b = 0; b < 2; ++b) {
      unsigned i = first + b * coopDim() + id < bodies.size(1) ? first + b * coopDim() + id : first;
      for (unsigned d = 0; d < 3; ++d) {
        own[3 * b + d] = bodies[d][i];
        sums[3 * b + d] = 0;
      }
    }
    for (unsigned tile = 0; tile < others.size(1); tile += coopDim()) {
      unsigned i = tile + id < others.size(1) ? tile + id : 0;
      near[4 * id] = others[0][i];
      near[4 * id + 1] = others[1][i];
      near[4 * id + 2] = others[2][i];
      near[4 * id + 3] = tile + id < others.size(1) ? others[3][i] : 0;
      for (unsigned j = 0; j < coopDim(); j += 16) {
        T others_near[64];
        for (unsigned e = 0; e < 64; ++e)
          others_near[e] = near[4 * j + e];
        for (unsigned k = 0; k < 16; ++k) {
          for (unsigned b = 0; b < 2; ++b) {
            T dx = others_near[4 * k] - own[3 * b];
            T dy = others_near[4 * k + 1] - own[3 * b + 1];
            T dz = others_near[4 * k + 2] - own[3 * b + 2];
            T pull = pull_of<T>(softening + dx * dx + dy * dy + dz * dz, others_near[4 * k + 3]);
            sums[3 * b] += pull * dx;
            sums[3 * b + 1] += pull * dy;
            sums[3 * b + 2] += pull * dz;
          }
        }
      }
    }
    for (unsigned b = 0; b < 2; ++b) {
      if (first + b * coopDim() + id < bodies.size(1)) {
        for (unsigned d = 0; d < 3; ++d)
          pulls[d][first + b * coopDim() + id] += sums[3 * b + d];
      }
    }
  }
}

// As many blocks of bodies as there are workers.
template <class T> __codelet __tag(body_parts)
void attract(T softening, const Array<2, T> bodies, const Array<2, T> others, Array<2, T> pulls) {
  __tunable unsigned p;
  map(attract<T>, softening, cols(bodies, p), all(others), cols(pulls, p));
}

// Blocks of b bodies.
template <class T> __codelet __tag(body_blocks)
void attract(T softening, const Array<2, T> bodies, const Array<2, T> others, Array<2, T> pulls) {
  __tunable unsigned b = choice(512, 64, 128, 256);
  map(attract<T>, softening, col_chunks(bodies, b), all(others), col_chunks(pulls, b));
}

template <class T> __codelet
void still(Array<1, T> pulls) {
  for (unsigned i = 0; i < pulls.size(); ++i)
    pulls[i] = 0;
}
template <class T> __codelet __coop __tag(still_lanes)
void still(Array<1, T> pulls) {
  for (unsigned i = coopIdx(); i < pulls.size(); i += coopDim())
    pulls[i] = 0;
}

// Speeds grow by the pulls, and places by the speeds.
template <class T> __codelet
void advance(T dt, const Array<2, T> bodies, const Array<2, T> speeds, const Array<2, T> pulls,
             Array<2, T> new_bodies, Array<2, T> new_speeds) {
  require(bodies.size(0) == 4);
  require(speeds.size(0) == 3);
  require(pulls.size(0) == 3);
  require(new_bodies.size(0) == 4);
  require(new_speeds.size(0) == 3);
  require(speeds.size(1) == bodies.size(1));
  require(pulls.size(1) == bodies.size(1));
  require(new_bodies.size(1) == bodies.size(1));
  require(new_speeds.size(1) == bodies.size(1));
  for (unsigned i = 0; i < bodies.size(1); ++i) {
    for (unsigned d = 0; d < 3; ++d) {
      T speed = speeds[d][i] + dt * pulls[d][i];
      new_speeds[d][i] = speed;
      new_bodies[d][i] = bodies[d][i] + dt * speed;
    }
    new_bodies[3][i] = bodies[3][i];
  }
}
template <class T> __codelet __coop __tag(advance_lanes)
void advance(T dt, const Array<2, T> bodies, const Array<2, T> speeds, const Array<2, T> pulls,
             Array<2, T> new_bodies, Array<2, T> new_speeds) {
  for (unsigned i = coopIdx(); i < bodies.size(1); i += coopDim()) {
    for (unsigned d = 0; d < 3; ++d) {
      T speed = speeds[d][i] + dt * pulls[d][i];
      new_speeds[d][i] = speed;
      new_bodies[d][i] = bodies[d][i] + dt * speed;
    }
    new_bodies[3][i] = bodies[3][i];
  }
}
template <class T> __codelet __tag(advance_parts)
void advance(T dt, const Array<2, T> bodies, const Array<2, T> speeds, const Array<2, T> pulls,
             Array<2, T> new_bodies, Array<2, T> new_speeds) {
  __tunable unsigned p;
  map(advance<T>, dt, cols(bodies, p), cols(speeds, p), cols(pulls, p), cols(new_bodies, p), cols(new_speeds, p));
}

// A step of length dt.
template <class T> __codelet
void nbody(T dt, T softening, const Array<2, T> bodies, const Array<2, T> speeds,
           Array<2, T> new_bodies, Array<2, T> new_speeds) {
  require(bodies.size(0) == 4);
  require(speeds.size(0) == 3);
  require(new_bodies.size(0) == 4);
  require(new_speeds.size(0) == 3);
  require(speeds.size(1) == bodies.size(1));
  require(new_bodies.size(1) == bodies.size(1));
  require(new_speeds.size(1) == bodies.size(1));
  require(within(softening, 0.000001, 1e6));
  typical(bodies.size(1), 1 << 16);
  for (unsigned i = 0; i < bodies.size(1); ++i) {
    T x = 0;
    T y = 0;
    T z = 0;
    for (unsigned j = 0; j < bodies.size(1); ++j) {
      T dx = bodies[0][j] - bodies[0][i];
      T dy = bodies[1][j] - bodies[1][i];
      T dz = bodies[2][j] - bodies[2][i];
      T pull = pull_of<T>(dx * dx + dy * dy + dz * dz + softening, bodies[3][j]);
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
    }
    new_speeds[0][i] = speeds[0][i] + dt * x;
    new_speeds[1][i] = speeds[1][i] + dt * y;
    new_speeds[2][i] = speeds[2][i] + dt * z;
    for (unsigned d = 0; d < 3; ++d)
      new_bodies[d][i] = bodies[d][i] + dt * new_speeds[d][i];
    new_bodies[3][i] = bodies[3][i];
  }
}
template <class T> __codelet __tag(pulls_first)
void nbody(T dt, T softening, const Array<2, T> bodies, const Array<2, T> speeds,
           Array<2, T> new_bodies, Array<2, T> new_speeds) {
  Array<2, T> pulls(3, bodies.size(1));
  map(still<T>, pulls);
  attract<T>(softening, bodies, bodies, pulls);
  advance<T>(dt, bodies, speeds, pulls, new_bodies, new_speeds);
}

template void nbody<float>(float, float, const Array<2, float>, const Array<2, float>, Array<2, float>, Array<2, float>);

// The same of bodies that are elements: of `bodies` and `new_bodies` the place x, y, z, and the mass w; of speeds and
// pulls x, y and z. A body is read as one.

// pulls += the accelerations of `bodies` by `others`.
__codelet
void attract4(float softening, const Array<1, float4> bodies, const Array<1, float4> others, Array<1, float4> pulls) {
  require(pulls.size() == bodies.size());
  require(within(softening, 0.000001, 1e6));
  for (unsigned i = 0; i < bodies.size(); ++i) {
    float4 body = bodies[i];
    float4 sum = pulls[i];
    for (unsigned j = 0; j < others.size(); ++j) {
      float4 other = others[j];
      float4 way = other - body;
      float pull = pull_of<float>(way.x * way.x + way.y * way.y + way.z * way.z + softening, other.w);
      sum.x += pull * way.x;
      sum.y += pull * way.y;
      sum.z += pull * way.z;
    }
    pulls[i] = sum;
  }
}

// Every lane a body, and then the one coopDim() further on.
__codelet __coop __tag(lane_a_body4)
void attract4(float softening, const Array<1, float4> bodies, const Array<1, float4> others, Array<1, float4> pulls) {
  for (unsigned i = coopIdx(); i < bodies.size(); i += coopDim()) {
    float4 body = bodies[i];
    float4 sum = pulls[i];
    for (unsigned j = 0; j < others.size(); ++j) {
      float4 other = others[j];
      float4 way = other - body;
      float pull = pull_of<float>(way.x * way.x + way.y * way.y + way.z * way.z + softening, other.w);
      sum.x += pull * way.x;
      sum.y += pull * way.y;
      sum.z += pull * way.z;
    }
    pulls[i] = sum;
  }
}

// The same, with as many others at a time as there are lanes: each lane brings one along for all.
__codelet __coop __tag(shared_tiles4)
void attract4(float softening, const Array<1, float4> bodies, const Array<1, float4> others, Array<1, float4> pulls) {
  __shared float4 near[coopDim()];
  unsigned id = coopIdx();
  for (unsigned first = 0; first < bodies.size(); first += coopDim()) {
    unsigned i = first + id < bodies.size() ? first + id : first;
    float4 body = bodies[i];
    float4 sum = 0;
    for (unsigned tile = 0; tile < others.size(); tile += coopDim()) {
      unsigned count = min((unsigned)others.size() - tile, coopDim());
      if (id < count)
        near[id] = others[tile + id];
      for (unsigned j = 0; j < count; ++j) {
        float4 other = near[j];
        float4 way = other - body;
        float pull = pull_of<float>(way.x * way.x + way.y * way.y + way.z * way.z + softening, other.w);
        sum.x += pull * way.x;
        sum.y += pull * way.y;
        sum.z += pull * way.z;
      }
    }
    if (first + id < bodies.size())
      pulls[first + id] += sum;
  }
}

// As many blocks of bodies as there are workers.
__codelet __tag(body_parts4)
void attract4(float softening, const Array<1, float4> bodies, const Array<1, float4> others, Array<1, float4> pulls) {
  __tunable unsigned p;
  map(attract4, softening, rows(bodies, p), all(others), rows(pulls, p));
}

// Blocks of b bodies.
__codelet __tag(body_blocks4)
void attract4(float softening, const Array<1, float4> bodies, const Array<1, float4> others, Array<1, float4> pulls) {
  __tunable unsigned b = choice(512, 64, 128, 256);
  map(attract4, softening, chunks(bodies, b), all(others), chunks(pulls, b));
}

__codelet
void still4(Array<1, float4> pulls) {
  for (unsigned i = 0; i < pulls.size(); ++i)
    pulls[i] = 0;
}
__codelet __coop __tag(still_lanes4)
void still4(Array<1, float4> pulls) {
  for (unsigned i = coopIdx(); i < pulls.size(); i += coopDim())
    pulls[i] = 0;
}
__codelet __tag(still_blocks4)
void still4(Array<1, float4> pulls) {
  __tunable unsigned b = choice(512, 64, 128, 256);
  map(still4, chunks(pulls, b));
}

// Speeds grow by the pulls, and places by the speeds.
__codelet
void advance4(float dt, const Array<1, float4> bodies, const Array<1, float4> speeds, const Array<1, float4> pulls,
              Array<1, float4> new_bodies, Array<1, float4> new_speeds) {
  require(speeds.size() == bodies.size());
  require(pulls.size() == bodies.size());
  require(new_bodies.size() == bodies.size());
  require(new_speeds.size() == bodies.size());
  for (unsigned i = 0; i < bodies.size(); ++i) {
    float4 body = bodies[i];
    float4 speed = speeds[i] + dt * pulls[i];
    new_speeds[i] = speed;
    new_bodies[i] = float4(body.x + dt * speed.x, body.y + dt * speed.y, body.z + dt * speed.z, body.w);
  }
}
__codelet __coop __tag(advance_lanes4)
void advance4(float dt, const Array<1, float4> bodies, const Array<1, float4> speeds, const Array<1, float4> pulls,
              Array<1, float4> new_bodies, Array<1, float4> new_speeds) {
  for (unsigned i = coopIdx(); i < bodies.size(); i += coopDim()) {
    float4 body = bodies[i];
    float4 speed = speeds[i] + dt * pulls[i];
    new_speeds[i] = speed;
    new_bodies[i] = float4(body.x + dt * speed.x, body.y + dt * speed.y, body.z + dt * speed.z, body.w);
  }
}
__codelet __tag(advance_blocks4)
void advance4(float dt, const Array<1, float4> bodies, const Array<1, float4> speeds, const Array<1, float4> pulls,
              Array<1, float4> new_bodies, Array<1, float4> new_speeds) {
  __tunable unsigned b = choice(512, 64, 128, 256);
  map(advance4, dt, chunks(bodies, b), chunks(speeds, b), chunks(pulls, b), chunks(new_bodies, b),
      chunks(new_speeds, b));
}

// A step of length dt.
__codelet
void nbody4(float dt, float softening, const Array<1, float4> bodies, const Array<1, float4> speeds,
            Array<1, float4> new_bodies, Array<1, float4> new_speeds) {
  require(speeds.size() == bodies.size());
  require(new_bodies.size() == bodies.size());
  require(new_speeds.size() == bodies.size());
  require(within(softening, 0.000001, 1e6));
  for (unsigned i = 0; i < bodies.size(); ++i) {
    float4 body = bodies[i];
    float4 pulls = 0;
    for (unsigned j = 0; j < bodies.size(); ++j) {
      float4 way = bodies[j] - body;
      float pull = pull_of<float>(way.x * way.x + way.y * way.y + way.z * way.z + softening, bodies[j].w);
      pulls.x += pull * way.x;
      pulls.y += pull * way.y;
      pulls.z += pull * way.z;
    }
    float4 speed = speeds[i] + dt * pulls;
    new_speeds[i] = speed;
    new_bodies[i] = float4(body.x + dt * speed.x, body.y + dt * speed.y, body.z + dt * speed.z, body.w);
  }
}
__codelet __tag(pulls_first4)
void nbody4(float dt, float softening, const Array<1, float4> bodies, const Array<1, float4> speeds,
            Array<1, float4> new_bodies, Array<1, float4> new_speeds) {
  Array<1, float4> pulls(bodies.size());
  still4(pulls);
  attract4(softening, bodies, bodies, pulls);
  advance4(dt, bodies, speeds, pulls, new_bodies, new_speeds);
}
