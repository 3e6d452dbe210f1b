# Makes one static file of all programs and of all libraries that they need.  Names of
# libraries lead to archives (CMAKE_FIND_LIBRARY_SUFFIXES), but pkg-config names only
# the libraries that are used, and not those that these use in their turn.
set(archives "")
foreach(name bpf dw elf cap z lzma bz2)
	find_library(STACK9_STATIC_${name} lib${name}.a REQUIRED)
	list(APPEND archives ${STACK9_STATIC_${name}})
endforeach()
find_library(STACK9_STATIC_zstd libzstd.a)	# of elfutils 0.189 and later
if(STACK9_STATIC_zstd)
	list(APPEND archives ${STACK9_STATIC_zstd})
endif()

# It is position-independent as every program of a distribution is, for the sake of
# address space layout randomisation.  A call that wants a library of the machine it
# runs on, as getpwnam(3) does, is a warning of the linker, and so no program.
function(stack9_portable program)
	target_sources(${program} PRIVATE stack9/inside.cc)
	target_link_libraries(${program} PRIVATE ${STACK9_PORTABLE_PARTS}
		tools_lib ${STACK9_PARTS} -Wl,--start-group ${archives}
		-Wl,--end-group)
	# A static program that has a path for libraries ends in its first
	# instructions.
	set_target_properties(${program} PROPERTIES SKIP_BUILD_RPATH ON
		INSTALL_RPATH "")
	target_link_options(${program} PRIVATE -static-pie
		LINKER:--fatal-warnings)
endfunction()
