// Libraries whose vectors are wider than those of this processor.
#pragma once

#include <string>
#include <vector>

namespace tangram::driver {

/// Bytes of the widest vector type that a C source declares by GCC's attribute `vector_size`; 0: none.
unsigned widestVector(const std::string &source);

/// Bytes of a vector register of this processor; 0: not known for its architecture.
unsigned vectorBytesHere();

/// The note on a source whose vectors do not fit one register of `bytes`; empty: they fit. GCC keeps such vectors in
/// memory, piece by piece.
std::string tooWideVectors(const std::string &source, unsigned bytes);

/// Tells it on a terminal, for the first of these bundles that has such vectors.
void tellOfWideVectors(const std::vector<std::string> &bundles);

} // namespace tangram::driver
