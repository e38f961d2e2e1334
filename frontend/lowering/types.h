// C++ types as the language's.
#pragma once

#include "frontend/clang.h"
#include "ir/type.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tangram::frontend {

/// The classes of tangram.h.
enum class LanguageClass { None, Array, Parts, Sequence, Whole, Domain, Misused, Vector };

LanguageClass languageClass(clang::QualType type);

/// Whether tangram.h declares it, in namespace tangram.
bool inLanguage(const clang::Decl *declaration);

/// The scalar, vector or container that `type` is, `const` only on containers; nothing for
/// all other types. A reference to a container is the container.
std::optional<ir::Type> typeOf(const clang::ASTContext &ast, clang::QualType type);

/// Whether it is a std::array.
bool isStandardArray(clang::QualType type);

/// An array in C or a std::array: the type of its elements, which may be arrays. Null: it is neither, or of no known size.
struct ArrayShape {
  clang::QualType element;
  std::int64_t size;
};
std::optional<ArrayShape> arrayShape(const clang::ASTContext &ast, clang::QualType type);

/// The element type and the sizes of an array type: `int` and {3, 4} for `int[3][4]`. A type that is no array has no sizes.
struct Dimensions {
  clang::QualType element;
  std::vector<std::int64_t> sizes; ///< outermost first
};
Dimensions dimensionsOf(const clang::ASTContext &ast, clang::QualType type);

/// Whether it is a struct or class of the program, lambdas included.
bool isRecord(clang::QualType type);

/// Whether it is a std::pair, or a reference to one.
bool isPair(clang::QualType type);

/// Whether a parameter is a reference to a number or vector that a codelet writes: an element of a container, `int &sum`.
bool isElementReference(const clang::ASTContext &ast, const clang::ParmVarDecl &parameter);

/// Whether a parameter of this type may be `__positional`.
bool isPosition(const ir::Type &type);

/// The type of a codelet's parameter; that of a reference to an element is a container of one, that of a `__positional`
/// one is Index.
std::optional<ir::Type> parameterType(const clang::ASTContext &ast,
                                      const clang::ParmVarDecl &parameter);

/// As the user would write it, for messages.
std::string spelling(const clang::ASTContext &ast, clang::QualType type);

} // namespace tangram::frontend
