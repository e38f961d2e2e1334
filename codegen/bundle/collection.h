// A library of several spectrums: each is a bundle in a folder of its own, and above them stand one header, one handle and
// one package (docs/bundle.md, "Several spectrums").
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/printing/backend.h"

#include <string>
#include <vector>

namespace tangram::codegen {

/// The bundle of one spectrum, and what the package of all has to know of it.
struct CollectionMember {
  std::string spectrum; ///< as an identifier
  std::string name;     ///< of its function, files and folder
  BundleFiles files;
  std::vector<std::string> sources; ///< what is compiled into a program, relative to its folder
  PackageParts parts;
};

/// `files`: what makeBundle gave for `request`, or makeLibrary where `versions`, ids of plans, are not empty.
std::variant<CollectionMember, Refusal>
memberOf(const BundleRequest &request, const std::vector<std::string> &versions, BundleFiles files);

struct CollectionRequest {
  std::string name; ///< of the library, its header and its handle
  std::string target;
  std::string model;
  std::string sourceFile, sourceHash; ///< of the codelets
  std::string version = "1.0.0";
  bool python = false;
  std::vector<CollectionMember> members; ///< two or more
};

/// All files. Refused: two members, or one and the library, would have functions of one name.
std::variant<BundleFiles, Refusal> makeCollection(const CollectionRequest &request);

} // namespace tangram::codegen
