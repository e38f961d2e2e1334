# cmake -DPROGRAM=FILE -DCOMMAND=WORDS -DPAGE=FILE.1 -DVERSION=V -P man_page.cmake: what `PROGRAM WORDS --help` prints, as a
# page for man. COMMAND has `;` between its words, and may be empty.
get_filename_component(name "${PROGRAM}" NAME)
execute_process(COMMAND ${CMAKE_COMMAND} -E env COLUMNS=76 "${PROGRAM}" ${COMMAND} --help
  OUTPUT_VARIABLE help RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ${COMMAND} --help: exit status ${status}")
endif()
string(REPLACE ";" " " words "${name};${COMMAND}")
string(STRIP "${words}" words)
string(REPLACE " " "-" page "${words}")
string(TOUPPER "${page}" title)
# The first line says what the command is for; in troff a line that begins with . or ' and a backslash mean something.
string(REGEX REPLACE "\n.*" "" about "${help}")
string(REPLACE "\\" "\\e" help "${help}")
string(REPLACE "-" "\\-" help "${help}")
string(REGEX REPLACE "\n([.'])" "\n\\\\&\\1" help "${help}")
file(WRITE "${PAGE}" ".TH \"${title}\" \"1\" \"\" \"tangram ${VERSION}\" \"tangram\"
.SH NAME
${page} \\- ${about}
.SH DESCRIPTION
.nf
${help}
.fi
.SH SEE ALSO
tangram(1), tangram\\-run(1), /usr/share/doc/tangram
")
