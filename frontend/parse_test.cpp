#include "frontend/parse.h"

#include "frontend/language_paths.h"
#include "frontend/source_under_test.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace tangram::frontend {

namespace {

const std::string sumFile = TANGRAM_SOURCE_DIR "/codelets/sum.cpp";

std::string placeOf(const ir::SourceLocation &at) {
  return std::to_string(at.line) + ":" + std::to_string(at.column) + "+" +
         std::to_string(at.length);
}

/// Name, flags and ordinal of each codelet, one a line.
std::string codelets(const ir::Spectrum &spectrum) {
  std::string text;
  for (const ir::Codelet &codelet : spectrum.codelets) {
    text += std::to_string(codelet.ordinal) + " " + codelet.name();
    text += codelet.cooperative ? " cooperative" : "";
    for (const std::string &target : codelet.targets)
      text += " " + target;
    text += "\n";
  }
  return text;
}

std::string signature(const ir::Spectrum &spectrum) {
  std::string text = ir::spelling(spectrum.result) + " " + spectrum.name + "(";
  for (const ir::VarPtr &param : spectrum.params)
    text += (param == spectrum.params.front() ? "" : ", ") + ir::spelling(param->type) + " " +
            param->name;
  return text + ")";
}

} // namespace

TEST(ParseFile, SumHasItsFourCodelets) {
  ParseResult result = parseFile(sumFile);
  ASSERT_EQ(ir::render(result.diagnostics), "");
  const ir::Program &program = *result.program;
  EXPECT_EQ(program.file, sumFile);
  ASSERT_EQ(program.spectrums.size(), 1U);
  const ir::Spectrum &sum = program.spectrums[0];
  EXPECT_EQ(signature(sum), "int sum(const Array<1, int> in)");
  EXPECT_EQ(codelets(sum), "1 sum#1\n"
                           "2 kog cooperative\n"
                           "3 asso_tiled\n"
                           "4 stride_tiled\n");
  EXPECT_TRUE(program.functions.empty());
}

TEST(ParseFile, SumHasTheBodiesAsWritten) {
  ParseResult result = parseFile(sumFile);
  ASSERT_EQ(ir::render(result.diagnostics), "");
  const std::vector<ir::Codelet> &sum = result.program->spectrums[0].codelets;
  EXPECT_EQ(ir::toString(sum[0].body), R"(unsigned len = in.size();
int accum = 0;
for (unsigned i = 0; i < len; i += 1) {
  accum += in[i];
}
return accum;
)");
  EXPECT_EQ(ir::toString(sum[1].body), R"(require(in.size() <= coopDim());
__shared int tmp[coopDim()];
unsigned len = in.size();
unsigned id = coopIdx();
tmp[id] = id < len ? in[id] : 0;
for (unsigned s = 1; s < coopDim(); s *= 2) {
  if (id >= s)
    tmp[id] += tmp[id - s];
}
return tmp[coopDim() - 1];
)");
  EXPECT_EQ(ir::toString(sum[2].body), R"(__tunable unsigned p;
unsigned len = in.size();
unsigned tile = (len + p - 1) / p;
return sum(map(sum, partition(in, p, sequence(0, tile, len), sequence(1), sequence(tile, tile, len + 1))));
)");
  EXPECT_EQ(ir::toString(sum[3].body), R"(__tunable unsigned p;
unsigned len = in.size();
return sum(map(sum, partition(in, p, sequence(0, 1, p), sequence(p), sequence(len))));
)");
}

TEST(ParseFile, HashesTheText) {
  // FNV-1a of the empty text is its offset basis.
  EXPECT_EQ(parseText("", "empty.cpp").program->contentHash, "cbf29ce484222325");
  EXPECT_EQ(parseText("\n", "line.cpp").program->contentHash, "af63c74c8601c8dd");
}

TEST(ParseFile, MissingFile) {
  ParseResult result = parseFile("/nowhere/sum.cpp");
  EXPECT_FALSE(result.program);
  EXPECT_EQ(ir::render(result.diagnostics),
            "/nowhere/sum.cpp: error: cannot read the file: No such file or directory\n");
}

TEST(ParseFile, Directory) {
  ParseResult result = parseFile(TANGRAM_SOURCE_DIR);
  EXPECT_FALSE(result.program);
  EXPECT_EQ(ir::render(result.diagnostics),
            TANGRAM_SOURCE_DIR ": error: cannot read the file: it is a folder\n");
}

