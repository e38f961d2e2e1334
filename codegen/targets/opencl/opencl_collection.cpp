// One handle of several libraries, for whoever calls them all on one device.
#include "codegen/targets/opencl/opencl.h"

namespace tangram::codegen {

CSource openclCollection(const std::string &name, const std::vector<std::string> &members) {
  std::string handles, makes, destroys;
  for (const std::string &each : members) {
    handles += "  " + each + "_handle *" + each + ";\n";
    makes += "  if (status == CL_SUCCESS)\n    status = " + each +
             "_create(context, device, &made->" + each + ");\n";
    destroys += "  " + each + "_destroy(handle->" + each + ");\n";
  }
  CSource source;
  source.header = headerText(
      name + "_handle", openclIncludes,
      "/// What is made once for a device: a handle of each function, which its _enqueue takes.\n"
      "typedef struct $NAME_handle {\n" +
          handles +
          "} $NAME_handle;\n\n"
          "/// Returns what the first _create returned that failed; *handle is NULL unless it "
          "returns 0.\n"
          "int $NAME_create(cl_context context, cl_device_id device, $NAME_handle **handle);\n"
          "/// What has been enqueued goes on. NULL is nothing to destroy.\n"
          "void $NAME_destroy($NAME_handle *handle);\n");
  source.text =
      "// One handle of all functions of $NAME.\n#include \"$NAME.h\"\n\n#include <stdlib.h>\n\n"
      "int $NAME_create(cl_context context, cl_device_id device, $NAME_handle **handle) {\n"
      "  *handle = NULL;\n"
      "  $NAME_handle *made = calloc(1, sizeof *made);\n"
      "  if (!made)\n    return CL_OUT_OF_HOST_MEMORY;\n"
      "  int status = CL_SUCCESS;\n" +
      makes +
      "  if (status == CL_SUCCESS)\n    *handle = made;\n"
      "  else\n    $NAME_destroy(made);\n"
      "  return status;\n}\n\n"
      "void $NAME_destroy($NAME_handle *handle) {\n  if (!handle)\n    return;\n" +
      destroys + "  free(handle);\n}\n";
  source.header = replaced(source.header, "$NAME", name);
  source.text = replaced(source.text, "$NAME", name);
  return source;
}

} // namespace tangram::codegen
