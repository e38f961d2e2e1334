#include "runtime/session/standard_error.h"

#include "ir/temporary_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace tangram::runtime {

namespace {

/// A file that goes when it is closed; -1 when there is none to be had.
int temporaryFile() {
  std::string name = ir::temporaryPattern();
  int file = mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0)
    unlink(name.c_str());
  return file;
}

} // namespace

StandardErrorCapture::StandardErrorCapture() : file(temporaryFile()) {
  std::fflush(stderr);
  if (file >= 0)
    saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (saved >= 0)
    dup2(file, STDERR_FILENO);
}

StandardErrorCapture::~StandardErrorCapture() {
  restore();
  if (file >= 0)
    close(file);
}

void StandardErrorCapture::restore() {
  if (saved < 0)
    return;
  std::fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  saved = -1;
}

std::string StandardErrorCapture::take() {
  restore();
  std::string text;
  char chunk[4096];
  off_t at = 0;
  for (ssize_t got; file >= 0 && (got = pread(file, chunk, sizeof chunk, at)) > 0; at += got)
    text.append(chunk, static_cast<std::size_t>(got));
  while (text.ends_with('\n'))
    text.pop_back();
  return text;
}

} // namespace tangram::runtime
