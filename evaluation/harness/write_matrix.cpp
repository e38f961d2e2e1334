// Writes a sparse matrix as values.npy, columns.npy and offsets.npy (int), or a graph as offsets.npy and
// targets.npy, with distance.npy, of which vertex 0 is known (all int):
//   write_matrix poisson|irregular|random|grid SIZE FOLDER [float|double]
#include "matrices.h"

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

template <class T>
void writeMatrix(const char *kind, const char *size, const std::string &folder, const char *type) {
  const Sparse<T> matrix = matrixOf<T>(kind, std::strtoull(size, nullptr, 10));
  write(folder + "/values.npy", type, matrix.values);
  write(folder + "/columns.npy", "<i4", matrix.columns);
  write(folder + "/offsets.npy", "<i4", matrix.offsets);
}

} // namespace

int main(int argc, char **argv) {
  const std::string type = argc == 5 ? argv[4] : argc == 4 ? "float" : "";
  if (type != "float" && type != "double") {
    std::fprintf(stderr, "write_matrix poisson|irregular|random|grid SIZE FOLDER [float|double]\n");
    return 2;
  }
  const std::string kind = argv[1];
  const std::size_t size = std::strtoull(argv[2], nullptr, 10);
  if (kind == "random" || kind == "grid")
    writeGraph(argv[3], kind == "grid" ? gridGraph(size) : randomGraph(size, 6));
  else if (type == "float")
    writeMatrix<float>(argv[1], argv[2], argv[3], "<f4");
  else
    writeMatrix<double>(argv[1], argv[2], argv[3], "<f8");
  return 0;
}
