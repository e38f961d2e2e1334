#include "frontend/lowering/types.h"

#include "frontend/qualifiers.h"

#include <iterator>
#include <llvm/ADT/StringSwitch.h>

namespace tangram::frontend {

namespace {

ir::Scalar integerOf(unsigned bits, bool isSigned) {
  using ir::Scalar;
  switch (bits) {
  case 8:
    return isSigned ? Scalar::I8 : Scalar::U8;
  case 16:
    return isSigned ? Scalar::I16 : Scalar::U16;
  case 32:
    return isSigned ? Scalar::I32 : Scalar::U32;
  case 64:
    return isSigned ? Scalar::I64 : Scalar::U64;
  default:
    return Scalar::Void;
  }
}

std::optional<ir::Scalar> scalarOf(const clang::ASTContext &ast, clang::QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isVoidType())
    return ir::Scalar::Void;
  if (type->isBooleanType())
    return ir::Scalar::Bool;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Float))
    return ir::Scalar::F32;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Double))
    return ir::Scalar::F64;
  if (!type->isIntegralOrEnumerationType())
    return std::nullopt;
  ir::Scalar integer = integerOf(static_cast<unsigned>(ast.getTypeSize(type)),
                                 type->isSignedIntegerOrEnumerationType());
  if (integer == ir::Scalar::Void)
    return std::nullopt;
  return integer;
}

const clang::ClassTemplateSpecializationDecl *specialization(clang::QualType type) {
  return llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
}

/// A scalar or a vector.
std::optional<ir::Type> elementOf(const clang::ASTContext &ast, clang::QualType type) {
  if (type->isReferenceType())
    return std::nullopt;
  if (languageClass(type) != LanguageClass::Vector) {
    const auto scalar = scalarOf(ast, type);
    return scalar ? std::optional(ir::scalarType(*scalar)) : std::nullopt;
  }
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  const auto components =
      static_cast<unsigned>(std::distance(record->field_begin(), record->field_end()));
  return ir::vectorType(*scalarOf(ast, record->field_begin()->getType()), components);
}

std::optional<ir::Type> arrayOf(const clang::ASTContext &ast, clang::QualType type) {
  const clang::TemplateArgumentList &args = specialization(type)->getTemplateArgs();
  auto element = elementOf(ast, args[1].getAsType());
  std::int64_t rank = args[0].getAsIntegral().getExtValue();
  if (!element || element->scalar == ir::Scalar::Void || rank < 1 ||
      rank > (element->lanes > 1 ? 3 : 5))
    return std::nullopt;
  ir::Type result = *element;
  result.rank = static_cast<unsigned>(rank);
  result.isConst = type.isConstQualified() || args[1].getAsType().isConstQualified();
  return result;
}

} // namespace

bool inLanguage(const clang::Decl *declaration) {
  const clang::DeclContext *context = declaration->getDeclContext()->getRedeclContext();
  while (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(context)) {
    if (space->getName() == "tangram" && space->getParent()->isTranslationUnit())
      return true;
    context = space->getParent();
  }
  return false;
}

LanguageClass languageClass(clang::QualType type) {
  if (type.isNull())
    return LanguageClass::None;
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || !inLanguage(record))
    return LanguageClass::None;
  return llvm::StringSwitch<LanguageClass>(record->getName())
      .Case("Array", LanguageClass::Array)
      .Case("Parts", LanguageClass::Parts)
      .Case("Sequence", LanguageClass::Sequence)
      .Case("Whole", LanguageClass::Whole)
      .Case("Domain", LanguageClass::Domain)
      .Case("Misused", LanguageClass::Misused)
      .Cases("float2", "float3", "float4", LanguageClass::Vector)
      .Cases("double2", "double3", "double4", LanguageClass::Vector)
      .Cases("int2", "int3", "int4", LanguageClass::Vector)
      .Cases("uint2", "uint3", "uint4", LanguageClass::Vector)
      .Default(LanguageClass::None);
}

std::optional<ir::Type> typeOf(const clang::ASTContext &ast, clang::QualType type) {
  LanguageClass container = languageClass(type);
  if (container == LanguageClass::Array)
    return arrayOf(ast, type.getNonReferenceType());
  if (container == LanguageClass::Parts) {
    clang::QualType parts = type.getNonReferenceType();
    auto inner = typeOf(ast, specialization(parts)->getTemplateArgs()[0].getAsType());
    if (!inner || !inner->isContainer())
      return std::nullopt;
    ++inner->nest;
    inner->isConst |= parts.isConstQualified();
    return inner;
  }
  return elementOf(ast, type);
}

bool isStandardArray(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && record->isInStdNamespace() && record->getName() == "array" &&
         specialization(type.getNonReferenceType()) != nullptr;
}

std::optional<ArrayShape> arrayShape(const clang::ASTContext &ast, clang::QualType type) {
  type = type.getNonReferenceType();
  if (isStandardArray(type)) {
    const clang::TemplateArgumentList &args = specialization(type)->getTemplateArgs();
    return ArrayShape{args[0].getAsType(), args[1].getAsIntegral().getExtValue()};
  }
  const clang::ConstantArrayType *array = ast.getAsConstantArrayType(type);
  if (array == nullptr)
    return std::nullopt;
  return ArrayShape{array->getElementType(),
                    static_cast<std::int64_t>(array->getSize().getZExtValue())};
}

Dimensions dimensionsOf(const clang::ASTContext &ast, clang::QualType type) {
  Dimensions found{type, {}};
  while (const auto shape = arrayShape(ast, found.element)) {
    found.element = shape->element;
    found.sizes.push_back(shape->size);
  }
  return found;
}

bool isRecord(clang::QualType type) {
  type = type.getNonReferenceType();
  return type->isRecordType() && languageClass(type) == LanguageClass::None &&
         !isStandardArray(type);
}

bool isPair(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && record->isInStdNamespace() && record->getDeclName().isIdentifier() &&
         record->getName() == "pair";
}

bool isElementReference(const clang::ASTContext &ast, const clang::ParmVarDecl &parameter) {
  const clang::QualType type = parameter.getType();
  if (!type->isLValueReferenceType() || type->getPointeeType().isConstQualified())
    return false;
  const auto element = elementOf(ast, type->getPointeeType());
  return element && element->scalar != ir::Scalar::Void;
}

bool isPosition(const ir::Type &type) {
  return !type.isContainer() && type.lanes == 1 &&
         (type.scalar == ir::Scalar::U32 || type.scalar == ir::Scalar::U64);
}

std::optional<ir::Type> parameterType(const clang::ASTContext &ast,
                                      const clang::ParmVarDecl &parameter) {
  if (!isElementReference(ast, parameter)) {
    auto written = typeOf(ast, parameter.getType());
    if (written && isPosition(*written) &&
        attributeOf(parameter, QualifierKind::Positional) != nullptr)
      written->scalar = ir::Scalar::Index;
    return written;
  }
  ir::Type type = *elementOf(ast, parameter.getType()->getPointeeType());
  type.rank = 1;
  return type;
}

std::string spelling(const clang::ASTContext &ast, clang::QualType type) {
  clang::PrintingPolicy policy(ast.getLangOpts());
  policy.SuppressScope = true;
  std::string text = type.getAsString(policy);
  // What tangram.h computes is nothing an author has written.
  return text.find("detail::") == std::string::npos ? text
                                                    : type.getCanonicalType().getAsString(policy);
}

} // namespace tangram::frontend
