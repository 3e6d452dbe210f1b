# Puts libstack9, C++'s runtime and the archives of other libraries into a program.
# A shared library has to be found, mapped and bound at each start: without this a
# third of the time of `stackprint TID` goes to that.
find_library(STACK9_ARCHIVE_LZMA liblzma.a)
find_library(STACK9_ARCHIVE_BZ2 libbz2.a)
find_library(STACK9_ARCHIVE_BPF libbpf.a)
find_library(STACK9_ARCHIVE_CAP libcap.a)
find_library(STACK9_ARCHIVE_DW libdw.a)
find_library(STACK9_ARCHIVE_ELF libelf.a)
find_library(STACK9_ARCHIVE_Z libz.a)
find_library(STACK9_ARCHIVE_M libm.a)
set(archives ${STACK9_ARCHIVE_BPF} ${STACK9_ARCHIVE_DW} ${STACK9_ARCHIVE_ELF}
	${STACK9_ARCHIVE_CAP} ${STACK9_ARCHIVE_Z} ${STACK9_ARCHIVE_LZMA}
	${STACK9_ARCHIVE_BZ2})

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

# What an archive lacks is taken from the shared library, as --as-needed says.
# gcc_eh comes before libunwind, which has C++'s _Unwind_* calls, too.
function(stack9_quick_start program)
	if(archives MATCHES NOTFOUND)
		message(STATUS "${program} takes shared libraries: ${archives}")
		return()
	endif()
	target_sources(${program} PRIVATE
		${PROJECT_SOURCE_DIR}/tools/lib/fmt_archive.cc)
	set_source_files_properties(
		${PROJECT_SOURCE_DIR}/tools/lib/fmt_archive.cc
		PROPERTIES COMPILE_OPTIONS ${STACK9_COLD})
	if(STACK9_LIBUNWIND)
		target_sources(${program} PRIVATE
			${PROJECT_SOURCE_DIR}/tools/lib/late_libunwind.cc)
		target_link_libraries(${program} PRIVATE PkgConfig::LIBUNWIND)
	endif()
	if(STACK9_ARCHIVE_M_LINKS)
		set(libm ${STACK9_ARCHIVE_M})
	endif()
	# libstdc++ comes behind all archives, and wants these of libm.
	target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc
		LINKER:-u,fegetround,-u,fesetround,-u,llround)
	target_link_libraries(${program} PRIVATE ${STACK9_PARTS} gcc_eh
		${archives} ${libm})
endfunction()