TEST(ParseFile, EmptyFileIsAnEmptyProgram) {
  auto folder = std::filesystem::temp_directory_path() / "tangram-empty.cpp";
  std::ofstream(folder.string());
  ParseResult result = parseFile(folder.string());
  std::filesystem::remove(folder);
  ASSERT_TRUE(result.program);
  EXPECT_TRUE(result.program->spectrums.empty());
}

TEST(ParseText, PlacesCarryTheNameGiven) {
  ParseResult result = parseText("int x = y;\n", "-odd name.txt");
  EXPECT_EQ(ir::render(result.diagnostics),
            "-odd name.txt:1:9: error: use of undeclared identifier 'y'\n"
            "note: the language of codelets is declared by '#include <tangram.h>'\n");
}

TEST(ParseText, SearchesIncludeFolders) {
  auto folder = std::filesystem::temp_directory_path() / "tangram-include-folder";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "bias.h") << "const int bias = 40;\n";
  ParseOptions options;
  options.includeDirs = {folder.string()};
  std::string text = "#include \"bias.h\"\n#include <tangram.h>\n"
                     "__codelet int f(int x) { return x + bias; }\n";
  ParseResult found = parseText(text, "test.cpp", options);
  ParseResult missing = parseText(text, "test.cpp");
  std::filesystem::remove_all(folder);
  ASSERT_EQ(ir::render(found.diagnostics), "");
  EXPECT_EQ(ir::toString(found.program->spectrums[0].codelets[0].body), "return x + 40;\n");
  EXPECT_EQ(missing.diagnostics.at(0).message, "'bias.h' file not found");
}

TEST(ParseText, LanguageHeaderFromAnotherFolder) {
  ParseOptions options;
  options.languageDir = "/nowhere";
  ParseResult result = parseText("#include <tangram.h>\n", "/nowhere/test.cpp", options);
  EXPECT_EQ(ir::render(result.diagnostics),
            "/nowhere/test.cpp:1:10: error: 'tangram.h' file not found\n"
            "note: the language of codelets is declared by '#include <tangram.h>'\n");
}

TEST(ParseText, StandardHeadersGoWithTheLanguage) {
  const std::string headers = "#include <cmath>\n#include <cstdint>\n#include <climits>\n"
                              "#include <limits>\n#include <algorithm>\n#include <stddef.h>\n";
  const std::string codelet =
      "__codelet float f(float x) { return sqrt(x) + std::sqrt(x) + sqrtf(x); }\n";
  for (const std::string &text :
       {headers + "#include <tangram.h>\n" + codelet, "#include <tangram.h>\n" + headers + codelet,
        "#include <tangram.h>\n" + headers + "using namespace std;\n" + codelet}) {
    ParseResult result = parseText(text, "test.cpp");
    ASSERT_EQ(ir::render(result.diagnostics), "");
    EXPECT_EQ(ir::toString(result.program->spectrums[0].codelets[0].body),
              "return sqrt(x) + sqrt(x) + sqrt(x);\n");
  }
}

TEST(Program, SpectrumsInSourceOrder) {
  ParseResult result = parseSource(R"(
__codelet int second(const Array<1, int> in);
__codelet int first(const Array<1, int> values, int n);
__codelet __tag(plain)
int first(const Array<1, int> in, const int count) { return second(in) + count; }
__codelet int second(const Array<1, int> in) { return in[0]; }
__codelet __env(opencl, cuda) __coop __tag(lanes)
int second(const Array<1, int> in) { return in[coopIdx()]; }
__codelet void scale(const Array<1, float> in, Array<1, float> out, double factor) {
  for (unsigned i = 0; i < in.size(); ++i)
    out[i] = in[i] * factor;
}
)");
  ASSERT_EQ(ir::render(result.diagnostics), "");
  const std::vector<ir::Spectrum> &spectrums = result.program->spectrums;
  ASSERT_EQ(spectrums.size(), 3U);
  EXPECT_EQ(signature(spectrums[0]), "int second(const Array<1, int> in)");
  EXPECT_EQ(signature(spectrums[1]), "int first(const Array<1, int> values, int n)");
  EXPECT_EQ(signature(spectrums[2]),
            "void scale(const Array<1, float> in, Array<1, float> out, double factor)");
  EXPECT_EQ(codelets(spectrums[0]), "1 second#1\n2 lanes cooperative opencl cuda\n");
  EXPECT_EQ(codelets(spectrums[1]), "1 plain\n");
  EXPECT_EQ(spectrums[1].codelets[0].params[1]->name, "count");
  EXPECT_EQ(result.program->spectrum("scale"), &spectrums[2]);
}

