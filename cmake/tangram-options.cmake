# cmake -DMANIFEST=FILE -DOPTIONS=FILE -P tangram-options.cmake: the compiler options that a bundle's manifest names, one a line,
# as compilers read them from @FILE.
file(READ "${MANIFEST}" manifest)
string(JSON count LENGTH "${manifest}" compile openmp)
set(options "")
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON option GET "${manifest}" compile openmp ${i})
  string(APPEND options "${option}\n")
endforeach()
file(WRITE "${OPTIONS}" "${options}")
