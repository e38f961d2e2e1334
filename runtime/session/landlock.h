// Landlock: a process gives up the right to write files outside a few folders, for itself and for all processes
// that it starts. The kernel's headers here may know an older version of Landlock than the running kernel has.
#pragma once

#include <filesystem>
#include <vector>

namespace tangram::runtime {

/// The version of Landlock that the running kernel has; 0: it has none, or it is switched off.
int landlockVersion();

/// The first version of Landlock that also keeps a process from truncating files, from the network and from signals.
constexpr int landlockKeepsFromTruncating = 3;
constexpr int landlockKeepsFromNetwork = 4;
constexpr int landlockKeepsFromSignals = 6;

/// From now on this process, which has set PR_SET_NO_NEW_PRIVS, writes, makes and removes files only in and
/// below `writable` (paths that are not there are left out); with the versions above it truncates none
/// elsewhere, neither binds nor connects TCP sockets, and signals no process that was there before. False:
/// nothing is confined; errno says why.
bool confineWriting(int version, const std::vector<std::filesystem::path> &writable);

} // namespace tangram::runtime
