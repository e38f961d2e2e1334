// Writes a sparse matrix as values.npy, columns.npy and offsets.npy (int):
//   write_matrix poisson|irregular SIZE FOLDER [float|double]
#include "matrices.h"

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
    std::fprintf(stderr, "write_matrix poisson|irregular SIZE FOLDER [float|double]\n");
    return 2;
  }
  if (type == "float")
    writeMatrix<float>(argv[1], argv[2], argv[3], "<f4");
  else
    writeMatrix<double>(argv[1], argv[2], argv[3], "<f8");
  return 0;
}
