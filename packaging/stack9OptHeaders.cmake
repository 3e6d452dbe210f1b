# Makes the empty opt_*.h that a target's sources ask for, as FreeBSD's config(8)
# makes them for a kernel.
#
# SPDX-License-Identifier: BSD-2-Clause

# stack9_opt_headers(target [file...]): the target's sources, and these files,
# are searched when CMake runs.  It runs again if one of them changes.  A header
# of that name in the directory of the target's sources comes first.
function(stack9_opt_headers target)
	set(made ${CMAKE_CURRENT_BINARY_DIR}/stack9-opt/${target})
	file(MAKE_DIRECTORY ${made})
	get_target_property(sources ${target} SOURCES)
	get_target_property(from ${target} SOURCE_DIR)
	foreach(source IN LISTS sources ARGN)
		get_filename_component(path "${source}" ABSOLUTE BASE_DIR ${from})
		# One may be made later, or be a generator's expression.
		if(NOT EXISTS "${path}")
			continue()
		endif()
		set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
			"${path}")
		file(STRINGS "${path}" lines REGEX
			"^[ \t]*#[ \t]*include[ \t]*[\"<]opt_[A-Za-z0-9_]*\\.h[\">]")
		foreach(line IN LISTS lines)
			string(REGEX MATCH "opt_[A-Za-z0-9_]*\\.h" header "${line}")
			if(NOT EXISTS "${made}/${header}")
				file(WRITE "${made}/${header}" "")
			endif()
		endforeach()
	endforeach()
	target_include_directories(${target} PRIVATE ${made})
endfunction()
