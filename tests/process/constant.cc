// Tests what a walk reads beside a copy, and which mappings it takes for one
// stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/seam/space.h"
#include "lib/lone_place.h"
#include "lib/scratch.h"
#include "os/unique_fd.h"
#include "remote/code.h"
#include "remote/memory.h"

BOOST_AUTO_TEST_SUITE(constant)

namespace {

constexpr std::uintptr_t page = 4096;

stack9_thread
self()
{
	return {getpid(), getpid(), 0};
}

stack9::unique_space
own_space()
{
	stack9_space *opened = nullptr;
	BOOST_REQUIRE(stack9::space_open(self(), opened) == 0);
	return stack9::unique_space(opened);
}

// Pages between two that are not mapped.
class pages {
public:
	explicit pages(std::uintptr_t many) : size_(many * page)
	{
		BOOST_REQUIRE(mmap(at(0), size_, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) ==
		    at(0));
	}
	~pages() { munmap(at(0), size_); }
	pages(const pages &) = delete;
	pages &operator=(const pages &) = delete;

	void *at(std::uintptr_t n) const
	    { return reinterpret_cast<void *>(address(n)); }
	std::uintptr_t address(std::uintptr_t n) const
	    { return lib::lone_place + n * page; }

private:
	std::uintptr_t	size_;
};

bool
is_one_stack(std::uintptr_t from, std::uintptr_t to)
{
	const auto space = own_space();
	const stack9::user_copy none;
	stack9::remote::copied_memory words(*space, none, self());
	return stack9::remote::remote_code(*space, words).is_one_stack(from,
	    to);
}

} // namespace

// The file goes on where its mapping ends.
BOOST_AUTO_TEST_CASE(what_is_not_mapped_is_not_read_from_the_file)
{
	const stack9::unique_fd program(open("/proc/self/exe",
	    O_RDONLY | O_CLOEXEC));
	const pages p(1);
	BOOST_REQUIRE(mmap(p.at(0), page, PROT_READ | PROT_EXEC,
	    MAP_PRIVATE | MAP_FIXED, program.get(), 0) == p.at(0));
	const auto space = own_space();
	const stack9::user_copy none;
	stack9::remote::copied_memory words(*space, none, self());
	std::uint64_t word;
	BOOST_TEST(words.read(p.address(0), &word, sizeof word));
	BOOST_TEST(words.read(p.address(1) - 8, &word, sizeof word));
	BOOST_TEST(!words.read(p.address(1) - 4, &word, sizeof word));
}

BOOST_AUTO_TEST_CASE(code_that_was_written_over_is_not_read)
{
	const lib::scratch dir;
	const std::string path = dir.take("/proc/self/exe");
	const stack9::unique_fd file(open(path.c_str(), O_RDWR | O_CLOEXEC));
	const pages p(1);
	BOOST_REQUIRE(mmap(p.at(0), page, PROT_READ | PROT_EXEC,
	    MAP_PRIVATE | MAP_FIXED, file.get(), 0) == p.at(0));
	const auto space = own_space();
	const stack9::user_copy none;
	stack9::remote::copied_memory words(*space, none, self());
	std::uint64_t word;
	BOOST_TEST(words.read(p.address(0), &word, sizeof word));
	BOOST_REQUIRE(ftruncate(file.get(), 2 * page) == 0);
	stack9::remote::copied_memory later(*space, none, self());
	BOOST_TEST(!later.read(p.address(0), &word, sizeof word));
}

BOOST_AUTO_TEST_CASE(a_stack_can_be_written_everywhere)
{
	const pages p(3);
	const std::uintptr_t from = p.address(0) + 8, to = p.address(2) + 8;
	BOOST_TEST(is_one_stack(from, to));
	madvise(p.at(1), page, MADV_DONTFORK);	// a mapping of its own
	BOOST_TEST(is_one_stack(from, to));
	BOOST_TEST(!is_one_stack(to, from));
	mprotect(p.at(1), page, PROT_READ);
	BOOST_TEST(!is_one_stack(from, to));
	BOOST_TEST(is_one_stack(from, from + 8));
}

BOOST_AUTO_TEST_SUITE_END()
