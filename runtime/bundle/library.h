// A bundle as a caller sees it: one plan, or several versions of a spectrum with rules that say by sizes
// which one is tried first (docs/bundle.md, "Several plans").
#pragma once

#include "runtime/bundle/manifest.h"
#include "runtime/bundle/requirements.h"
#include "runtime/bundle/tunables.h"

namespace tangram::runtime {

/// The version of manifest.json that a bundle of several plans has.
inline constexpr std::uint64_t libraryVersion = 2;

/// Sizes for which a version is tried first.
struct VersionRule {
  std::optional<Expression> when; ///< over extents; nothing: always
  std::size_t version = 0;
};

struct Library {
  std::vector<Manifest> versions; ///< one or more, of one signature; each names a folder of its own
  std::vector<VersionRule> rules; ///< of several: the last one, and no other, holds always
  std::filesystem::path folder;   ///< of several: where its own files are
  std::map<std::string, std::string> files; ///< of several: by role

  bool isSeveral() const { return versions.size() > 1; }

  /// Numbers of all versions in the order in which they are tried: first that of the first rule that
  /// holds, then the next ones, and after the last the first. Errors: of evaluating a rule.
  Result<std::vector<std::size_t>> order(const Bindings &bindings) const;

  /// The version that an emitted host calls on this device, with `bindings` as for chooseTunables: the first
  /// in order whose tunables have values, compile tunables their defaults; where there is none, the first
  /// that can be compiled to serve. Error (Fault::Refused): none can, and why not, version by version.
  Result<std::size_t> versionFor(const Bindings &bindings, const DeviceFacts &facts) const;
};

/// Read `bundle`/manifest.json (or `bundle` itself when it is a file), and of a bundle of several plans
/// those of its versions. Errors as readManifest has them.
Result<Library> readLibrary(const std::filesystem::path &bundle);

} // namespace tangram::runtime
