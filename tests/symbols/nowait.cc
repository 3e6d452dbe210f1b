// Tests the lookup for signal handlers: no lock, no heap, little stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <sys/resource.h>

#include "program.h"
#include "require.h"
#include "symbols/debug_nowait.h"
#include "symbols/name_cache.h"

using boost::unit_test::description;

extern "C" char __executable_start, etext;

namespace {

// A local function of this program.
__attribute__((noinline, used)) int
nobody_else_asks()
{
	return 1;
}

} // namespace

BOOST_AUTO_TEST_SUITE(nowait)

BOOST_AUTO_TEST_CASE(says_what_the_cached_lookup_says)
{
	// 500 addresses, evenly over this program's text.
	const auto from = reinterpret_cast<std::uintptr_t>(&__executable_start);
	const auto to = reinterpret_cast<std::uintptr_t>(&etext);
	const std::uintptr_t step = (to - from) / 500;
	int named = 0, different = 0;
	for (std::uintptr_t pc = from; pc < to; pc += step) {
		// Before the other lookup, whose names it remembers.
		const std::string nowait = text(stack9::elf_find_nowait, pc);
		const std::string caller =
		    text(stack9::elf_find_nowait, pc, true);
		const std::string name = text(stack9::elf_find, pc);
		different += nowait != name;
		different += caller != text(stack9::elf_find, pc, true);
		different += text(stack9::elf_find_nowait, pc) != name;
		named += name.find('+') != name.npos;
	}
	BOOST_TEST(different == 0);
	BOOST_TEST(named > 100);
}

// Without a descriptor no file can be read.
class no_descriptors {
public:
	no_descriptors() noexcept
	{
		getrlimit(RLIMIT_NOFILE, &limit_);
		const rlimit none{0, limit_.rlim_max};
		setrlimit(RLIMIT_NOFILE, &none);
	}
	~no_descriptors() { setrlimit(RLIMIT_NOFILE, &limit_); }

private:
	rlimit	limit_;
};

BOOST_AUTO_TEST_CASE(finds_exported_functions_in_memory, *description(
    "They find exported functions in memory, and read files for other names "
    "only."))
{
	const auto here = reinterpret_cast<std::uintptr_t>(&std::atoi);
	int named = 0, different = 0;
	// Code of the C library, in steps that meet most functions.
	for (std::uintptr_t pc = here - 100000; pc < here + 100000; pc += 97) {
		std::string name;
		{
			const no_descriptors none;
			name = text(stack9::elf_find_nowait, pc);
		}
		if (name.find('+') == name.npos)
			continue;
		named++;
		different += name != text(stack9::elf_find, pc);
	}
	BOOST_TEST(different == 0);
	BOOST_TEST(named > 100);
}

// This one may be unloaded, and its memory is read by the kernel.
BOOST_AUTO_TEST_CASE(finds_those_of_a_plugin_in_memory)
{
	const plugin p(FIXTURES "plugin_old.so");
	const std::uintptr_t exported = p.symbol("plugin_exported_old") + 1;
	const std::uintptr_t local = p.call("plugin_static") + 1;
	std::string name, other;
	{
		const no_descriptors none;
		name = text(stack9::elf_find_nowait, exported);
		other = text(stack9::elf_find_nowait, local);
	}
	BOOST_TEST(name == "plugin_exported_old+0x1");
	BOOST_TEST(other == fmt::format("errno {}", ENOENT));
	BOOST_TEST(text(stack9::elf_find_nowait, local) ==
	    "plugin_static_old+0x1");
}

BOOST_AUTO_TEST_CASE(remembers_names_without_the_file, *description(
    "A name of up to 319 bytes that was found before comes from a cache, "
    "without a system call."))
{
	const auto pc = reinterpret_cast<std::uintptr_t>(&std::atoi);
	const auto other = reinterpret_cast<std::uintptr_t>(&nobody_else_asks);
	const std::string name = text(stack9::elf_find, pc + 1);
	std::string again, unknown;
	{
		const no_descriptors none;
		again = text(stack9::elf_find_nowait, pc + 1);
		unknown = text(stack9::elf_find_nowait, other + 1);
	}
	BOOST_TEST(again == name);
	BOOST_TEST(unknown != text(stack9::elf_find, other + 1));
	// A failure for want of a descriptor is not remembered.
	BOOST_TEST(text(stack9::elf_find_nowait, other + 1) ==
	    text(stack9::elf_find, other + 1));
}

// Debug files are looked for below this while it is there.
class debug_files_at {
public:
	explicit debug_files_at(const char *root) noexcept :
	    was_(std::exchange(stack9::debug_root, root)) {}
	~debug_files_at() { stack9::debug_root = was_; }

private:
	const char	*was_;
};

// An address of the C library that its exported functions do not cover, and
// that was not asked for.  0: there is none.
std::uintptr_t
unnamed_address()
{
	static std::uintptr_t pc = reinterpret_cast<std::uintptr_t>(&std::atoi);
	const no_descriptors none;
	for (int tries = 0; tries < 1000; tries++) {
		pc += 97;
		if (text(stack9::elf_find_nowait, pc) == fmt::format(
		    "errno {}", ENOENT))
			return pc;
	}
	return 0;
}

