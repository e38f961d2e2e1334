// What authors of libraries write, of kinds that went wrong: tiles that are sorted by their lanes.
#include <climits>
#include <tangram.h>

// Places by keys, tile by tile.
__codelet
void order_tile(const Array<1, int> keys, Array<1, unsigned> places) {
  require(places.size() == keys.size());
  require(keys.size() <= 64);
  for (unsigned i = 0; i < keys.size(); ++i) {
    unsigned rank = 0;
    for (unsigned j = 0; j < keys.size(); ++j) {
      if (keys[j] < keys[i] || (keys[j] == keys[i] && j < i))
        ++rank;
    }
    places[rank] = i;
  }
}
__codelet __coop __tag(bitonic)
void order_tile(const Array<1, int> keys, Array<1, unsigned> places) {
  require(places.size() == keys.size());
  require(keys.size() <= 64);
  __shared int key[64];
  __shared unsigned place[64];
  for (unsigned i = coopIdx(); i < 64; i += coopDim()) {
    key[i] = i < keys.size() ? keys[i] : INT_MAX;
    place[i] = i;
  }
  for (unsigned size = 2; size <= 64; size *= 2) {
    for (unsigned step = size / 2; step > 0; step /= 2) {
      for (unsigned base = 0; base < 32; base += coopDim()) {
        unsigned pair = base + coopIdx();
        if (pair < 32) {
          unsigned low = 2 * pair - pair % step;
          unsigned high = low + step;
          bool up = low / size % 2 == 0;
          bool more = key[low] > key[high] || (key[low] == key[high] && place[low] > place[high]);
          if (more == up) {
            int k = key[low];
            key[low] = key[high];
            key[high] = k;
            unsigned p = place[low];
            place[low] = place[high];
            place[high] = p;
          }
        }
      }
    }
  }
  for (unsigned i = coopIdx(); i < keys.size(); i += coopDim())
    places[i] = place[i];
}
__codelet
void order_tiles(const Array<1, int> keys, Array<1, unsigned> places) {
  require(places.size() == keys.size());
  for (unsigned first = 0; first < keys.size(); first += 64) {
    unsigned end = min((unsigned)keys.size(), first + 64);
    for (unsigned i = first; i < end; ++i) {
      unsigned rank = first;
      for (unsigned j = first; j < end; ++j) {
        if (keys[j] < keys[i] || (keys[j] == keys[i] && j < i))
          ++rank;
      }
      places[rank] = i - first;
    }
  }
}
__codelet __tag(by_tile)
void order_tiles(const Array<1, int> keys, Array<1, unsigned> places) {
  map(order_tile, chunks(keys, 64), chunks(places, 64));
}
