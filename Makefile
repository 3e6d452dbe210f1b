# The front door, for GNU make and bmake.  It knows no sources: CMake does.
#
# SPDX-License-Identifier: BSD-2-Clause
BUILD =		build
PREFIX =	/usr/local
CMAKE_FLAGS =
FUZZ_SECONDS =	60
PREBUILT =	backends/linux-bpf/prebuilt backends/linux-async/prebuilt \
		backends/linux-events/programs/prebuilt
LANGUAGE_TESTS = test_languages_python test_languages_java \
		test_languages_javascript test_languages_ruby \
		test_languages_php test_languages_perl
# A make that calls the other make must not hand it its own flags.
CMAKE =		env -u MAKEFLAGS -u MAKELEVEL cmake
COMPILE =	$(CMAKE) --build $(BUILD) --parallel "$$(nproc)"

.PHONY: all help deps demo tests kernel-tests check check-all bench fuzz man \
	lint install install-debug clean configure skeletons skeletons-check \
	check-kernels check-aarch64 check-riscv64 check-compilers check-musl \
	check-other-libc check-distributions check-languages deb deb-arm64 \
	portable image wheel check-portable

all: configure		## build the library, the programs, the pages (default)
	@$(COMPILE)

help:			## print this
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1	\2/p' Makefile | expand -t 20
	@echo; echo "Variables: BUILD PREFIX DESTDIR CMAKE_FLAGS FUZZ_SECONDS"

configure:
	@test -e $(BUILD)/CMakeCache.txt && test -z "$(CMAKE_FLAGS)" || \
	    $(CMAKE) -S . -B $(BUILD) $(CMAKE_FLAGS)

deps:			## install what a Debian needs, as root
	apt-get update
	apt-get install -y --no-install-recommends \
	    $$(sed 's/#.*//' packaging/debian-packages.txt)

demo: configure		## print the stacks of a program made for it
	@$(COMPILE) --target stackprint stackprint_demo
	@sh tools/demo/run.sh $(BUILD)/tools/stackprint \
	    $(BUILD)/tools/stackprint_demo

tests: configure	## build the tests, and run none
	@$(COMPILE) --target all tests

kernel-tests: tests	## build what guests with other kernels run, too
	@$(COMPILE) --target kernel_tests

check: tests		## build and run every test; the last line is the count
	@tests/run $(BUILD)

check-all: kernel-tests	## the same at full length, sanitized and on all kernels
	@failed=0; export STACK9_LONG=1 STACK9_TEST_SECONDS=900 \
	    STACK9_KERNEL_SECONDS=900; \
	tests/run $(BUILD) || failed=1; \
	STACK9_TRUTH_SECONDS=1800 STACK9_TEST_SECONDS=2400 \
	    tests/run $(BUILD) truth || failed=1; \
	tests/sanitized || failed=1; \
	tests/tsan || failed=1; \
	tests/kernels/run $(BUILD) 5.10 6.1 6.12 6.18 6.19 newest 7.3-rt \
	    newest,preempt=full newest,lockdown=confidentiality || failed=1; \
	tests/kernels/run -t $(BUILD)/tests/test_faults \
	    -f $(BUILD)/tests/self/self_plugin.so $(BUILD) \
	    6.12,lockdown=integrity 6.12,lockdown=confidentiality || failed=1; \
	tests/kernels/run -t $(BUILD)/tests/kernels/rights_of_sysctls \
	    -f $(BUILD)/tools/stackprint -f $(BUILD)/tools/stackrecord \
	    -f $(BUILD)/tools/stackcount -f tests/rights/expected \
	    $(BUILD) 6.18 || failed=1; \
	tests/kernels/arm64 $(BUILD) 6.1-arm64 newest-arm64 \
	    6.12-arm64-64k || failed=1; \
	tests/aarch64/run $(BUILD) || failed=1; \
	tests/riscv64/run $(BUILD) || failed=1; \
	tests/compilers/run $(BUILD) || failed=1; \
	tests/musl/run $(BUILD) || failed=1; \
	tests/other_libc $(BUILD) || failed=1; \
	tests/distributions/run || failed=1; \
	tests/languages/run $(BUILD) || failed=1; \
	packaging/debian-check || failed=1; \
	packaging/debian-arm64 || failed=1; \
	$(COMPILE) --target portable_in_guest stackprint && \
	    tests/portable/run $(BUILD) || failed=1; \
	tests/faults/table $(BUILD) || failed=1; \
	exit $$failed

