// Molecular dynamics: the Lennard-Jones forces on atoms by their neighbours. Atoms are columns of
// `places` and `forces` (x, y, z); column i of `neighbours` lists those of atom i. A pair that is as far
// apart as `cutoff` (the square of a length) or further does not count, nor does an atom itself.
#include <tangram.h>

// What a distance is multiplied with to become a force, at the square of its length.
template <class T>
T lennard_jones(T square, T lj1, T lj2) {
  T inverse = 1 / square;
  T sixth = inverse * inverse * inverse;
  return inverse * sixth * (lj1 * sixth - lj2);
}

// The forces on `atoms`, whose neighbours are columns of `places`.
template <class T> __codelet
void forces_on(T cutoff, T lj1, T lj2, const Array<2, T> atoms, const Array<2, T> places,
               const Array<2, int> neighbours, Array<2, T> forces) {
  require(atoms.size(0) == 3);
  require(places.size(0) == 3);
  require(forces.size(0) == 3);
  require(forces.size(1) == atoms.size(1));
  require(neighbours.size(1) == atoms.size(1));
  require(within(neighbours, 0, places.size(1)));
  for (unsigned i = 0; i < atoms.size(1); ++i) {
    T x = 0;
    T y = 0;
    T z = 0;
    for (unsigned k = 0; k < neighbours.size(0); ++k) {
      int j = neighbours[k][i];
      T dx = atoms[0][i] - places[0][j];
      T dy = atoms[1][i] - places[1][j];
      T dz = atoms[2][i] - places[2][j];
      T square = dx * dx + dy * dy + dz * dz;
      if (square < cutoff && square > 0) {
        T force = lennard_jones<T>(square, lj1, lj2);
        x += dx * force;
        y += dy * force;
        z += dz * force;
      }
    }
    forces[0][i] = x;
    forces[1][i] = y;
    forces[2][i] = z;
  }
}

// Every lane an atom, and then the one coopDim() further on.
template <class T> __codelet __coop __tag(lane_an_atom)
void forces_on(T cutoff, T lj1, T lj2, const Array<2, T> atoms, const Array<2, T> places,
               const Array<2, int> neighbours, Array<2, T> forces) {
  for (unsigned i = coopIdx(); i < atoms.size(1); i += coopDim()) {
    T x = 0;
    T y = 0;
    T z = 0;
    for (unsigned k = 0; k < neighbours.size(0); ++k) {
      int j = neighbours[k][i];
      T dx = atoms[0][i] - places[0][j];
      T dy = atoms[1][i] - places[1][j];
      T dz = atoms[2][i] - places[2][j];
      T square = dx * dx + dy * dy + dz * dz;
      if (square < cutoff && square > 0) {
        T force = lennard_jones<T>(square, lj1, lj2);
        x += dx * force;
        y += dy * force;
        z += dz * force;
      }
    }
    forces[0][i] = x;
    forces[1][i] = y;
    forces[2][i] = z;
  }
}

// As many blocks of atoms as there are workers.
template <class T> __codelet __tag(atom_parts)
void forces_on(T cutoff, T lj1, T lj2, const Array<2, T> atoms, const Array<2, T> places,
               const Array<2, int> neighbours, Array<2, T> forces) {
  __tunable unsigned p;
  map(forces_on<T>, cutoff, lj1, lj2, cols(atoms, p), all(places), cols(neighbours, p), cols(forces, p));
}

// Blocks of b atoms.
template <class T> __codelet __tag(atom_blocks)
void forces_on(T cutoff, T lj1, T lj2, const Array<2, T> atoms, const Array<2, T> places,
               const Array<2, int> neighbours, Array<2, T> forces) {
  __tunable unsigned b = choice(256, 64, 128, 512);
  map(forces_on<T>, cutoff, lj1, lj2, col_chunks(atoms, b), all(places), col_chunks(neighbours, b), col_chunks(forces, b));
}

// What lies in rows, in columns: a column of `places` becomes a row of `packed`, ended by a zero.
template <class T> __codelet
void pack(const Array<2, T> places, Array<2, T> packed) {
  require(places.size(0) == 3);
  require(packed.size(1) == 4);
  require(packed.size(0) == places.size(1));
  for (unsigned i = 0; i < packed.size(0); ++i) {
    for (unsigned d = 0; d < 3; ++d)
      packed[i][d] = places[d][i];
    packed[i][3] = 0;
  }
}
template <class T> __codelet __coop __tag(pack_lanes)
void pack(const Array<2, T> places, Array<2, T> packed) {
  for (unsigned i = coopIdx(); i < packed.size(0); i += coopDim()) {
    for (unsigned d = 0; d < 3; ++d)
      packed[i][d] = places[d][i];
    packed[i][3] = 0;
  }
}
template <class T> __codelet __tag(pack_parts)
void pack(const Array<2, T> places, Array<2, T> packed) {
  __tunable unsigned p;
  map(pack<T>, cols(places, p), rows(packed, p));
}

