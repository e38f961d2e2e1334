// tangram hw: hardware models, listed, shown, validated, detected.
// Results go to `out`, messages to `err`; each function returns the exit status
// (0 fine, 1 the input is wrong).
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace tangram::driver {

struct HwOptions {
  std::vector<std::filesystem::path> folders; ///< where models are looked for, by name
  std::string format = "text";                ///< "text" or "json"
};

/// Every model of the folders: name, levels, targets, description. A model that is
/// not valid is left out, reported, and makes the status 1. JSON:
/// {"models": [{"name", "description", "levels": ["G", ...], "targets": [...], "file"}]}
int hwList(const HwOptions &options, std::ostream &out, std::ostream &err);

/// One model (a name, or a path to a .json file): its hierarchy as a picture, every
/// field, and what each target makes of it. JSON: the model in the form of its file,
/// defaults filled in.
int hwShow(const std::string &nameOrFile, const HwOptions &options, std::ostream &out,
           std::ostream &err);

/// Check one file ("-": standard input). "FILE: ok (3 levels, targets opencl, cuda)", or
/// its errors on `err` and status 1. JSON, on `out` either way:
/// {"file", "valid", "levels": [...], "targets": [...], "errors": [{"pointer", "message"}]}
int hwValidate(const std::string &file, const HwOptions &options, std::ostream &out,
               std::ostream &err);

struct DetectOptions {
  std::string name = "this-machine"; ///< of the model
  std::string device;                ///< OpenCL's, as for tangram-run; empty: the processor
  std::string measured; ///< a file of `tangram-run measure --format json`; empty: measure
  bool quick = false;   ///< measure nothing
  std::string command;  ///< as it was called, for the model's sources
};

/// Print a model of this machine, in the form of a model file (whatever the format): of its processor,
/// or of an OpenCL device; with figures that `tangram-run measure` gives. Returns that command's exit
/// status where it fails.
int hwDetect(const DetectOptions &options, std::ostream &out, std::ostream &err);

} // namespace tangram::driver
