# Puts libstack9, C++'s runtime and the archives of other libraries into a program.
# A shared library has to be found, mapped and bound at each start: without this a
# third of the time of `stackprint TID` goes to that.
# Their pkg-config files name what the archives need: zstd for libelf 0.189, and so on.
set(archives "")
set(lacking "")
pkg_check_modules(STACK9_QUICK libbpf libdw libelf liblzma libcap zlib)
set(names ${STACK9_QUICK_STATIC_LIBRARIES})
list(REMOVE_ITEM names pthread)		# a part of the C library
list(REVERSE names)			# an archive comes after all that need it
list(REMOVE_DUPLICATES names)
list(REVERSE names)
foreach(name IN LISTS names)
	find_library(STACK9_ARCHIVE_${name} lib${name}.a)
	if(STACK9_ARCHIVE_${name})
		list(APPEND archives ${STACK9_ARCHIVE_${name}})
	else()
		list(APPEND lacking lib${name}.a)
	endif()
endforeach()
find_library(STACK9_ARCHIVE_M libm.a)

# The archives of elfutils 0.192 in Debian 13 want functions of an archive that
# Debian does not have.  Then these two are shared.
include(CheckCSourceCompiles)
if(NOT lacking)
	set(CMAKE_REQUIRED_LIBRARIES ${archives} ${CMAKE_DL_LIBS}
		Threads::Threads)
	check_c_source_compiles("
		#include <elfutils/libdw.h>
		void *volatile f[] = {elf_begin, elf_end, elf_getdata_rawchunk,
		    dwarf_begin_elf, dwarf_end, dwarf_getsrclines,
		    dwarf_getsrcfiles, dwarf_getcfi, dwarf_cfi_addrframe,
		    dwarf_formstring, dwarf_ranges, dwarf_get_units};
		int main(void) { return f[0] == f[1]; }"
		STACK9_ARCHIVES_OF_ELFUTILS_LINK)
	unset(CMAKE_REQUIRED_LIBRARIES)
	if(NOT STACK9_ARCHIVES_OF_ELFUTILS_LINK)
		list(REMOVE_ITEM archives ${STACK9_ARCHIVE_dw}
			${STACK9_ARCHIVE_elf})
		list(APPEND archives dw elf)
	endif()
endif()

# fmt rounds up.  A compiler that does not do it in place calls ceil(3), and the
# archive's ceil(3) is chosen by the loader, in a way that only the shared libm can.
# With link-time optimization the linker wants all that the source names.
include(CheckCXXSourceCompiles)
if(STACK9_ARCHIVE_M AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
	set(CMAKE_TRY_COMPILE_CONFIGURATION ${CMAKE_BUILD_TYPE})
	set(CMAKE_REQUIRED_LIBRARIES ${STACK9_ARCHIVE_M})
	check_cxx_source_compiles("
		#include <cmath>
		volatile double number;
		int main() { return static_cast<int>(std::ceil(number)); }"
		STACK9_ARCHIVE_M_LINKS)
	unset(CMAKE_REQUIRED_LIBRARIES)
	unset(CMAKE_TRY_COMPILE_CONFIGURATION)
endif()

# The part of format() that is in its callers asks some of the functions that
# vformat() asks.  A function that is compiled into its callers, or as a copy with
# fewer arguments, is written nowhere else: this object has all of them, and comes
# after the quicker one of the same source.
add_library(fmt_functions OBJECT lib/fmt_archive.cc)
target_link_libraries(fmt_functions PRIVATE fmt::fmt-header-only)
target_compile_options(fmt_functions PRIVATE ${STACK9_COLD} -fno-inline
	$<$<CXX_COMPILER_ID:GNU>:-fno-ipa-cp>)

# What an archive lacks is taken from the shared library, as --as-needed says.
# gcc_eh comes before libunwind, because that has C++'s _Unwind_* calls, too.
function(stack9_quick_start program)
	if(lacking OR NOT archives)
		message(STATUS "${program} takes shared libraries: no ${lacking}")
		return()
	endif()
	target_sources(${program} PRIVATE
		${PROJECT_SOURCE_DIR}/tools/lib/fmt_archive.cc)
	set_source_files_properties(
		${PROJECT_SOURCE_DIR}/tools/lib/fmt_archive.cc
		PROPERTIES COMPILE_OPTIONS ${STACK9_COLD})
	target_sources(${program} PRIVATE $<TARGET_OBJECTS:fmt_functions>)
	if(STACK9_LIBUNWIND)
		target_sources(${program} PRIVATE
			${PROJECT_SOURCE_DIR}/tools/lib/late_libunwind.cc)
		target_link_libraries(${program} PRIVATE PkgConfig::LIBUNWIND)
	endif()
	if(STACK9_ARCHIVE_M_LINKS)
		set(libm ${STACK9_ARCHIVE_M})
	endif()
	# libstdc++ comes after all archives, and needs these of libm.
	target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc
		LINKER:-u,fegetround,-u,fesetround,-u,llround)
	target_link_libraries(${program} PRIVATE ${STACK9_PARTS} gcc_eh
		${archives} ${libm})
endfunction()
