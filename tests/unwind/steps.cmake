# Builds the single-step test: one work, compiled in ways that differ in how
# frames are found.  A sanitizer's own code would be stepped through, too.
if(STACK9_SANITIZE OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
	return()
endif()

# steps_library(name source LINK ... OPTIONS ...): bound at each first call.
function(steps_library name source)
	cmake_parse_arguments(L "" "" "LINK;OPTIONS;LINK_OPTIONS" ${ARGN})
	add_library(${name} SHARED ${source})
	target_compile_options(${name} PRIVATE ${L_OPTIONS})
	target_link_libraries(${name} PRIVATE ${L_LINK})
	target_link_options(${name} PRIVATE LINKER:-z,lazy ${steps_linker}
		${L_LINK_OPTIONS})
endfunction()

# steps_test(variant misled libraries option...), misled: at how many instructions
# of each part the compiler may give wrong unwind information; libraries: whether
# it steps through what is the same in each variant, too.
function(steps_test variant misled libraries)
	set(options -O2 ${ARGN})
	set(plain OPTIONS ${options} -fcf-protection=none)
	set(ibt OPTIONS ${options} -fcf-protection=full
		LINK_OPTIONS ${steps_ibt})
	set(inner steps_${variant}_inner)
	set(outer steps_${variant}_outer)
	steps_library(${inner} steps_inner.cc ${plain})
	steps_library(${outer} steps_outer.cc ${plain} LINK ${inner})
	steps_library(${inner}_ibt steps_inner.cc ${ibt})
	steps_library(${outer}_ibt steps_outer.cc ${ibt} LINK ${inner}_ibt)

	stack9_test(steps_${variant} OPTIMISED LONG
		SOURCES
			steps.cc
			steps_calls.cc
			steps_frames.cc
			steps_lazy.cc
		LINK
			steps_watch
			-Wl,--push-state,--no-as-needed -lgcc_s -Wl,--pop-state
			stack9_unwind stack9 PkgConfig::LIBUNWIND
			${CMAKE_DL_LIBS}
	)
	target_compile_options(test_steps_${variant} PRIVATE ${options})
	target_compile_definitions(test_steps_${variant} PRIVATE
		STEPS_MISLED=${misled}
		STEPS_LIBRARIES=${libraries}
		STEPS_OUTER="$<TARGET_FILE:${outer}>"
		STEPS_OUTER_IBT="$<TARGET_FILE:${outer}_ibt>")
	target_link_options(test_steps_${variant} PRIVATE LINKER:-z,lazy
		${steps_linker})
	add_dependencies(test_steps_${variant} ${outer} ${outer}_ibt)
endfunction()

# What looks on is not part of the work: compiled once.
add_library(steps_watch OBJECT steps_engines.cc steps_oracle.cc steps_report.cc
	steps_shadow.cc steps_test.cc)
target_compile_options(steps_watch PRIVATE ${STACK9_TEST_OPTIONS} -O2)
target_link_libraries(steps_watch PRIVATE stack9_test_base stack9_unwind stack9
	PkgConfig::LIBUNWIND)

set(steps_linker)
set(steps_ibt LINKER:-z,ibtplt)
steps_test(lean 0 true -fomit-frame-pointer)
steps_test(framed 0 false -fno-omit-frame-pointer)
# GCC 12 says that %rbp is still in the frame when a realigned frame's end has
# popped it: two instructions a function.
steps_test(guarded 4 false -fomit-frame-pointer -fcf-protection=full -mstackrealign)

# Its linkage tables have no unwind information.
find_program(STACK9_LLD ld.lld)
if(STACK9_LLD)
	set(steps_linker -fuse-ld=lld)
	set(steps_ibt LINKER:-z,force-ibt)
	# libunwind does not know its stubs: three instructions of a part.
	steps_test(stubs 3 false -fomit-frame-pointer)
else()
	message(STATUS "tests/unwind: no ld.lld, one kind of linkage table less")
endif()