std::string
libc_has_all()
{
	const debug_files_at nowhere("/nowhere");
	return text(stack9::elf_find_nowait, unnamed_address()) == fmt::format(
	    "errno {}", ENOENT) ? "" : "libc.so.6 has all its symbols";
}

BOOST_AUTO_TEST_CASE(opens_a_file_without_more_symbols_once,
    *needs("a C library without local names", libc_has_all) * description(
    "A file that has no others is opened once, until a library is loaded or "
    "unloaded."))
{
	const debug_files_at nowhere("/nowhere");
	// All that was known before is forgotten.
	const plugin loaded(FIXTURES "plugin_old.so");
	const std::uintptr_t first = unnamed_address();
	BOOST_REQUIRE(first != 0);
	BOOST_TEST(!stack9::has_cached_name(first, false));
	text(stack9::elf_find_nowait, first);
	const std::uintptr_t second = unnamed_address();
	BOOST_REQUIRE(second != 0);
	BOOST_TEST(stack9::has_cached_name(second, false));
}

// The file that was made of the plugin lies where its build ID says.
BOOST_AUTO_TEST_CASE(reads_the_debug_file_of_a_stripped_one, *description(
    "A file without static functions is completed by its debug file, if the "
    "machine has one."))
{
	{
		const debug_files_at nowhere("/nowhere");
		const plugin p(FIXTURES "plugin_apart.so");
		BOOST_TEST(text(stack9::elf_find_nowait,
		    p.call("plugin_static") + 1) ==
		    fmt::format("errno {}", ENOENT));
	}
	const debug_files_at here(FIXTURES "debug");
	const plugin p(FIXTURES "plugin_apart.so");
	const std::uintptr_t local = p.call("plugin_static") + 1;
	std::string wanting;
	{
		const no_descriptors none;
		wanting = text(stack9::elf_find_nowait, local);
	}
	BOOST_TEST(wanting == fmt::format("errno {}", ENOENT));
	BOOST_TEST(text(stack9::elf_find_nowait, local) ==
	    "plugin_static_old+0x1");
	BOOST_TEST(text(stack9::elf_find_nowait,
	    p.symbol("plugin_exported_old")) == "plugin_exported_old+0x0");
}

// The debug file of another module does not count.
BOOST_AUTO_TEST_CASE(believes_no_debug_file_of_another_module)
{
	const debug_files_at here(FIXTURES "debug_of_another");
	const plugin p(FIXTURES "plugin_apart.so");
	BOOST_TEST(text(stack9::elf_find_nowait, p.call("plugin_static") +
	    1) == fmt::format("errno {}", ENOENT));
}

// Some of these are of one module; one is known, one has no name, and one
// is of the kernel.  AddressSanitizer has no a64l() of its own.
BOOST_AUTO_TEST_CASE(learns_the_names_of_a_stack_together)
{
	const std::uintptr_t pcs[] = {
		reinterpret_cast<std::uintptr_t>(&::a64l) + 1,
		reinterpret_cast<std::uintptr_t>(&__executable_start),
		reinterpret_cast<std::uintptr_t>(&std::strtoul) + 1,
		0xffffffff81000001,
		reinterpret_cast<std::uintptr_t>(&std::bsearch) + 1,
		reinterpret_cast<std::uintptr_t>(&std::strtoll) + 1,
		reinterpret_cast<std::uintptr_t>(&std::ldiv) + 1,
		reinterpret_cast<std::uintptr_t>(&std::lldiv) + 1,
		reinterpret_cast<std::uintptr_t>(&std::strtod) + 1,
		reinterpret_cast<std::uintptr_t>(&std::strtof) + 1,
		reinterpret_cast<std::uintptr_t>(&::a64l) + 1,
		16,
	};
	text(stack9::elf_find_nowait, pcs[2]);
	errno = 4711;
	stack9::elf_learn_nowait(pcs, false);
	BOOST_TEST(errno == 4711);
	std::vector<std::string> found;
	{
		const no_descriptors none;
		for (const std::uintptr_t pc : pcs)
			found.push_back(text(stack9::elf_find_nowait, pc));
	}
	for (std::size_t i = 0; i < found.size(); i++)
		BOOST_TEST(found[i] == text(stack9::elf_find, pcs[i]));
	BOOST_TEST(found[0].starts_with("a64l+"));
	stack9::elf_learn_nowait({}, false);
}

BOOST_AUTO_TEST_CASE(allocates_nothing, *description("no heap"))
{
	BOOST_TEST(probe("malloc") == "ok");
}

BOOST_AUTO_TEST_CASE(works_in_a_segv_handler_inside_malloc,
    *description("async-signal-safe"))
{
	BOOST_TEST(probe("segv") == "ok");
}

BOOST_AUTO_TEST_CASE(keeps_to_its_stack,
    *description("into at most 2 KiB of stack"))
{
	BOOST_TEST(probe("stack") == "ok");
}

BOOST_AUTO_TEST_CASE(takes_no_lock, *description("without lock"))
{
	BOOST_TEST(probe("lock") == "ok");
}

BOOST_AUTO_TEST_SUITE_END()
