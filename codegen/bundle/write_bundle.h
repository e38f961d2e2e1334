// A bundle becomes a folder.
#pragma once

#include "codegen/bundle/bundle.h"

#include <filesystem>

namespace tangram::codegen {

struct WriteOptions {
  bool isForced = false;    ///< write also into a folder that is not this bundle's
  bool isTemporary = false; ///< it goes soon: nothing waits for the disk
};

/// Writes the files into `folder`, which is made when absent, and lists them in the manifest as its
/// `contents`. Of a bundle of the same spectrum that is there, what its manifest lists is replaced;
/// everything else stays. A folder that holds anything but a bundle, a bundle of another spectrum, and
/// files that would be replaced though no manifest lists them are refused, and named, unless it is forced:
/// then files of the same names are replaced, and those that the manifest lists. All of it is there at once
/// (files/replace_folder.h). Returns an error message, empty when all went well.
std::string writeBundle(const BundleFiles &files, const std::filesystem::path &folder,
                        const WriteOptions &options = {});

} // namespace tangram::codegen
