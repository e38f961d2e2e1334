// Writes a sparse matrix as values.npy (float), columns.npy and offsets.npy (int), or a graph as offsets.npy
// and targets.npy, with distance.npy, of which vertex 0 is known (all int):
//   write_matrix poisson|irregular|random|grid SIZE FOLDER
#include "../harness/matrices.h"

#include <limits>

namespace {

template <class T>
void write(const std::string &path, const char *type, const std::vector<T> &values) {
  std::string header = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (" +
                       std::to_string(values.size()) + ",), }";
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

void writeGraph(const std::string &folder, const Sparse<char> &graph) {
  std::vector<int> distance(graph.rows(), std::numeric_limits<int>::max());
  if (!distance.empty())
    distance[0] = 0;
  write(folder + "/offsets.npy", "<i4", graph.offsets);
  write(folder + "/targets.npy", "<i4", graph.columns);
  write(folder + "/distance.npy", "<i4", distance);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "write_matrix poisson|irregular|random|grid SIZE FOLDER\n");
    return 2;
  }
  const std::string kind = argv[1];
  const std::string folder = argv[3];
  const std::size_t size = std::strtoull(argv[2], nullptr, 10);
  if (kind == "random" || kind == "grid") {
    writeGraph(folder, kind == "grid" ? gridGraph(size) : randomGraph(size, 6));
    return 0;
  }
  const Sparse<float> matrix = matrixOf<float>(kind, size);
  write(folder + "/values.npy", "<f4", matrix.values);
  write(folder + "/columns.npy", "<i4", matrix.columns);
  write(folder + "/offsets.npy", "<i4", matrix.offsets);
  return 0;
}
