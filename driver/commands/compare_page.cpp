#include "driver/commands/compare_page.h"

#include "driver/compare_page/files.h"
#include "escape/escape.h"
#include "json/reader.h"

namespace tangram::driver {

namespace {

void replace(std::string &text, const std::string &mark, const std::string &with) {
  text.replace(text.find(mark), mark.size(), with);
}

} // namespace

std::string comparePage(const nlohmann::ordered_json &comparison) {
  std::string page = comparePageHtml;
  replace(page, "/*STYLE*/", comparePageStyle);
  std::string script;
  for (const char *part : {comparePageData, comparePageTable, comparePageAnswers, comparePagePlan,
                           comparePageDifference, comparePageScript})
    script += std::string(part) + "\n";
  replace(page, "/*SCRIPT*/", script);
  replace(page, "/*DATA*/", escape::scriptJson(json::dumped(comparison)));
  return page;
}

} // namespace tangram::driver
