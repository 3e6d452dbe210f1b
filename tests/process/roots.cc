// Tests that a stack ends whole where a program begins, and only in code that
// could be looked at.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "copier.h"
#include "core/seam/stop_reason.h"
#include "process/space.h"

// A frame that has nothing on its stack but where it returns to.
asm(R"(
	.text
	.p2align 4
roots_leaf:
	.cfi_startproc
	nop
	ret
	.cfi_endproc
)");
extern "C" const char roots_leaf[];

BOOST_AUTO_TEST_SUITE(roots)

namespace {

constexpr std::size_t page = 4096, called = 0x100;

// The mappings of this process, with other words for the page at `at`.
std::string
mappings(const void *at, const std::string &words)
{
	std::ifstream maps("/proc/self/maps");
	const std::string begin = fmt::format("{:x}-",
	    reinterpret_cast<std::uintptr_t>(at));
	std::ostringstream all;
	for (std::string line; std::getline(maps, line);)
		all << (line.starts_with(begin) ?
		    line.substr(0, line.find(' ') + 1) + words : line) << '\n';
	return all.str();
}

// Walks from a frame that returns to code which clears the frame pointer and
// calls, in a page that is mapped so.
walk
walk_to_root(const std::string &words)
{
	auto *const at = static_cast<std::uint8_t *>(mmap(nullptr, page,
	    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	constexpr std::uint8_t code[] = {0x31, 0xed, 0xe8, 0, 0, 0, 0};
	std::memcpy(at + called - sizeof code, code, sizeof code);
	mprotect(at, page, PROT_READ | PROT_EXEC);
	const std::uint64_t stack[] = {
	    reinterpret_cast<std::uint64_t>(at + called), 0, 0, 0};
	stack9::user_copy copy;
	copy.set(16, reinterpret_cast<std::uint64_t>(roots_leaf));
	copy.set(7, reinterpret_cast<std::uint64_t>(stack));
	copy.set(6, 0);
	copy.stack.at = reinterpret_cast<std::uint64_t>(stack);
	BOOST_REQUIRE(copy.stack.bytes.resize(sizeof stack));
	std::memcpy(copy.stack.bytes.data(), stack, sizeof stack);
	const stack9_thread self{getpid(), getpid(), 0};
	const opened space(self);
	BOOST_REQUIRE((*space).take_snapshot(mappings(at, words)) == 0);
	const walk w = walk_of(*space, copy, self);
	munmap(at, page);
	BOOST_TEST(w.pcs.at(1) == stack[0]);
	return w;
}

} // namespace

BOOST_AUTO_TEST_CASE(code_that_begins_a_stack_is_outermost,
    *boost::unit_test::description("a frame whose pc is not in code does not "
    "count, nor one whose file could not be read"))
{
	walk w = walk_to_root("r-xp 00000000 00:00 0");
	BOOST_TEST(w.rec.why == STACK9_WHY_NONE);
	w = walk_to_root("r--p 00000000 00:00 0");
	BOOST_TEST(w.rec.why == STACK9_WHY_UNWIND);
	w = walk_to_root("r-xp 00000000 fe:77 4711 /none/of/these");
	BOOST_TEST(w.rec.why == STACK9_WHY_UNWIND);
	BOOST_TEST(w.rec.reason == stack9::file_unread);
}

BOOST_AUTO_TEST_SUITE_END()
