# Writes the table of system calls.
#
# stack9_syscalls(file): file gets a line {"name", __NR_name}, for each system
# call that <asm/unistd.h> of the target has.  A compiler for several machines
# is told which one, as CMake tells it.
function(stack9_syscalls file)
	file(WRITE ${file}.c "#include <asm/unistd.h>\n")
	set(target "")
	if(CMAKE_C_COMPILER_TARGET AND CMAKE_C_COMPILE_OPTIONS_TARGET)
		list(APPEND target
		    ${CMAKE_C_COMPILE_OPTIONS_TARGET}${CMAKE_C_COMPILER_TARGET})
	endif()
	if(CMAKE_SYSROOT AND CMAKE_C_COMPILE_OPTIONS_SYSROOT)
		list(APPEND target
		    ${CMAKE_C_COMPILE_OPTIONS_SYSROOT}${CMAKE_SYSROOT})
	endif()
	separate_arguments(flags UNIX_COMMAND "${CMAKE_C_FLAGS}")
	execute_process(COMMAND ${CMAKE_C_COMPILER} ${target} ${flags} -E -dM
		${file}.c OUTPUT_VARIABLE macros RESULT_VARIABLE failed)
	string(REGEX MATCHALL "#define __NR_[a-z0-9_]+ " found "${macros}")
	list(SORT found)
	list(LENGTH found count)
	if(failed OR count LESS 200)
		message(FATAL_ERROR "<asm/unistd.h>: no system calls in it; "
			"install linux-libc-dev")
	endif()
	set(lines "")
	foreach(f IN LISTS found)
		string(REGEX REPLACE "#define __NR_(.*) " "\\1" name "${f}")
		# The end of the numbers, in older headers.
		if(NOT name STREQUAL "syscalls")
			string(APPEND lines "{\"${name}\", __NR_${name}},\n")
		endif()
	endforeach()
	file(CONFIGURE OUTPUT ${file} CONTENT "${lines}" @ONLY)
endfunction()