TEST(Program, QualifiersStandInAnyOrderAndThroughMacros) {
  ParseResult result = parseSource(R"(
#define LANES __codelet __coop
__tag(before) __coop // a comment
__env(openmp)
__codelet int f(const Array<1, int> in) { return in[coopIdx()]; }
LANES __tag(macro) int f(const Array<1, int> in) { return in[coopIdx()]; }
__codelet int __tag(within) f(const Array<1, int> in) { return in[0]; }
__codelet static inline int __coop f(const Array<1, int> &in) { return in[0]; }
#define SAME(x) x
SAME(__codelet __tag(argument) int f(const Array<1, int> in) { return in[0]; })
)");
  ASSERT_EQ(ir::render(result.diagnostics), "");
  EXPECT_EQ(codelets(result.program->spectrums[0]), "1 before cooperative openmp\n"
                                                    "2 macro cooperative\n"
                                                    "3 within\n"
                                                    "4 f#4 cooperative\n"
                                                    "5 argument\n");
}

TEST(Program, MaximumOfFloats) {
  ParseResult result = parseSource(R"(
__codelet
float maximum(const Array<1, float> in) {
  float best = in[0];
  for (unsigned i = 1; i < in.size(); ++i)
    best = max(best, in[i]);
  return best;
}
__codelet __tag(tiled)
float maximum(const Array<1, float> in) {
  __tunable unsigned p = pow2(2, 64);
  unsigned tile = (in.size() + p - 1) / p;
  return maximum(map(maximum, partition(in, p, sequence(0, tile, in.size()), sequence(1),
                                        sequence(tile, tile, in.size() + 1))));
}
)");
  ASSERT_EQ(ir::render(result.diagnostics), "");
  const ir::Spectrum &maximum = result.program->spectrums.at(0);
  EXPECT_EQ(signature(maximum), "float maximum(const Array<1, float> in)");
  EXPECT_EQ(codelets(maximum), "1 maximum#1\n2 tiled\n");
  EXPECT_EQ(ir::toString(maximum.codelets[0].body), R"(float best = in[0];
for (unsigned i = 1; i < in.size(); i += 1)
  best = max(best, in[i]);
return best;
)");
  const ir::Stmt &returned = *maximum.codelets[1].body->children.back();
  EXPECT_EQ(returned.value->kind, ir::ExprKind::SpectrumCall);
  EXPECT_EQ(ir::spelling(returned.value->args[0]->type), "Array<1, float>");
  EXPECT_EQ(ir::spelling(returned.value->args[0]->args[0]->type),
            "const container of Array<1, float>");
}

TEST(Program, PlacesAreThoseOfTheSource) {
  ParseResult result = parseSource(R"(
__codelet int f(const Array<1, int> in);
__codelet __tag(two)
int f(const Array<1, int> values) {
  unsigned len = values.size(), half = len / 2;
  if (half > 0)
    return values[half] +
           values[0];
  return 0;
}
)");
  ASSERT_EQ(ir::render(result.diagnostics), "");
  const ir::Spectrum &f = result.program->spectrums.at(0);
  const ir::Codelet &two = f.codelets.at(0);
  EXPECT_EQ(placeOf(f.location), "2:15+1");
  EXPECT_EQ(placeOf(f.params[0]->location), "2:37+2");
  EXPECT_EQ(placeOf(two.location), "4:5+1");
  EXPECT_EQ(placeOf(two.params[0]->location), "4:27+6");
  const std::vector<ir::StmtPtr> &body = two.body->children;
  EXPECT_EQ(placeOf(body.at(0)->location), "5:12+3");
  EXPECT_EQ(placeOf(body.at(0)->value->location), "5:18+13");
  EXPECT_EQ(placeOf(body.at(1)->location), "5:33+4");
  EXPECT_EQ(placeOf(body.at(1)->value->args.at(1)->location), "5:46+1");
  EXPECT_EQ(placeOf(body.at(2)->location), "6:3+2");
  EXPECT_EQ(placeOf(body.at(2)->value->location), "6:7+8");
  // What runs over several lines is underlined on its first.
  EXPECT_EQ(placeOf(body.at(2)->children.at(0)->location), "7:5+21");
  EXPECT_EQ(body.at(0)->location.file, "test.cpp");
}

TEST(LanguagePaths, OfABuild) {
  EXPECT_EQ(languageDir(), TANGRAM_SOURCE_DIR "/frontend");
  EXPECT_TRUE(std::filesystem::exists(clangResourceDir() + "/include/stddef.h"));
}

} // namespace tangram::frontend
