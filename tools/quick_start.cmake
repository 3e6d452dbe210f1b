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

# What an archive lacks is taken from the shared library, as --as-needed says.
# gcc_eh comes before libunwind, which has C++'s _Unwind_* calls, too.  Where there
# is no archive of libm, the shared one is used.
function(stack9_quick_start program)
	if(archives MATCHES NOTFOUND)
		message(STATUS "${program} takes shared libraries: ${archives}")
		return()
	endif()
	target_sources(${program} PRIVATE
		${PROJECT_SOURCE_DIR}/tools/lib/fmt_archive.cc)
	if(STACK9_LIBUNWIND)
		target_sources(${program} PRIVATE
			${PROJECT_SOURCE_DIR}/tools/lib/late_libunwind.cc)
		target_link_libraries(${program} PRIVATE PkgConfig::LIBUNWIND)
	endif()
	set(libm $<$<BOOL:${STACK9_ARCHIVE_M}>:${STACK9_ARCHIVE_M}>)
	# libstdc++ comes behind all archives, and wants these of libm.
	target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc
		LINKER:-u,fegetround,-u,fesetround,-u,llround)
	target_link_libraries(${program} PRIVATE ${STACK9_PARTS} gcc_eh
		${archives} ${libm})
endfunction()
