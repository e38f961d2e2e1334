#include "ir/early_return.h"

namespace tangram::ir {

namespace {

VarPtr newVariable(const std::string &name, Scalar type) {
  Var var;
  var.name = name;
  var.type = scalarType(type);
  return std::make_shared<const Var>(std::move(var));
}

bool hasReturn(const StmtPtr &s) {
  bool found = false;
  forEach(s, [&](const Stmt &each) { found |= each.kind == StmtKind::Return; });
  return found;
}

class ReturnPromotion {
public:
  explicit ReturnPromotion(Scalar result) : result_(result) {}

  StmtPtr run(const StmtPtr &body) { return block(tail(body->children), body->location); }

private:
  /// Statements whose value is the body's: returns move into tail position.
  std::vector<StmtPtr> tail(const std::vector<StmtPtr> &statements) {
    std::vector<StmtPtr> result;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const StmtPtr &s = statements[i];
      if (!hasReturn(s)) {
        result.push_back(s);
        continue;
      }
      std::vector<StmtPtr> rest(statements.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                statements.end());
      if (s->kind == StmtKind::Return) {
        result.push_back(s);
      } else if (s->kind == StmtKind::Block) {
        std::vector<StmtPtr> joined = s->children;
        joined.insert(joined.end(), rest.begin(), rest.end());
        std::vector<StmtPtr> inner = tail(joined);
        result.insert(result.end(), inner.begin(), inner.end());
      } else if (s->kind == StmtKind::If) {
        result.push_back(branches(s, rest));
      } else if (isLoop(*s)) {
        loop(s, rest, result);
      }
      return result;
    }
    return result;
  }

  StmtPtr branches(const StmtPtr &s, const std::vector<StmtPtr> &rest) {
    auto branch = [&](const StmtPtr &b) {
      std::vector<StmtPtr> joined;
      if (b)
        joined.push_back(b);
      joined.insert(joined.end(), rest.begin(), rest.end());
      return block(tail(joined));
    };
    StmtPtr otherwise = s->children.size() > 1 ? s->children[1] : nullptr;
    return withChildren(s, {branch(s->children[0]), branch(otherwise)});
  }

  void loop(const StmtPtr &s, const std::vector<StmtPtr> &rest, std::vector<StmtPtr> &result) {
    VarPtr returned = newVariable("returned", Scalar::Bool);
    VarPtr value = result_ == Scalar::Void ? nullptr : newVariable("value", result_);
    if (value)
      result.push_back(declare(value, nullptr));
    result.push_back(declare(returned, intLiteral(0, Scalar::Bool)));
    result.push_back(leaveLoop(s, returned, value));
    result.push_back(ifThen(varRef(returned),
                            block({returns(value ? varRef(value) : nullptr, s->location)}),
                            block(tail(rest))));
  }

  /// `s` with each return replaced by: value = ...; returned = true; break.
  StmtPtr leaveLoop(const StmtPtr &s, const VarPtr &returned, const VarPtr &value) {
    if (s->kind == StmtKind::Return) {
      std::vector<StmtPtr> leave;
      if (value)
        leave.push_back(assign(varRef(value), "=", s->value, s->location));
      leave.push_back(assign(varRef(returned), "=", intLiteral(1, Scalar::Bool)));
      leave.push_back(jump(StmtKind::Break));
      return block(leave);
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children) {
      if (!child || !hasReturn(child)) {
        children.push_back(child);
        continue;
      }
      children.push_back(leaveLoop(child, returned, value));
      if (isLoop(*child) && s->kind == StmtKind::Block)
        children.push_back(ifThen(varRef(returned), block({jump(StmtKind::Break)})));
      else if (isLoop(*child))
        children.back() =
            block({children.back(), ifThen(varRef(returned), block({jump(StmtKind::Break)}))});
    }
    return withChildren(s, std::move(children));
  }

  Scalar result_;
};

} // namespace

StmtPtr tailReturns(const StmtPtr &body, Scalar result) {
  return ReturnPromotion(result).run(body);
}

} // namespace tangram::ir
