// What one row of the table is made of: data, our entry point, peers, and what is right.
//
// All variants of a row live in one process and work on the same arrays; main.cpp lets them take
// turns.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

/// Elements that nobody has touched yet, aligned to huge pages.
template <class T> class Array {
public:
  explicit Array(std::size_t size)
      : size_(size), data_(static_cast<T *>(std::aligned_alloc(
                         alignment, (size * sizeof(T) / alignment + 1) * alignment))) {
    if (!data_)
      throw std::bad_alloc();
  }
  T *data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T &operator[](std::size_t i) const { return data_.get()[i]; }
  T *begin() const { return data(); }
  T *end() const { return data() + size_; }

private:
  struct Free {
    void operator()(T *data) const { std::free(data); }
  };
  static constexpr std::size_t alignment = std::size_t{2} << 20;
  std::size_t size_;
  std::unique_ptr<T, Free> data_;
};

/// Number i of a random sequence, the same on every machine and for any number of threads.
inline std::uint64_t randomNumber(std::uint64_t i, std::uint64_t seed) {
  std::uint64_t x = (i + (seed << 40)) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// In [0, 1).
inline double randomUnit(std::uint64_t i, std::uint64_t seed) {
  return static_cast<double>(randomNumber(i, seed) >> 11) * 0x1p-53;
}

/// Every element is value(i); each thread touches first what it will read.
template <class T, class Value> void fill(const Array<T> &array, const Value &value) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < array.size(); ++i)
    array[i] = static_cast<T>(value(i));
}

/// Arguments of tangram_call (docs/bundle.md), in the order of the parameters.
class Arguments {
public:
  template <class T>
  Arguments &container(const T *data, std::initializer_list<std::size_t> extents) {
    pointers_.push_back(const_cast<std::remove_const_t<T> *>(data));
    words_.push_back(&pointers_.back());
    for (const std::size_t extent : extents)
      number(extent);
    return *this;
  }
  /// A scalar or a result, which outlives the call.
  template <class T> Arguments &cell(T *value) {
    pointers_.push_back(value);
    words_.push_back(value);
    return *this;
  }
  template <class T> Arguments &result(T *value) {
    pointers_.push_back(value);
    words_.push_back(&pointers_.back());
    return *this;
  }
  Arguments &number(std::size_t value) {
    numbers_.push_back(value);
    words_.push_back(&numbers_.back());
    return *this;
  }
  void *const *data() const { return words_.data(); }

private:
  std::deque<void *> pointers_;
  std::deque<std::size_t> numbers_;
  std::vector<void *> words_;
};

/// A bundle as a shared object, with its launch tunables.
class Library {
public:
  /// "FILE.so[,TUNABLE]..."; ends the program with a message when it cannot be opened.
  explicit Library(const std::string &text);
  /// Ends the program when the bundle refuses.
  void call(Arguments arguments) const;

private:
  std::string file_;
  int (*entry_)(void *const *) = nullptr;
  std::vector<std::size_t> tunables_;
};

struct Peer {
  std::string name;
  std::function<void()> run;
};

struct Row {
  std::function<void(const Library &)> ours;
  std::vector<Peer> peers;
  std::function<void()> restore; ///< before every run, not timed; may be empty; wakes no threads
  std::function<void()> forget;  ///< before a run that is judged: what it writes is overwritten
  std::function<std::string()> wrong; ///< after it: "", or what differs from the truth
  double bytes = 0;                   ///< that have to move; 0: depends on data
  double operations = 0;              ///< of floating point, where they are what limits
};

/// The first index below `size` of which `wrong` holds, or `size`; all threads look.
template <class Wrong> std::size_t firstWrong(std::size_t size, const Wrong &wrong) {
  std::size_t found = size;
#pragma omp parallel for schedule(static) reduction(min : found)
  for (std::size_t i = 0; i < size; ++i) {
    if (i < found && wrong(i))
      found = i;
  }
  return found;
}

/// "element 3 is 4, expected 5" for the first element that is further off than `bound`; or "".
template <class T, class U>
std::string firstDifference(const T *got, const U *expected, std::size_t size, double bound) {
  const std::size_t i = firstWrong(size, [&](std::size_t each) {
    const double difference = static_cast<double>(got[each]) - static_cast<double>(expected[each]);
    return !(difference <= bound && -difference <= bound);
  });
  return i == size ? ""
                   : "element " + std::to_string(i) + " is " + std::to_string(got[i]) +
                         ", expected " + std::to_string(expected[i]);
}

using Words = std::vector<std::string>;

/// The rows of a program by name; `sizes` are the numbers after the name on the command line. Each
/// program of peers defines it.
extern const std::map<std::string, Row (*)(const Words &sizes)> makers;

inline std::size_t sizeAt(const Words &sizes, std::size_t i) {
  if (i >= sizes.size()) {
    std::fprintf(stderr, "number %zu of the row's sizes is missing\n", i + 1);
    std::exit(2);
  }
  return std::strtoull(sizes[i].c_str(), nullptr, 10);
}
