# cmake -DBINARY=FILE -P links_no_llvm.cmake: fails when FILE needs a library of LLVM, Clang or
# OpenCL, or one that is not found.
execute_process(COMMAND ldd ${BINARY} OUTPUT_VARIABLE libraries RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "ldd ${BINARY} failed")
endif()
if(NOT libraries MATCHES "libc\\.so")
  message(FATAL_ERROR "ldd ${BINARY} lists no C library:\n${libraries}")
endif()
if(libraries MATCHES "LLVM|[cC]lang|OpenCL|not found")
  message(FATAL_ERROR "${BINARY} links what it must not:\n${libraries}")
endif()
