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

// The forces on all atoms.
template <class T> __codelet
void md(T cutoff, T lj1, T lj2, const Array<2, T> places, const Array<2, int> neighbours, Array<2, T> forces) {
  require(places.size(0) == 3);
  require(forces.size(0) == 3);
  require(forces.size(1) == places.size(1));
  require(neighbours.size(1) == places.size(1));
  require(within(neighbours, 0, places.size(1)));
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

template void md<double>(double, double, double, const Array<2, double>, const Array<2, int>, Array<2, double>);
template void md<float>(float, float, float, const Array<2, float>, const Array<2, int>, Array<2, float>);
