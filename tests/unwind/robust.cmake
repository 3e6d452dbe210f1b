# Builds the tests of what the public calls promise, whichever engine serves.
# They spoil stacks, count what malloc() is asked for and use small stacks,
# all of which disturbs a sanitizer.
if(STACK9_SANITIZE)
	return()
endif()
stack9_test(unwind_robust OPTIMISED
	SOURCES
		robust_asking.cc
		robust_astray.cc
		robust_borrowed.cc
		robust_changes.cc
		robust_child.cc
		robust_code.cc
		robust_code_bare.cc
		robust_depth.cc
		robust_fiber.cc
		robust_locks.cc
		robust_lost_sp.cc
		robust_lures.cc
		robust_made_code.cc
		robust_malloc.cc
		robust_meeting.cc
		robust_plugins.cc
		robust_pushed.cc
		robust_signals.cc
		robust_storm.cc
		robust_switches.cc
		robust_threads.cc
		robust_told.cc
		robust_truth.cc
		robust_warm.cc
		robust_zeros.cc
	LINK stack9 stack9_malloc_count ${CMAKE_DL_LIBS})
# These take most of a compilation; the two of other flags cannot have them.
target_precompile_headers(test_unwind_robust PRIVATE
	<boost/test/unit_test.hpp> <thread> <vector>)
set_source_files_properties(robust_meeting.cc robust_code_bare.cc PROPERTIES
	SKIP_PRECOMPILE_HEADERS ON)
# Functions that several files call stay out of sight of their callers' compiler.
stack9_test_apart(robust_child.cc robust_code.cc robust_code_bare.cc
	robust_fiber.cc robust_lures.cc robust_made_code.cc robust_meeting.cc
	robust_truth.cc)
set_target_properties(test_unwind_robust PROPERTIES
	UNITY_BUILD ${STACK9_TEST_UNITY} UNITY_BUILD_BATCH_SIZE 8)
# Plugins call the program.
set_target_properties(test_unwind_robust PROPERTIES ENABLE_EXPORTS ON)
# Half of the functions of the one are to have no frame pointer, and that of the
# other.
set_source_files_properties(robust_meeting.cc robust_code_bare.cc PROPERTIES
	COMPILE_OPTIONS -fomit-frame-pointer)
# As the library itself: lazy binding needs some 3.5 KiB of stack.
target_link_options(test_unwind_robust PRIVATE LINKER:-z,now)

# One source: the same instructions around frames of different sizes.  These fit
# into one instruction on aarch64.
function(robust_plugin name)
	add_library(robust_plugin_${name} MODULE robust_plugin.c)
	set_target_properties(robust_plugin_${name} PROPERTIES PREFIX ""
		LIBRARY_OUTPUT_DIRECTORY ${STACK9_TEST_DIR})
	target_compile_options(robust_plugin_${name} PRIVATE
		-O2 -fomit-frame-pointer)
	target_compile_definitions(robust_plugin_${name} PRIVATE ${ARGN})
	add_dependencies(test_unwind_robust robust_plugin_${name})
endfunction()
robust_plugin(small FRAME=200)
robust_plugin(large FRAME=400)
robust_plugin(constructing FRAME=300 CONSTRUCTOR)

add_executable(robust_early robust_early.cc)
set_target_properties(robust_early PROPERTIES
	RUNTIME_OUTPUT_DIRECTORY ${STACK9_TEST_DIR})
target_link_libraries(robust_early PRIVATE stack9 ${CMAKE_DL_LIBS})
add_dependencies(test_unwind_robust robust_early)
