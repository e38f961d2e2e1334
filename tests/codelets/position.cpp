// Where the first element below a border is: returns and breaks inside loops.
#include <tangram.h>

__codelet
int position(const Array<1, int> in, int border) {
  for (unsigned i = 0; i < in.size(); ++i) {
    if (in[i] < border)
      return i;
  }
  return -1;
}

__codelet __tag(loops)
int position(const Array<1, int> in, int border) {
  unsigned i = 0;
  while (true) {
    if (i >= in.size())
      return -1;
    if (in[i] < border)
      break;
    ++i;
  }
  return i;
}
