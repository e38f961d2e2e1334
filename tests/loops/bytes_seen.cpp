// bytes_seen; derived_copies derived_split_e; text=900 seen=256
// Flags of the bytes that occur are bytes: there is no atomic operation for these, so parts have copies of the flags.
#include <tangram.h>

__codelet void bytes_seen(const Array<1, unsigned char> text, Array<1, unsigned char> seen) {
  require(seen.size() == 256);
  for (unsigned i = 0; i < text.size(); ++i)
    seen[text[i]] = 1;
}
