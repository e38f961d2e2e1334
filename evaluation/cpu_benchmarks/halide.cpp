#include "halide.h"

#if WITH_HALIDE

#include <halide14/HalideRuntime.h>

// Their arguments are addresses of scalars and of what describes images. Those that were not made are null.
#define PIPELINE(name)                                                                             \
  extern "C" [[gnu::weak]] int halide_##name##_argv(void **arguments);                             \
  extern "C" [[gnu::weak]] int halide_##name##_auto_argv(void **arguments);

#define ALL_PIPELINES(each)                                                                        \
  each(convolve) each(separable) each(gaussian) each(gradient) each(sobel) each(jacobi)            \
      each(jacobi9) each(life) each(hotspot) each(srad) each(heat3) each(jacobi13) each(hotspot3)  \
          each(acoustics)

ALL_PIPELINES(PIPELINE)

namespace {

using Entry = int (*)(void **);

struct Pipeline {
  Entry by_hand, automatic;
};

#define ENTRY(name) {#name, {halide_##name##_argv, halide_##name##_auto_argv}},

const std::map<std::string, Pipeline> pipelines = {ALL_PIPELINES(ENTRY)};

/// A call of a pipeline, with what its arguments point at.
class Call {
public:
  Call(Entry entry, const std::vector<float *> &scalars, const std::vector<Image> &images)
      : entry_(entry), scalars_(scalars) {
    for (const Image &image : images) {
      Described &described = images_.emplace_back();
      std::int32_t stride = 1;
      for (auto extent = image.extents.rbegin(); extent != image.extents.rend(); ++extent) {
        described.dimensions.push_back({0, static_cast<std::int32_t>(*extent), stride, 0});
        stride *= static_cast<std::int32_t>(*extent);
      }
      described.buffer.host = static_cast<std::uint8_t *>(image.data);
      described.buffer.type =
          halide_type_t(image.integers ? halide_type_int : halide_type_float, 32, 1);
      described.buffer.dimensions = static_cast<std::int32_t>(image.extents.size());
      described.buffer.dim = described.dimensions.data();
    }
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  int operator()() {
    std::vector<void *> arguments(scalars_.begin(), scalars_.end());
    for (Described &image : images_)
      arguments.push_back(&image.buffer);
    return entry_(arguments.data());
  }

private:
  struct Described {
    std::vector<halide_dimension_t> dimensions;
    halide_buffer_t buffer{};
  };
  Entry entry_;
  std::vector<float *> scalars_;
  std::deque<Described> images_;
};

} // namespace

void addHalide(Row &row, const std::string &name, const std::vector<float *> &scalars,
               const std::vector<Image> &images) {
  // Schedules may ask for more elements than there are; by default that ends the program.
  halide_set_error_handler([](void *, const char *) {});
  const Pipeline &pipeline = pipelines.at(name);
  for (const auto &[how, entry] : {std::pair("Halide", pipeline.by_hand),
                                   std::pair("Halide, autoscheduled", pipeline.automatic)}) {
    if (!entry)
      continue;
    const auto call = std::make_shared<Call>(entry, scalars, images);
    if ((*call)() == 0)
      row.peers.push_back({how, [call] {
                             if ((*call)() != 0)
                               std::exit(3);
                           }});
  }
}

#else

void addHalide(Row &, const std::string &, const std::vector<float *> &,
               const std::vector<Image> &) {}

#endif
