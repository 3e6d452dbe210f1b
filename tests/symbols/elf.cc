// Compares the names of this process's functions with those of nm and dladdr.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <csetjmp>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "ways.h"

using boost::unit_test::description;
namespace data = boost::unit_test::data;

namespace {

struct truth {
	std::uintptr_t		size = 0;	// of the longest
	std::set<std::string>	names;
};

// The sized functions of this program, by address, from nm.
std::map<std::uintptr_t, truth>
functions_by_nm()
{
	std::uintptr_t bias = 0;
	dl_iterate_phdr([](dl_phdr_info *i, std::size_t, void *p) {
		*static_cast<std::uintptr_t *>(p) = i->dlpi_addr;
		return 1;
	}, &bias);
	std::map<std::uintptr_t, truth> all;
	const std::string command = fmt::format(
	    "nm -f posix --defined-only --special-syms /proc/{}/exe", getpid());
	FILE *f = popen(command.c_str(), "r");
	char *text = nullptr;
	std::size_t room = 0;
	while (getline(&text, &room, f) > 0) {
		const std::string line = text;
		const std::size_t end = line.find(' ');
		std::uintptr_t value, size;
		char type;
		if (sscanf(line.c_str() + end, " %c %" SCNxPTR " %" SCNxPTR,
		    &type, &value, &size) != 3 ||
		    strchr("tTwWi", type) == nullptr)
			continue;
		truth &t = all[bias + value];
		t.size = std::max(t.size, size);
		t.names.insert(line.substr(0, std::min(end, line.find('@'))));
	}
	free(text);
	pclose(f);
	return all;
}

int __attribute__((noinline))
a_static_function(int n)
{
	asm volatile("");
	return n + 1;
}

std::jmp_buf back;
std::uintptr_t returns_to;

[[noreturn]] void __attribute__((noinline))
never_returns()
{
	returns_to =
	    reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
	std::longjmp(back, 1);
}

void __attribute__((noinline))
calls_it_last()
{
	never_returns();
}

} // namespace

extern "C" int a_function_for_dladdr(int n);
int __attribute__((noinline, visibility("default")))
a_function_for_dladdr(int n)
{
	return a_static_function(n) * 2;
}

BOOST_AUTO_TEST_SUITE(elf)

BOOST_DATA_TEST_CASE(static_functions_have_names, data::make(ways), w)
{
	stack9::symbol_name s;
	const auto pc = reinterpret_cast<std::uintptr_t>(a_static_function);
	BOOST_REQUIRE(w.find(pc + 1, false, s) == 0);
	BOOST_TEST(std::string(s.name).find("a_static_function") !=
	    std::string::npos);
	BOOST_TEST(s.offset == 1);
	BOOST_TEST(s.size > 1);
	BOOST_TEST(s.module == "test_symbols");
}

BOOST_AUTO_TEST_CASE(every_function_is_what_nm_says)
{
	const auto all = functions_by_nm();
	BOOST_TEST(all.size() > 500);
	std::size_t checked = 0, wrong = 0;
	for (const auto &[start, t] : all) {
		stack9::symbol_name s;
		const std::uintptr_t end =
		    start + std::max<std::size_t>(t.size, 1);
		for (std::uintptr_t pc : {start, end - 1}) {
			const auto next = all.upper_bound(pc);
			if (std::prev(next)->first != start)
				continue;	// one in the other
			const int error = stack9::elf_find(pc, false, s);
			checked++;
			if (error == 0 && s.offset == pc - start &&
			    s.size == t.size && t.names.contains(s.name))
				continue;
			wrong++;
			BOOST_TEST_MESSAGE(*t.names.begin() << " is " <<
			    (error ? strerror(error) : s.name));
		}
	}
	BOOST_TEST(wrong == 0);
	BOOST_TEST(checked > all.size());
}

BOOST_AUTO_TEST_CASE(exported_functions_are_what_dladdr_says)
{
	int checked = 0;
	for (const char *name : {"a_function_for_dladdr", "printf", "qsort",
	    "pthread_create", "malloc", "clock_gettime", "dlopen"}) {
		const void *p = dlsym(RTLD_DEFAULT, name);
		BOOST_REQUIRE(p != nullptr);
		const auto pc = reinterpret_cast<std::uintptr_t>(p) + 1;
		Dl_info info;
		stack9::symbol_name s;
		BOOST_REQUIRE(dladdr(reinterpret_cast<void *>(pc), &info) != 0);
		BOOST_REQUIRE_MESSAGE(stack9::elf_find(pc, false, s) == 0,
		    name);
		BOOST_TEST(pc - s.offset ==
		    reinterpret_cast<std::uintptr_t>(info.dli_saddr));
		BOOST_TEST(dlsym(RTLD_DEFAULT, s.name) != nullptr);
		checked++;
	}
	BOOST_TEST(checked == 7);
}

BOOST_DATA_TEST_CASE(a_call_in_last_position, data::make(ways), w)
{
	if (setjmp(back) == 0)
		calls_it_last();
	stack9::symbol_name s;
	BOOST_REQUIRE(w.find(returns_to, true, s) == 0);
	BOOST_TEST(std::string(s.name).find("calls_it_last") !=
	    std::string::npos);
	BOOST_TEST(s.offset <= s.size);
}

BOOST_DATA_TEST_CASE(the_vdso, data::make(ways), w)
{
	void *vdso = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);
	if (vdso == nullptr) {
		BOOST_TEST_MESSAGE("no vdso here");
		return;
	}
	const auto pc = reinterpret_cast<std::uintptr_t>(
	    dlsym(vdso, "__vdso_clock_gettime"));
	BOOST_REQUIRE(pc != 0);
	stack9::symbol_name s;
	BOOST_REQUIRE(w.find(pc + 1, false, s) == 0);
	BOOST_TEST(s.name == "__vdso_clock_gettime");
	BOOST_TEST(s.offset == 1);
	BOOST_TEST(s.module == "[vdso]");
	dlclose(vdso);
}

BOOST_DATA_TEST_CASE(errno_is_kept, data::make(ways), w)
{
	stack9::symbol_name s;
	for (std::uintptr_t pc : {std::uintptr_t{0},
	    reinterpret_cast<std::uintptr_t>(a_static_function)}) {
		errno = 12345;
		w.find(pc, false, s);
		BOOST_TEST(errno == 12345);
	}
}

// main()'s caller in libc is a static function.
BOOST_AUTO_TEST_CASE(names_static_functions_from_debug_files, *description(
    "a file without static functions"))
{
	void *frames[64];
	const int depth = backtrace(frames, 64);
	std::string names;
	for (int i = 0; i < depth; i++)
		names += text(stack9::elf_find,
		    reinterpret_cast<std::uintptr_t>(frames[i])) + " ";
	if (system("ls /usr/lib/debug/.build-id/*/*.debug > /dev/null 2>&1 && "
	    "dpkg -s libc6-dbg > /dev/null 2>&1") != 0)
		return;
	BOOST_TEST(names.find("__libc_start_call_main+") != names.npos, names);
	for (int i = 0; i < depth; i++)
		names += text(stack9::elf_find_nowait,
		    reinterpret_cast<std::uintptr_t>(frames[i])) + " ";
	BOOST_TEST(names.find("__libc_start_call_main+") !=
	    names.rfind("__libc_start_call_main+"), names);
}

BOOST_AUTO_TEST_SUITE_END()
