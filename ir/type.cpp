#include "ir/type.h"

#include <array>

namespace tangram::ir {

namespace {

struct ScalarInfo {
  Scalar scalar;
  const char *shortName;
  const char *spelling;
  std::size_t bytes;
};

constexpr std::array<ScalarInfo, 15> scalars{{
    {Scalar::Void, "void", "void", 0},
    {Scalar::Bool, "bool", "bool", 1},
    {Scalar::I8, "i8", "signed char", 1},
    {Scalar::U8, "u8", "unsigned char", 1},
    {Scalar::I16, "i16", "short", 2},
    {Scalar::U16, "u16", "unsigned short", 2},
    {Scalar::I32, "i32", "int", 4},
    {Scalar::U32, "u32", "unsigned", 4},
    {Scalar::I64, "i64", "long", 8},
    {Scalar::U64, "u64", "unsigned long", 8},
    {Scalar::F16, "f16", "_Float16", 2},
    {Scalar::F32, "f32", "float", 4},
    {Scalar::F64, "f64", "double", 8},
    {Scalar::F128, "f128", "__float128", 16},
    {Scalar::Index, "index", "index", 8},
}};

const ScalarInfo &info(Scalar s) { return scalars[static_cast<std::size_t>(s)]; }

} // namespace

bool isFloating(Scalar s) {
  return s == Scalar::F16 || s == Scalar::F32 || s == Scalar::F64 || s == Scalar::F128;
}

bool isInteger(Scalar s) { return s != Scalar::Void && !isFloating(s); }

bool isSigned(Scalar s) {
  return isFloating(s) || s == Scalar::I8 || s == Scalar::I16 || s == Scalar::I32 ||
         s == Scalar::I64;
}

std::size_t byteSize(Scalar s) { return info(s).bytes; }
std::size_t byteSize(const Type &type) { return info(type.scalar).bytes * type.lanes; }

std::string shortName(Scalar s) { return info(s).shortName; }

Scalar scalarNamed(const std::string &name) {
  for (const ScalarInfo &each : scalars) {
    if (name == each.shortName)
      return each.scalar;
  }
  return Scalar::Void;
}

std::string spelling(const Type &type) {
  std::string text = info(type.scalar).spelling;
  if (type.lanes > 1)
    text = (type.scalar == Scalar::U32 ? "uint" : text) + std::to_string(type.lanes);
  if (type.rank > 0)
    text = "Array<" + std::to_string(type.rank) + ", " + text + ">";
  for (unsigned i = 0; i < type.nest; ++i)
    text = "container of " + text;
  return type.isConst ? "const " + text : text;
}

} // namespace tangram::ir
