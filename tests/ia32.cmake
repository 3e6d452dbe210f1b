# Finds a compiler of programs for 32-bit x86 that run here: STACK9_CC32, its
# command and flags, or nothing.
#
# A compiler for another system finds its C library by the paths that it is
# given.  It is the one that does not exclude other cross compilers, as
# gcc-multilib does.
#
# SPDX-License-Identifier: BSD-2-Clause
function(stack9_find_cc32)
	set(root /usr/i686-linux-gnu/lib)
	set(other i686-linux-gnu-gcc -Wl,--dynamic-linker=${root}/ld-linux.so.2
		-Wl,-rpath,${root})
	set(multilib ${CMAKE_C_COMPILER} -m32)
	set(try ${CMAKE_CURRENT_BINARY_DIR}/try_ia32)
	file(WRITE ${try}.c
		"#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n")
	foreach(command IN ITEMS multilib other)
		execute_process(COMMAND ${${command}} -o ${try} ${try}.c
			RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
		if(NOT failed)
			set(STACK9_CC32 ${${command}} PARENT_SCOPE)
			return()
		endif()
	endforeach()
	set(STACK9_CC32 "" PARENT_SCOPE)
endfunction()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64")
	stack9_find_cc32()
endif()
