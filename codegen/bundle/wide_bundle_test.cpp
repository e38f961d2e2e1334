#include "codegen/bundle/wide_bundle.h"

#include "codegen/test_fixture.h"

#include <nlohmann/json.hpp>

namespace tangram::codegen {
namespace {

using fixture::compute;
using fixture::devolve;
using nlohmann::json;

const char *const totals = R"(
#include <cmath>
template <class T> __codelet T total(const Array<1, T> in, T factor) {
  T s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s += exp(in[i]) * factor * T(0.1);
  return s;
}
template float total<float>(const Array<1, float>, float);
template double total<double>(const Array<1, double>, double);
__codelet int count(const Array<1, int> in) {
  int s = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    s += in[i] > 0 ? 1 : 0;
  return s;
}
)";

BundleFiles bundleOf(const std::string &spectrum, const std::string &target) {
  const ir::Program program = fixture::parse(totals);
  const composer::Machine machine = fixture::projected("simple-gpu", target);
  const ir::PlanPtr plan = devolve(0, spectrum, devolve(1, spectrum, compute(2, spectrum, 0)));
  auto made = makeBundle({&program, spectrum, plan, &machine, target, "1a2b3c4d", {"S_G"}, {}, {}});
  EXPECT_TRUE(std::holds_alternative<BundleFiles>(made));
  return std::get<BundleFiles>(std::move(made));
}

/// Those in wide/.
std::string namesOf(const BundleFiles &files) {
  std::string names;
  for (const auto &[name, text] : files) {
    if (name.starts_with("wide/"))
      names += (names.empty() ? "" : " ") + name.substr(5);
  }
  return names;
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(WideBundle, HasWhatARunNeedsOfIt) {
  EXPECT_EQ(namesOf(bundleOf("total<float>", "openmp")),
            "entry.c manifest.json reference.c total_float.c total_float.h");
  EXPECT_EQ(namesOf(bundleOf("total<float>", "opencl")),
            "manifest.json reference.c total_float.cl");
  EXPECT_EQ(namesOf(bundleOf("total<double>", "opencl")),
            "entry.c manifest.json reference.c total_double.c total_double.h")
      << "OpenCL has no wider numbers than doubles";
  EXPECT_EQ(namesOf(bundleOf("count", "openmp")), "");
}

TEST(WideBundle, IsNamedByTheManifestWhereThereIsOne) {
  for (const char *target : {"openmp", "opencl"}) {
    const json manifest = json::parse(bundleOf("total<double>", target).at("manifest.json"));
    EXPECT_EQ(manifest.at("files").at("wide"), "wide/manifest.json");
    EXPECT_FALSE(manifest.contains("wide_refusal"));
    EXPECT_FALSE(
        json::parse(bundleOf("count", target).at("manifest.json")).at("files").contains("wide"));
  }
}

TEST(WideBundle, DiffersInElementsOnly) {
  const BundleFiles files = bundleOf("total<float>", "opencl");
  json narrow = json::parse(files.at("manifest.json"));
  const json wide = json::parse(files.at("wide/manifest.json"));
  EXPECT_EQ(wide.at("signature").at("result").at("element"), "f64");
  for (const char *same : {"spectrum", "target", "plan", "tunables", "constraints", "source"})
    EXPECT_EQ(wide.at(same), narrow.at(same)) << same;
  for (json &parameter : narrow.at("signature").at("parameters"))
    parameter["element"] = "f64";
  EXPECT_EQ(wide.at("signature").at("parameters"), narrow.at("signature").at("parameters"));
}

TEST(WideBundle, DoublesBecomeNumbersOf128Bits) {
  const BundleFiles files = bundleOf("total<double>", "opencl");
  const json wide = json::parse(files.at("wide/manifest.json"));
  EXPECT_EQ(wide.at("target"), "openmp");
  EXPECT_EQ(wide.at("signature").at("result").at("element"), "f128");
  for (const char *name : {"wide/reference.c", "wide/total_double.c"}) {
    const std::string &text = files.at(name);
    EXPECT_TRUE(has(text, "extern __float128 expf128(__float128);\n")) << text;
    EXPECT_TRUE(has(text, "result_f64_in_f128(expf128(in[i]), 3) * factor")) << text;
    EXPECT_TRUE(has(text, "* (__float128)0.1")) << text;
    EXPECT_FALSE(has(text, "double s")) << text;
  }
}

TEST(WideBundle, FloatsOfAReferenceHaveTheirOwnNumbersAndThoseOfDoubles) {
  const BundleFiles files = bundleOf("total<float>", "openmp");
  EXPECT_TRUE(has(files.at("reference.c"), "expf(in[i]) * factor * 0.10000000149011612f"))
      << files.at("reference.c");
  EXPECT_TRUE(has(files.at("wide/reference.c"), "result_f32_in_f64(exp(in[i]), 3) * factor"))
      << files.at("wide/reference.c");
  EXPECT_TRUE(has(files.at("wide/reference.c"), "* 0.10000000149011612"))
      << files.at("wide/reference.c");
}

} // namespace
} // namespace tangram::codegen
