#include "frontend/lowering/codelets.h"

#include <algorithm>
#include <clang/Basic/CharInfo.h>

namespace tangram::frontend {

namespace {

const std::vector<std::string> &targets() {
  static const std::vector<std::string> all{"opencl", "openmp", "cuda"};
  return all;
}

void applyTag(LoweredFile &file, const Qualifier &tag, ir::Codelet &codelet) {
  ir::SourceLocation place = file.places.range(tag.range);
  if (tag.words.size() != 1 || !clang::isValidAsciiIdentifier(tag.words[0].text))
    file.error(place, "'__tag' takes one name");
  else if (!codelet.tag.empty())
    file.error(place, "this codelet has the tag '" + codelet.tag + "' already");
  else
    codelet.tag = tag.words[0].text;
}

void applyTargets(LoweredFile &file, const Qualifier &env, ir::Codelet &codelet) {
  if (env.words.empty())
    file.error(file.places.range(env.range), "'__env' takes at least one target");
  for (const QualifierWord &word : env.words) {
    if (std::count(targets().begin(), targets().end(), word.text) != 0) {
      codelet.targets.push_back(word.text);
      continue;
    }
    std::string near = ir::nearest(word.text, targets());
    std::string advice =
        near.empty() ? "; known are opencl, openmp and cuda" : "; did you mean '" + near + "'?";
    file.error(file.places.token(word.location), "unknown target '" + word.text + "'" + advice)
        .suggestion = near;
  }
}

} // namespace

void applyQualifiers(LoweredFile &file, const CodeletDeclaration &declaration,
                     ir::Codelet &codelet) {
  for (const Qualifier &qualifier : declaration.qualifiers) {
    if (qualifier.kind == QualifierKind::Coop)
      codelet.cooperative = true;
    else if (qualifier.kind == QualifierKind::Tag)
      applyTag(file, qualifier, codelet);
    else if (qualifier.kind == QualifierKind::Env)
      applyTargets(file, qualifier, codelet);
  }
}

} // namespace tangram::frontend
