// bytes_seen; derived_copies derived_split_e; text=900 seen=256
// Which bytes occur, as bytes: no atomic operation works on them, copies of the flags do.
#include <tangram.h>

__codelet void bytes_seen(const Array<1, unsigned char> text, Array<1, unsigned char> seen) {
  require(seen.size() == 256);
  for (unsigned i = 0; i < text.size(); ++i)
    seen[text[i]] = 1;
}
