# Makes the objects of BPF programs and their light skeletons.  clang and bpftool
# build them if they are installed.  Otherwise they are those of the folder's
# prebuilt/: .ci/run compares these with a fresh build.
#
# stack9_bpf_objects(objects... [VARIANTS v=object:MACRO...]
#	[ELF_ONLY objects...] [SOURCES files that others include...])
# makes the light skeleton o.light.h and the object file o.bpf.o of each o.bpf.c
# here, and of each variant: that is an object's source with a macro defined.
# skeletons.h includes all light skeletons.  The variable skeletons has their
# folders, and the target stack9_bpf_<folder> builds them, if they are built.
#
# stack9_bpf_embeds(source objects...) is for a source that has S9_EMBED(o) of
# each object.
find_program(STACK9_CLANG NAMES clang clang-14)
find_program(STACK9_BPFTOOL NAMES bpftool PATHS /usr/sbin /sbin)
set(STACK9_BPF_BUILT OFF)
if(STACK9_BPF_PREBUILT OR NOT STACK9_CLANG OR NOT STACK9_BPFTOOL)
	message(STATUS "BPF programs: prebuilt")
else()
	message(STATUS "BPF programs: built by ${STACK9_CLANG}")
	set(STACK9_BPF_BUILT ON)
	execute_process(COMMAND ${CMAKE_C_COMPILER} -print-multiarch
		OUTPUT_VARIABLE STACK9_MULTIARCH
		OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
	if(NOT STACK9_MULTIARCH)	# clang has no such option since 17
		set(STACK9_MULTIARCH ${CMAKE_C_LIBRARY_ARCHITECTURE})
	endif()
	add_custom_target(stack9_bpf_prebuilt)
	# Types that newer headers of the kernel have, and older ones have not.
	include(CheckTypeSize)
	set(CMAKE_EXTRA_INCLUDE_FILES linux/bpf.h)
	check_type_size("struct bpf_task_work" STACK9_BPF_TASK_WORK LANGUAGE C)
	unset(CMAKE_EXTRA_INCLUDE_FILES)
	set(STACK9_BPF_HEADERS "")
	if(HAVE_STACK9_BPF_TASK_WORK)
		set(STACK9_BPF_HEADERS -DSTACK9_HAVE_BPF_TASK_WORK)
	endif()
endif()

function(stack9_bpf_objects)
	cmake_parse_arguments(B "" "IN" "VARIANTS;ELF_ONLY;SOURCES"
		${ARGN})
	set(here ${CMAKE_CURRENT_SOURCE_DIR})
	if(B_IN)
		string(APPEND here /${B_IN})
	endif()
	set(prebuilt ${here}/prebuilt)
	set(out_dir ${CMAKE_CURRENT_BINARY_DIR}/skeletons)
	set(all ${B_UNPARSED_ARGUMENTS})
	foreach(variant IN LISTS B_VARIANTS)
		string(REGEX MATCH "^(.*)=(.*):(.*)$" parts ${variant})
		list(APPEND all ${CMAKE_MATCH_1})
		set(source_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
		set(macro_${CMAKE_MATCH_1} -D${CMAKE_MATCH_3})
	endforeach()
	set(light ${all})
	list(REMOVE_ITEM light "" ${B_ELF_ONLY})
	list(TRANSFORM light REPLACE "(.+)" "#include \"\\1.light.h\"\n")
	string(CONCAT includes ${light})
	file(CONFIGURE OUTPUT ${out_dir}/skeletons.h CONTENT "${includes}")
	if(NOT STACK9_BPF_BUILT)
		set(skeletons ${prebuilt} ${out_dir} PARENT_SCOPE)
		set(bpf_objects ${prebuilt} PARENT_SCOPE)
		return()
	endif()
	set(flags -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include
		${STACK9_BPF_HEADERS})
	if(CMAKE_SYSROOT)	# not the headers of the machine that builds
		list(APPEND flags --sysroot=${CMAKE_SYSROOT})
	endif()
	file(GLOB shared ${here}/*.h
		${PROJECT_SOURCE_DIR}/bpf/*.h)
	set(made "")
	foreach(o IN LISTS all)
		set(out ${out_dir}/${o})
		set(source ${o}.bpf.c)
		if(source_${o})
			set(source ${source_${o}}.bpf.c)
		endif()
		# No name of a folder, so that the result is the same to the
		# byte wherever the tree lies.
		add_custom_command(OUTPUT ${out}.light.h ${out}.bpf.o
			COMMAND ${CMAKE_COMMAND} -E make_directory ${out_dir}
			COMMAND ${STACK9_CLANG} -target bpf -mcpu=v3 -O2 -g
				-Wall ${macro_${o}}
				-isystem ${CMAKE_SYSROOT}/usr/include/${STACK9_MULTIARCH}
				-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.
				${flags} -c ${source} -o ${out}.o
			COMMAND ${STACK9_BPFTOOL} gen object ${out}.bpf.o
				${out}.o
			COMMAND ${STACK9_BPFTOOL} gen skeleton -L ${out}.bpf.o
				name light_${o} > ${out}.light.h
			WORKING_DIRECTORY ${here}
			DEPENDS ${here}/${source} ${B_SOURCES} ${shared}
			COMMENT "BPF program ${o}" VERBATIM)
		if(NOT o IN_LIST B_ELF_ONLY)
			list(APPEND made ${out}.light.h)
		endif()
		list(APPEND made ${out}.bpf.o)
	endforeach()
	get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
	add_custom_target(stack9_bpf_${folder} DEPENDS ${made})
	add_custom_target(stack9_bpf_prebuilt_${folder}
		COMMAND ${CMAKE_COMMAND} -E make_directory ${prebuilt}
		COMMAND ${CMAKE_COMMAND} -E copy ${made} ${prebuilt}
		DEPENDS ${made} COMMENT "refreshing ${folder}/prebuilt/")
	add_dependencies(stack9_bpf_prebuilt stack9_bpf_prebuilt_${folder})
	set(skeletons ${out_dir} PARENT_SCOPE)
	set(bpf_objects ${out_dir} PARENT_SCOPE)
endfunction()

function(stack9_bpf_embeds source)
	list(TRANSFORM ARGN PREPEND ${bpf_objects}/)
	list(TRANSFORM ARGN APPEND .bpf.o)
	set_source_files_properties(${source} PROPERTIES
		OBJECT_DEPENDS "${ARGN}"
		COMPILE_DEFINITIONS STACK9_SKELETONS="${bpf_objects}")
endfunction()

# stack9_bpf_program(out source): an object as a user's build makes it, by the
# public headers.  Nothing is made where clang is not used.
function(stack9_bpf_program out source)
	if(NOT STACK9_BPF_BUILT)
		return()
	endif()
	file(GLOB headers ${PROJECT_SOURCE_DIR}/include/stack9/*bpf*.h)
	get_filename_component(folder ${source} DIRECTORY)
	add_custom_command(OUTPUT ${out}
		COMMAND ${STACK9_CLANG} -target bpf -O2 -g -Wall -Werror
			-isystem ${CMAKE_SYSROOT}/usr/include/${STACK9_MULTIARCH}
			-I${PROJECT_SOURCE_DIR}/include -c ${source} -o ${out}
		DEPENDS ${source} ${headers} ${ARGN}
		COMMENT "BPF program ${source}" VERBATIM)
endfunction()
