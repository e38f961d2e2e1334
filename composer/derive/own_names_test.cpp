#include "composer/derive/own_names.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace tangram::composer {
namespace {

using Names = std::vector<std::string>;

ir::VarPtr local(const std::string &name) {
  auto var = std::make_shared<ir::Var>();
  var->name = name;
  var->type = ir::scalarType(ir::Scalar::I32);
  return var;
}

/// { int v = 0; } for each of these variables, one block after the other.
ir::Codelet codeletOf(const std::vector<ir::VarPtr> &variables) {
  std::vector<ir::StmtPtr> blocks;
  for (const ir::VarPtr &var : variables)
    blocks.push_back(ir::block({ir::declare(var, ir::intLiteral(0))}));
  ir::Codelet codelet;
  codelet.body = ir::block(std::move(blocks));
  return codelet;
}

Names namesIn(const ir::Codelet &codelet) {
  Names names;
  for (const ir::VarPtr &param : codelet.params)
    names.push_back(param->name);
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (s.kind == ir::StmtKind::Decl)
      names.push_back(s.var->name);
  });
  return names;
}

TEST(OwnNames, NamesOfPrimitivesAreNumberedByPlace) {
  std::vector<ir::VarPtr> variables;
  for (int k = 0; k < 5; ++k) // the last one has the least address, or some other one
    variables.insert(variables.begin(), local("rows"));
  EXPECT_EQ(namesIn(withWritableNames(codeletOf(variables))),
            Names({"rows_2", "rows_3", "rows_4", "rows_5", "rows_6"}));
}

TEST(OwnNames, VariablesThatHideOthersAreNumberedByPlace) {
  std::vector<ir::VarPtr> variables;
  for (int k = 0; k < 3; ++k)
    variables.insert(variables.begin(), local("y"));
  ir::Codelet codelet = codeletOf(variables);
  codelet.params = {local("x"), local("y")};
  EXPECT_EQ(namesIn(withWritableNames(codelet)), Names({"x", "y", "y_2", "y_3", "y_4"}));
}

TEST(OwnNames, OthersStay) {
  const ir::Codelet codelet = codeletOf({local("y"), local("y"), local("row")});
  EXPECT_EQ(namesIn(withWritableNames(codelet)), Names({"y", "y", "row"}));
}

} // namespace
} // namespace tangram::composer
