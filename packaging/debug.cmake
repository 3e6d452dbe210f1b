# Installs the debug information of the library and the programs as Debian does:
# /usr/lib/debug/.build-id/xx/yyyy.debug, where gdb and elfutils look for it.
# It is a component that is installed only when asked for:
# `make install-debug`, or `cmake --install build --component debug`.
set(STACK9_DEBUG_DIR /usr/lib/debug CACHE PATH "where debug files are installed")
set(programs "")
if(STACK9_TOOLS)
	set(programs stack9_program stackprint stackcount stacksnoop stackrecord
		stackreport)
endif()
if(BUILD_SHARED_LIBS)
	list(APPEND programs stack9 stack9-overlay)
endif()
foreach(program IN LISTS programs)
	install(CODE "
		set(file \"$<TARGET_FILE:${program}>\")
		execute_process(COMMAND \"${CMAKE_READELF}\" -n \"\${file}\"
			OUTPUT_VARIABLE notes COMMAND_ERROR_IS_FATAL ANY)
		if(NOT notes MATCHES \"Build ID: (..)([0-9a-f]+)\")
			message(FATAL_ERROR \"\${file}: no build ID\")
		endif()
		set(to \"\$ENV{DESTDIR}${STACK9_DEBUG_DIR}/.build-id\")
		set(to \"\${to}/\${CMAKE_MATCH_1}/\${CMAKE_MATCH_2}.debug\")
		message(STATUS \"Installing: \${to}\")
		cmake_path(GET to PARENT_PATH folder)
		file(MAKE_DIRECTORY \"\${folder}\")
		execute_process(COMMAND \"${CMAKE_OBJCOPY}\" --only-keep-debug
			--compress-debug-sections \"\${file}\" \"\${to}\"
			COMMAND_ERROR_IS_FATAL ANY)
		file(CHMOD \"\${to}\" PERMISSIONS OWNER_READ OWNER_WRITE
			GROUP_READ WORLD_READ)
	" COMPONENT debug EXCLUDE_FROM_ALL)
endforeach()
