#include "codegen/form/forms.h"

namespace tangram::codegen {

const char *nameOf(Form form) {
  switch (form) {
  case Form::Padded:
    return "padded";
  case Form::Windowed:
    return "windowed";
  case Form::Plain:
    return "plain";
  case Form::Placed:
    return "placed";
  case Form::Flat:
    return "flat";
  case Form::Expanded:
    return "expanded";
  case Form::Synchronized:
    return "synchronized";
  }
  return "";
}

} // namespace tangram::codegen
