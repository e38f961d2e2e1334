#include "algebra/proofs.h"

namespace tangram::algebra {

namespace {

/// Splitmix64's mixing of what came before with one number more.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash += value + 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

} // namespace

std::size_t Proofs::Hash::operator()(const Next &next) const {
  return mixed(mixed(next.list, next.number), next.isSigned ? 1 : 0);
}

std::size_t Proofs::Hash::operator()(const Asked &asked) const {
  return mixed(mixed(asked.facts, asked.goal),
               asked.effort * 4 + static_cast<unsigned>(asked.question));
}

std::size_t Proofs::Hash::operator()(const Polynomial::Terms &terms) const {
  std::uint64_t hash = terms.size();
  for (const auto &[monomial, coefficient] : terms) {
    std::uint64_t factors = 1;
    for (Atom atom : monomial)
      factors = factors * 0x10001 + atom;
    hash = mixed(hash, factors ^ (static_cast<std::uint64_t>(coefficient) << 40));
  }
  return hash;
}

Proofs::Number Proofs::numberOf(const Polynomial &p) {
  return numbers_.try_emplace(p.terms(), static_cast<Number>(numbers_.size())).first->second;
}

std::optional<bool> Proofs::answer(List facts, Number goal, unsigned effort,
                                   Question question) const {
  const auto found = answers_.find({facts, goal, effort, question});
  return found == answers_.end() ? std::nullopt : std::optional(found->second);
}

void Proofs::keep(List facts, Number goal, unsigned effort, Question question, bool proved) {
  answers_[{facts, goal, effort, question}] = proved;
}

std::shared_ptr<std::vector<Proofs::Values>> Proofs::examples(List facts) const {
  const auto found = examples_.find(facts);
  return found == examples_.end() ? nullptr : found->second;
}

void Proofs::keepExamples(List facts, std::shared_ptr<std::vector<Values>> examples) {
  examples_.insert_or_assign(facts, std::move(examples));
}

} // namespace tangram::algebra
