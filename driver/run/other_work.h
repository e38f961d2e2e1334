// What else the machine does while something is measured.
#pragma once

#include <string>

namespace tangram::driver {

/// Processors that this process may use, and how many of them other work keeps busy.
struct OtherWork {
  unsigned processors = 1;
  unsigned busy = 0;
};

/// `loadavg`: the text of /proc/loadavg, in which "3/512" says how many threads run, this one among them.
unsigned othersRunning(const std::string &loadavg);

/// Looks several times, some milliseconds apart: what runs each time is work, not a moment's.
OtherWork otherWork();

/// Where other work runs, threads of OpenMP that wait do not spin, as long as nobody has said how they wait (OMP_WAIT_POLICY):
/// they would take the processors that the others need to arrive. Returns what to tell; empty: the machine is free.
std::string waitPassivelyBeside(const OtherWork &other);

/// The same for the work that there is, told on a terminal. Before any process that runs bundles is started.
void prepareToMeasure();

} // namespace tangram::driver
