# Tests what the C library has of what another one lacks.  Not by its version:
# distributions change that.
include(CheckCXXSourceCompiles)

# OFF: as with a C library that has none (musl, glibc before 2.35).
option(STACK9_DL_FIND_OBJECT "ask _dl_find_object(3) for modules, if there is one"
	ON)
set(STACK9_OS_DEFINITIONS "")
# In a static program it knows the segment with the code alone, and the unwind
# information lies in another one.
if(STACK9_DL_FIND_OBJECT AND NOT STACK9_PORTABLE)
	set(CMAKE_REQUIRED_DEFINITIONS -D_GNU_SOURCE)
	check_cxx_source_compiles("#include <dlfcn.h>
int main()
{
	dl_find_object found;
	return _dl_find_object(nullptr, &found) != 0 &&
	    found.dlfo_eh_frame == nullptr && found.dlfo_link_map != nullptr;
}" STACK9_HAS_DL_FIND_OBJECT)
	unset(CMAKE_REQUIRED_DEFINITIONS)
	if(STACK9_HAS_DL_FIND_OBJECT)
		list(APPEND STACK9_OS_DEFINITIONS STACK9_DL_FIND_OBJECT)
	endif()
endif()
