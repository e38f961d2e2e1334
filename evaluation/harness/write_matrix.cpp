// Writes a sparse matrix as values.npy, columns.npy and offsets.npy (int), or a graph as offsets.npy and
// targets.npy, with distance.npy, of which vertex 0 is known, and before.npy, with the distances up to DEPTH
// (all int), or a dense matrix whose diagonal dominates as a.npy, or options on the stock market as prices.npy, strikes.npy and years.npy, or a square lattice of a
// lattice Boltzmann method as wall.npy (int) and cells.npy:
//   write_matrix poisson|irregular|random|grid|dominant|options|lattice SIZE FOLDER [float|double|DEPTH]
#include "matrices.h"

#include <limits>

namespace {

template <class T>
void write(const std::string &path, const char *type, const std::vector<T> &values,
           const std::string &shape = "") {
  std::string header = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (" +
                       (shape.empty() ? std::to_string(values.size()) + "," : shape) + "), }";
  header.append(118 - header.size() - 1, ' ');
  std::ofstream file(path, std::ios::binary);
  file.write("\x93NUMPY\x01\x00\x76\x00", 10);
  file << header << '\n';
  file.write(reinterpret_cast<const char *>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(T)));
  if (!file) {
    std::fprintf(stderr, "write_matrix: cannot write %s\n", path.c_str());
    std::exit(1);
  }
}

constexpr int unknown = std::numeric_limits<int>::max();

/// Of each vertex from vertex 0, as far as `levels` of them go.
std::vector<int> distancesUpTo(int levels, const Sparse<char> &graph) {
  std::vector<int> distance(graph.rows(), unknown);
  std::vector<std::size_t> level;
  if (!distance.empty()) {
    distance[0] = 0;
    level.push_back(0);
  }
  for (int depth = 0; depth < levels && !level.empty(); ++depth) {
    std::vector<std::size_t> next;
    for (const std::size_t vertex : level) {
      for (int k = graph.offsets[vertex]; k < graph.offsets[vertex + 1]; ++k) {
        const auto neighbour = static_cast<std::size_t>(graph.columns[static_cast<std::size_t>(k)]);
        if (distance[neighbour] != unknown)
          continue;
        distance[neighbour] = depth + 1;
        next.push_back(neighbour);
      }
    }
    level = std::move(next);
  }
  return distance;
}

void writeGraph(const std::string &folder, const Sparse<char> &graph, int depth) {
  write(folder + "/offsets.npy", "<i4", graph.offsets);
  write(folder + "/targets.npy", "<i4", graph.columns);
  write(folder + "/distance.npy", "<i4", distancesUpTo(0, graph));
  write(folder + "/before.npy", "<i4", distancesUpTo(depth, graph));
}

template <class T>
void writeMatrix(const char *kind, std::size_t size, const std::string &folder, const char *type) {
  const Sparse<T> matrix = matrixOf<T>(kind, size);
  write(folder + "/values.npy", type, matrix.values);
  write(folder + "/columns.npy", "<i4", matrix.columns);
  write(folder + "/offsets.npy", "<i4", matrix.offsets);
}

template <class T> void writeDense(std::size_t n, const std::string &folder, const char *type) {
  write(folder + "/a.npy", type, dominantMatrix<T>(n),
        std::to_string(n) + ", " + std::to_string(n));
}

template <class T> void writeOptions(std::size_t n, const std::string &folder, const char *type) {
  write(folder + "/prices.npy", type, numbersBetween<T>(n, 1, 5, 30));
  write(folder + "/strikes.npy", type, numbersBetween<T>(n, 2, 1, 100));
  write(folder + "/years.npy", type, numbersBetween<T>(n, 3, 0.25, 10));
}

template <class T> void writeLattice(std::size_t n, const std::string &folder, const char *type) {
  const Lattice<T> lattice = latticeOf<T>(n, n);
  const std::string shape = std::to_string(n) + ", " + std::to_string(n);
  write(folder + "/wall.npy", "<i4", lattice.wall, shape);
  write(folder + "/cells.npy", type, lattice.cells, "9, " + shape);
}

/// What kinds there are for floating point numbers of this type.
template <class T>
void writeNumbers(const std::string &kind, std::size_t size, const std::string &folder,
                  const char *type) {
  if (kind == "dominant")
    writeDense<T>(size, folder, type);
  else if (kind == "options")
    writeOptions<T>(size, folder, type);
  else if (kind == "lattice")
    writeLattice<T>(size, folder, type);
  else
    writeMatrix<T>(kind.c_str(), size, folder, type);
}

} // namespace

int main(int argc, char **argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  const bool isGraph = kind == "random" || kind == "grid";
  const std::string last = argc == 5 ? argv[4] : argc == 4 ? (isGraph ? "0" : "float") : "";
  const bool isGiven =
      isGraph ? !last.empty() && last.find_first_not_of("0123456789") == std::string::npos
              : last == "float" || last == "double";
  if (!isGiven) {
    std::fprintf(stderr,
                 "write_matrix poisson|irregular|random|grid|dominant|options|lattice SIZE FOLDER "
                 "[float|double|DEPTH]\n");
    return 2;
  }
  const std::size_t size = std::strtoull(argv[2], nullptr, 10);
  if (isGraph)
    writeGraph(argv[3], kind == "grid" ? gridGraph(size) : randomGraph(size, 6), std::stoi(last));
  else if (last == "float")
    writeNumbers<float>(kind, size, argv[3], "<f4");
  else
    writeNumbers<double>(kind, size, argv[3], "<f8");
  return 0;
}
