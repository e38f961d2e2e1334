#include "runtime/data/npy.h"

#include "runtime/data/npy_header.h"
#include "runtime/data/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace tangram::runtime {

namespace {

const std::string magic = "\x93NUMPY";

/// Headers of real files have a hundred bytes or so; a length above this is garbage.
constexpr std::uint64_t maxHeaderBytes = 1U << 20;

/// The header's text; `stream` stands at the first element afterwards.
Result<std::string> readHeaderText(std::ifstream &stream) {
  char start[8];
  if (!stream.read(start, 6) || magic.compare(0, 6, start, 6) != 0)
    return inputError("not a .npy file (it does not start with \\x93NUMPY)");
  if (!stream.read(start, 2))
    return inputError("truncated: it ends inside its header");
  int major = static_cast<unsigned char>(start[0]);
  if (major < 1 || major > 3)
    return inputError("expected .npy format version 1, 2 or 3, found " + std::to_string(major) +
                      "." + std::to_string(static_cast<unsigned char>(start[1])));
  unsigned char length[4] = {0, 0, 0, 0};
  if (!stream.read(reinterpret_cast<char *>(length), major == 1 ? 2 : 4))
    return inputError("truncated: it ends inside its header");
  std::uint64_t bytes =
      length[0] | length[1] << 8 | length[2] << 16 | static_cast<std::uint64_t>(length[3]) << 24;
  if (bytes > maxHeaderBytes)
    return inputError("the header is malformed: it claims " + std::to_string(bytes) + " bytes");
  std::string text(bytes, '\0');
  if (!stream.read(text.data(), static_cast<std::streamsize>(bytes)))
    return inputError("truncated: it ends inside its header");
  return text;
}

/// Bytes of data the header promises.
Result<std::uint64_t> dataBytes(const NpyHeader &header) {
  std::uint64_t bytes = ir::byteSize(header.element);
  // A zero anywhere makes the array empty, whatever the other extents are.
  if (std::count(header.shape.begin(), header.shape.end(), 0U) > 0)
    return std::uint64_t{0};
  for (std::uint64_t extent : header.shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      return inputError("an array of shape " + shapeText(header.shape) +
                        " has more bytes than fit in 64 bits");
  }
  return bytes;
}

void swapBytes(std::byte *data, std::uint64_t bytes, std::size_t size) {
  for (std::uint64_t i = 0; i < bytes; i += size)
    std::reverse(data + i, data + i + size);
}

/// Column-major `from` to row-major `to`.
void transpose(const std::vector<std::uint64_t> &shape, std::size_t size, const std::byte *from,
               std::byte *to, std::uint64_t count) {
  std::vector<std::uint64_t> stride(shape.size());
  std::uint64_t step = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    stride[d] = step;
    step *= shape[d];
  }
  std::vector<std::uint64_t> index(shape.size(), 0);
  std::uint64_t source = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * size, from + source * size, size);
    for (std::size_t d = shape.size(); d-- > 0;) {
      source += stride[d];
      if (++index[d] < shape[d])
        break;
      source -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
}

Result<HostArray> readData(std::ifstream &stream, std::uint64_t available,
                           const NpyHeader &header) {
  Result<std::uint64_t> bytes = dataBytes(header);
  if (!bytes)
    return bytes.error();
  if (available != *bytes)
    return inputError((available < *bytes ? "truncated: " : "too long: ") + std::string("shape ") +
                      shapeText(header.shape) + " of " + numpyName(header.element) + " needs " +
                      std::to_string(*bytes) + " bytes of data, found " +
                      std::to_string(available));
  HostArray array{header.element, header.shape, HostMemory(*bytes)};
  auto *data = reinterpret_cast<char *>(array.memory.data());
  if (!stream.read(data, static_cast<std::streamsize>(*bytes)))
    return inputError(std::string("cannot be read: ") + std::strerror(errno));
  std::size_t size = ir::byteSize(header.element);
  if (header.swapped)
    swapBytes(array.memory.data(), *bytes, size);
  if (header.fortranOrder && header.shape.size() > 1) {
    HostMemory rowMajor(*bytes);
    transpose(header.shape, size, array.memory.data(), rowMajor.data(), *bytes / size);
    array.memory = std::move(rowMajor);
  }
  return array;
}

Result<HostArray> readOpened(std::ifstream &stream, std::uint64_t fileBytes) {
  Result<std::string> text = readHeaderText(stream);
  if (!text)
    return text.error();
  Result<NpyHeader> header = parseNpyHeader(*text);
  if (!header)
    return header.error();
  return readData(stream, fileBytes - static_cast<std::uint64_t>(stream.tellg()), *header);
}

} // namespace

Result<HostArray> readNpy(const std::filesystem::path &file) {
  std::error_code code;
  std::uint64_t bytes = std::filesystem::file_size(file, code);
  if (code)
    return inputError(file.string() + ": cannot be read: " + code.message());
  if (!std::filesystem::is_regular_file(file, code))
    return inputError(file.string() + ": cannot be read: it is no regular file");
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    return inputError(file.string() + ": cannot be read: " + std::strerror(errno));
  try {
    Result<HostArray> array = readOpened(stream, bytes);
    if (!array)
      return Error{array.error().fault, file.string() + ": " + array.error().message};
    return array;
  } catch (const std::bad_alloc &) {
    return failure(file.string() + ": does not fit in memory");
  }
}

Status writeNpy(const std::filesystem::path &file, const HostArray &array) {
  std::string header = npyHeaderText(array.element, array.shape);
  // The data starts on a multiple of 64 bytes; the header ends with a newline.
  std::size_t start = magic.size() + 4;
  header.append(63 - (start + header.size()) % 64, ' ');
  header += '\n';
  return writeFile(file, [&](std::ostream &stream) {
    stream << magic << '\1' << '\0' << static_cast<char>(header.size() & 0xFF)
           << static_cast<char>(header.size() >> 8) << header;
    stream.write(reinterpret_cast<const char *>(array.memory.data()),
                 static_cast<std::streamsize>(array.memory.bytes()));
  });
}

} // namespace tangram::runtime