bench: configure	## build the benchmarks; measure against the peers
	@$(COMPILE) --target all benches
	@$(COMPILE) --target bench

fuzz:			## fuzz for FUZZ_SECONDS each, with clang
	@$(CMAKE) --preset fuzz
	@$(CMAKE) --build build/fuzz --target fuzzers --parallel "$$(nproc)"
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run build/fuzz

man: configure		## make the manual pages and say how to read them
	@echo "man -M $(BUILD)/man/tree stack"

lint:			## check the manual, the scripts, the width of lines
	@packaging/lint

install:		## install under DESTDIR and PREFIX
	@$(CMAKE) -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CMAKE_FLAGS)
	@$(COMPILE)
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD)
	@test -n "$(DESTDIR)" || test "$$(id -u)" != 0 || ldconfig

install-debug: install	## install their debug information in /usr/lib/debug, too
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --component debug

skeletons: configure	## rebuild the checked-in BPF skeletons (clang, bpftool)
	@$(COMPILE) --target stack9_bpf_prebuilt

skeletons-check: configure	## fail if a checked-in skeleton is stale
	@rm -rf $(BUILD)/prebuilt-before
	@for d in $(PREBUILT); do \
	    mkdir -p $(BUILD)/prebuilt-before/$$d && \
	    cp $$d/* $(BUILD)/prebuilt-before/$$d || exit 1; done
	@$(COMPILE) --target stack9_bpf_prebuilt
	@for d in $(PREBUILT); do \
	    diff -r $(BUILD)/prebuilt-before/$$d $$d > /dev/null || \
	    { echo "stale: $$d; rebuilt now" >&2; exit 1; }; done

check-kernels: kernel-tests	## boot other kernels in qemu and test there
	@tests/kernels/run -q $(BUILD)

check-distributions:	## follow README in fresh Debian 12, 13 and unstable
	@tests/distributions/run

check-languages: configure	## test with runtimes of Debian 11, 12, 13 and unstable
	@$(COMPILE) --target all $(LANGUAGE_TESTS)
	@tests/languages/run $(BUILD)

check-musl: configure	## build and test with musl; show programs of musl
	@$(COMPILE) --target stackprint
	@tests/musl/run $(BUILD)

portable:		## make the one static file for any Linux, as root
	@packaging/portable

image: portable		## make a container's image of that file alone
	@packaging/container/image

wheel: portable		## make a Python wheel of programs, module and library
	@packaging/wheel

check-portable: configure	## run the one file, its image and its wheel in other roots
	@$(COMPILE) --target portable_in_guest stackprint
	@tests/portable/run $(BUILD)
check-other-libc:	## test where the C library cannot find modules by address
	@tests/other_libc $(BUILD)

deb:			## build the Debian packages, install and test them in a chroot
	@packaging/debian-check

deb-arm64:		## cross-build the packages for arm64, test them in an emulated chroot
	@packaging/debian-arm64

check-aarch64:		## build unwind/ for aarch64 and check it in qemu-user
	@tests/aarch64/run $(BUILD)

check-riscv64:		## build the in-process library for riscv64, check it in qemu-user
	@tests/riscv64/run $(BUILD)

check-compilers:	## build and test by other compilers, with LTO, as an archive
	@tests/compilers/run $(BUILD)

clean:			## remove the build directory
	rm -rf $(BUILD)