// The forces on `atoms`, whose neighbours are rows of `packed`: x, y, z, and what is added to the squares of distances
// from there, which is 0 and makes compilers read a row as one vector.
template <class T> __codelet
void forces_near(T cutoff, T lj1, T lj2, const Array<2, T> atoms, const Array<2, T> packed,
                 const Array<2, int> neighbours, Array<2, T> forces) {
  require(atoms.size(0) == 3);
  require(packed.size(1) == 4);
  require(forces.size(0) == 3);
  require(forces.size(1) == atoms.size(1));
  require(neighbours.size(1) == atoms.size(1));
  require(within(neighbours, 0, packed.size(0)));
  for (unsigned i = 0; i < atoms.size(1); ++i) {
    T x = 0;
    T y = 0;
    T z = 0;
    for (unsigned k = 0; k < neighbours.size(0); ++k) {
      int j = neighbours[k][i];
      T dx = atoms[0][i] - packed[j][0];
      T dy = atoms[1][i] - packed[j][1];
      T dz = atoms[2][i] - packed[j][2];
      T square = dx * dx + dy * dy + dz * dz + packed[j][3];
      if (square < cutoff && square > 0) {
        T force = lennard_jones<T>(square, lj1, lj2);
        x += dx * force;
        y += dy * force;
        z += dz * force;
      }
    }
    forces[0][i] = x;
    forces[1][i] = y;
    forces[2][i] = z;
  }
}

template <class T> __codelet __coop __tag(lane_an_atom_near)
void forces_near(T cutoff, T lj1, T lj2, const Array<2, T> atoms, const Array<2, T> packed,
                 const Array<2, int> neighbours, Array<2, T> forces) {
  for (unsigned i = coopIdx(); i < atoms.size(1); i += coopDim()) {
    T own[3];
    T sums[3];
    for (unsigned d = 0; d < 3; ++d) {
      own[d] = atoms[d][i];
      sums[d] = 0;
    }
    for (unsigned k = 0; k < neighbours.size(0); ++k) {
      int j = neighbours[k][i];
      T place[4];
      for (unsigned d = 0; d < 4; ++d)
        place[d] = packed[j][d];
      T dx = own[0] - place[0];
      T dy = own[1] - place[1];
      T dz = own[2] - place[2];
      T square = dx * dx + dy * dy + dz * dz + place[3];
      if (square < cutoff && square > 0) {
        T force = lennard_jones<T>(square, lj1, lj2);
        sums[0] += dx * force;
        sums[1] += dy * force;
        sums[2] += dz * force;
      }
    }
    for (unsigned d = 0; d < 3; ++d)
      forces[d][i] = sums[d];
  }
}

template <class T> __codelet __tag(near_blocks)
void forces_near(T cutoff, T lj1, T lj2, const Array<2, T> atoms, const Array<2, T> packed,
                 const Array<2, int> neighbours, Array<2, T> forces) {
  __tunable unsigned b = choice(256, 64, 128, 512);
  map(forces_near<T>, cutoff, lj1, lj2, col_chunks(atoms, b), all(packed), col_chunks(neighbours, b), col_chunks(forces, b));
}

// The forces on all atoms.
template <class T> __codelet
void md(T cutoff, T lj1, T lj2, const Array<2, T> places, const Array<2, int> neighbours, Array<2, T> forces) {
  require(places.size(0) == 3);
  require(forces.size(0) == 3);
  require(forces.size(1) == places.size(1));
  require(neighbours.size(1) == places.size(1));
  require(within(neighbours, 0, places.size(1)));
  typical(neighbours.size(0), 128);
  for (unsigned i = 0; i < places.size(1); ++i) {
    T x = 0;
    T y = 0;
    T z = 0;
    for (unsigned k = 0; k < neighbours.size(0); ++k) {
      int j = neighbours[k][i];
      T dx = places[0][i] - places[0][j];
      T dy = places[1][i] - places[1][j];
      T dz = places[2][i] - places[2][j];
      T square = dx * dx + dy * dy + dz * dz;
      if (square < cutoff && square > 0) {
        T force = lennard_jones<T>(square, lj1, lj2);
        x += dx * force;
        y += dy * force;
        z += dz * force;
      }
    }
    forces[0][i] = x;
    forces[1][i] = y;
    forces[2][i] = z;
  }
}
template <class T> __codelet __tag(md_atoms)
void md(T cutoff, T lj1, T lj2, const Array<2, T> places, const Array<2, int> neighbours, Array<2, T> forces) {
  forces_on<T>(cutoff, lj1, lj2, places, places, neighbours, forces);
}

// Places are packed first: neighbours are anywhere.
template <class T> __codelet __tag(md_packed)
void md(T cutoff, T lj1, T lj2, const Array<2, T> places, const Array<2, int> neighbours, Array<2, T> forces) {
  Array<2, T> packed(places.size(1), 4);
  pack<T>(places, packed);
  forces_near<T>(cutoff, lj1, lj2, places, packed, neighbours, forces);
}

template void md<double>(double, double, double, const Array<2, double>, const Array<2, int>, Array<2, double>);
template void md<float>(float, float, float, const Array<2, float>, const Array<2, int>, Array<2, float>);
