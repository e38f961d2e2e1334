// Bioinformatics: how often each word of six bases occurs in a genome.
#include <tangram.h>

constexpr unsigned length = 6;

__codelet void kmer_counts(const Array<1, unsigned char> genome, Array<1, unsigned> counts) {
  require(within(genome, 0, 4));
  require(counts.size() == 4096);
  for (unsigned word = 0; word < counts.size(); ++word)
    counts[word] = 0;
  for (unsigned i = 0; i + length <= genome.size(); ++i) {
    unsigned word = 0;
    for (unsigned k = 0; k < length; ++k)
      word = word * 4 + genome[i + k];
    counts[word & 4095] += 1;
  }
}
