#include "driver/compare_page.h"

#include "driver/compare_page_files.h"

namespace tangram::driver {

namespace {

void replace(std::string &text, const std::string &mark, const std::string &with) {
  text.replace(text.find(mark), mark.size(), with);
}

/// JSON that no end tag in a string ends.
std::string embedded(const nlohmann::ordered_json &json) {
  std::string text = json.dump();
  for (std::size_t at = text.find("</"); at != std::string::npos; at = text.find("</", at + 3))
    text.insert(at + 1, "\\");
  return text;
}

} // namespace

std::string comparePage(const nlohmann::ordered_json &comparison) {
  std::string page = comparePageHtml;
  replace(page, "/*STYLE*/", comparePageStyle);
  std::string script;
  for (const char *part : {comparePageData, comparePageTable, comparePagePlan,
                           comparePageDifference, comparePageScript})
    script += std::string(part) + "\n";
  replace(page, "/*SCRIPT*/", script);
  replace(page, "/*DATA*/", embedded(comparison));
  return page;
}

} // namespace tangram::driver
