// A model of the machine we run on, from what Linux tells in /proc and /sys.
#pragma once

#include "composer/machine/machine.h"

#include <filesystem>
#include <string>

namespace tangram::composer {

/// A level of which no more is known.
Level makeLevel(std::string name, std::string title, Capability compute, int subordinate, Sync sync,
                Tiling prefers);

/// Four levels as in hwmodels/cpu.json (process, thread, lane, chain) with this
/// machine's hardware threads, SIMD width (from the flags of /proc/cpuinfo; 128
/// bits when they name no wider unit) and caches (/sys/devices/system/cpu/cpu0/cache).
/// What cannot be read is left unknown. `root` stands for "/" (tests have one of their own).
Machine detectMachine(const std::string &name, const std::filesystem::path &root = "/");

} // namespace tangram::composer
