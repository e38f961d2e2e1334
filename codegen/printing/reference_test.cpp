#include "codegen/printing/source.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

/// The function of a reference, between its includes and its entry.
std::string reference(const std::string &source, const std::string &spectrum) {
  const ir::Program program = fixture::parse(source);
  auto printed = printReference(program, *program.spectrum(spectrum));
  if (auto *refusal = std::get_if<Refusal>(&printed))
    return refusal->reason;
  const std::string text = std::get<ReferenceSource>(printed).text;
  const std::size_t begin = text.find("static ");
  return "\n" + text.substr(begin, text.find("\nint tangram_reference") - begin);
}

TEST(Reference, IsInTheCodeletsOwnNumbers) {
  EXPECT_EQ(reference("__codelet float total(const Array<1, float> in) {\n"
                      "  double s = 0;\n"
                      "  for (unsigned i = 0; i < in.size(); ++i)\n"
                      "    s += max(sqrt(in[i]), 0.5f);\n"
                      "  return s;\n"
                      "}\n",
                      "total"),
            R"(
static float reference(const float *in, size_t in_size) {
  double s = 0.0;
  for (size_t i = 0; i < in_size; ++i) {
    s += (double)((0.5f) > (sqrtf(in[i])) ? (0.5f) : (sqrtf(in[i])));
  }
  return (float)s;
}
)");
}

TEST(Reference, GivesCompilersNothingToSay) {
  EXPECT_EQ(reference("int halved(int x, int unused) { return x / 2; }\n"
                      "__codelet int below(unsigned limit, const Array<1, int> in, const Array<1, "
                      "int> other) {\n"
                      "  int first = in[0];\n"
                      "  int second = first + 1;\n"
                      "  return in[0] < limit ? halved(in[0], 1) : 0;\n"
                      "}\n",
                      "below"),
            R"(
static int halved(int x, int unused) {
  (void)unused;
  return x / 2;
}

static int reference(unsigned int limit, const int *in, size_t in_size, const int *other,
    size_t other_size) {
  (void)in_size;
  (void)other;
  (void)other_size;
  return (unsigned int)in[0] < limit ? halved(in[0], 1) : 0;
}
)");
}

} // namespace
} // namespace tangram::codegen
