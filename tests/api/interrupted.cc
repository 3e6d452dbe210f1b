// Tests that stack9_frames(3) names a frame by its pc if a signal came there.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "child.h"

using boost::unit_test::description;

// The first instruction of a function faults, so the byte before its pc belongs
// to another function.
extern "C" void api_faults();
asm(".text\n"
    ".type api_before, %function\n"
    "api_before:\n"
    "	.cfi_startproc\n"
    "	ret\n"
    "	.cfi_endproc\n"
    ".size api_before, . - api_before\n"
    ".type api_faults, %function\n"
    "api_faults:\n"
    "	.cfi_startproc\n"
#if defined(__x86_64__)
    "	ud2\n"
#elif defined(__aarch64__)
    "	udf #0\n"
#else
    "	unimp\n"
#endif
    "	ret\n"
    "	.cfi_endproc\n"
    ".size api_faults, . - api_faults\n");

BOOST_AUTO_TEST_SUITE(interrupted)

namespace {

int from;	// where the handler waits

void
handle(int)
{
	api::child_waits(from);
}

void
fault(int fd)
{
	from = fd;
	struct sigaction sa{};
	sa.sa_handler = handle;
	sigaction(SIGILL, &sa, nullptr);
	api_faults();
}

struct row {
	std::string	name;
	std::uint64_t	offset;
	unsigned int	flags;
};

int
keep(void *arg, const stack9_frame *f)
{
	static_cast<std::vector<row> *>(arg)->push_back({f->name, f->offset,
	    f->flags});
	return 0;
}

// The frame after handle() is the kernel's, and the next was interrupted.
std::vector<row>
behind_handler(const stack9_stack *s)
{
	std::vector<row> all;
	BOOST_TEST(stack9_frames(s, STACK9_FRAMES_LINKAGE, keep, &all) == 0);
	for (std::size_t i = 0; i + 2 < all.size(); i++)
		if (all[i].name.find("handle") != std::string::npos)
			return {all.begin() + static_cast<std::ptrdiff_t>(i),
			    all.end()};
	return {};
}

} // namespace

BOOST_AUTO_TEST_CASE(named_by_its_pc, *description(
    "The next frame is where the signal came, and is exact."))
{
	const api::child c(fault);
	c.wait_for_sleep();
	const api::sample s = api::save(c.thread(), STACK9_USER);
	const std::vector<row> all = behind_handler(s->user);
	BOOST_TEST_REQUIRE(all.size() > 3u);
	BOOST_TEST((all[1].flags & STACK9_FRAME_SIGNAL) != 0);
	BOOST_TEST(all[2].name == "api_faults");
	BOOST_TEST(all[2].offset == 0u);
	BOOST_TEST((all[2].flags & STACK9_FRAME_EXACT) != 0);
	for (const std::size_t i : {0, 2, 3})
		BOOST_TEST((all[i].flags & STACK9_FRAME_SIGNAL) == 0);
	BOOST_TEST((all[3].flags & STACK9_FRAME_EXACT) == 0);
}

BOOST_AUTO_TEST_CASE(without_names, *description(
    "the next frame is exact, too, but this flag is not set"))
{
	const api::child c(fault);
	c.wait_for_sleep();
	const api::sample s = api::save(c.thread(), STACK9_USER);
	std::vector<row> all;
	BOOST_TEST(stack9_frames(s->user, STACK9_FRAMES_PLACES, keep,
	    &all) == 0);
	std::size_t exact = 0;
	for (std::size_t i = 1; i < all.size(); i++) {
		exact += (all[i].flags & STACK9_FRAME_EXACT) != 0;
		BOOST_TEST((all[i].flags & STACK9_FRAME_SIGNAL) == 0);
	}
	BOOST_TEST(exact == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
