# Compiles for Linux on aarch64 with Debian's cross compiler, or with the clang that
# CMAKE_C_COMPILER and CMAKE_CXX_COMPILER name.  Headers, libraries and packages are
# those of CMAKE_SYSROOT or of the compiler, never this machine's.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
if(CMAKE_C_COMPILER MATCHES "clang")
	set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
	set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
else()
	set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
	set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
endif()
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
if(NOT CMAKE_SYSROOT)
	list(APPEND CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
endif()
set(ENV{PKG_CONFIG_DIR} "")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR}
	"${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
