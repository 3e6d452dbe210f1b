// Tests what is remembered of the pages that a process has in its memory.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "os/present_pages.h"

#include <cstring>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <sys/mman.h>

#include "os/unique_fd.h"

BOOST_AUTO_TEST_SUITE(pages)

namespace {

constexpr std::size_t page = 4096, size = 64 * page;

class memory {
public:
	memory()
	{
		// A huge page would bring in its neighbours.
		madvise(at_, size, MADV_NOHUGEPAGE);
	}
	~memory() { munmap(at_, size); }
	memory(const memory &) = delete;
	memory &operator=(const memory &) = delete;

	std::uintptr_t
	at(std::size_t n) const
	{
		return reinterpret_cast<std::uintptr_t>(at_) + n * page;
	}
	void touch(std::size_t n) { static_cast<char *>(at_)[n * page] = 1; }

private:
	void *const at_ = mmap(nullptr, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
};

} // namespace

BOOST_AUTO_TEST_CASE(a_part_ends_before_the_first_absent_page)
{
	const stack9::unique_fd pagemap(open("/proc/self/pagemap", O_RDONLY |
	    O_CLOEXEC));
	memory m;
	for (std::size_t n = 0; n < 40; n++)
		m.touch(n);
	stack9::present_pages known;
	for (int time = 0; time < 2; time++) {
		BOOST_TEST(known.present(pagemap.get(), m.at(0) + 8, size -
		    8) == 40 * page - 8);
		BOOST_TEST(stack9::present_bytes(pagemap.get(), m.at(0) + 8,
		    size - 8) == 40 * page - 8);
		BOOST_TEST(known.present(pagemap.get(), m.at(40), 1) == 0U);
	}
}

BOOST_AUTO_TEST_CASE(an_absent_page_is_asked_for_again)
{
	const stack9::unique_fd pagemap(open("/proc/self/pagemap", O_RDONLY |
	    O_CLOEXEC));
	memory m;
	m.touch(0);
	stack9::present_pages known;
	BOOST_TEST(known.present(pagemap.get(), m.at(0), 2 * page) == page);
	m.touch(1);
	BOOST_TEST(known.present(pagemap.get(), m.at(0), 2 * page) == 2 *
	    page);
}

BOOST_AUTO_TEST_SUITE_END()
