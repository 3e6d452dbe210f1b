# Compiles for Linux on riscv64 with Debian's cross compiler.  Headers, libraries
# and packages are those of CMAKE_SYSROOT or of the compiler, never this machine's.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER riscv64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER riscv64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE riscv64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
if(NOT CMAKE_SYSROOT)
	list(APPEND CMAKE_FIND_ROOT_PATH /usr/riscv64-linux-gnu)
endif()
set(ENV{PKG_CONFIG_DIR} "")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR}
	"${CMAKE_SYSROOT}/usr/lib/riscv64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
