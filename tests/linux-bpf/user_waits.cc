// Tests memory that keeps its reader waiting.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <csignal>
#include <thread>

#include <alloca.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "require.h"
#include "user_child.h"
#include "user_marks.h"

using stack9::job;

BOOST_AUTO_TEST_SUITE(user_waits)

namespace {

constexpr std::size_t page = 4096;

// Takes a page of this process away, so that whoever reads it waits for
// somebody to give it back; nobody does.  False: not allowed here.
bool
take_away(std::uint64_t at)
{
	const int fd = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC));
	uffdio_api api{UFFD_API, 0, 0};
	uffdio_register all{};
	all.range = {at, page};
	all.mode = UFFDIO_REGISTER_MODE_MISSING;
	return fd >= 0 && ioctl(fd, UFFDIO_API, &api) == 0 &&
	    madvise(reinterpret_cast<void *>(at), page, MADV_DONTNEED) == 0 &&
	    ioctl(fd, UFFDIO_REGISTER, &all) == 0;
}

// Sleeps with such a page in its stack, not far from the top.
void
sleep_over_a_gap(child::board &b)
{
	char *const room = static_cast<char *>(alloca(8 * page));
	std::uint64_t at = reinterpret_cast<std::uint64_t>(room) + 2 * page;
	at -= at % page;
	room[0] = 1;
	b.word[1] = at;
	b.word[0] = take_away(at) ? 1 : 2;
	for (;;)
		pause();
}

// Captures other while a copy of the stuck one is asked for: 0, or a number.
int
captures_go_on(pid_t stuck, std::uint64_t gap, pid_t other)
{
	auto *const kernel = usable_route<job::kernel>("syscall") ?:
	    usable_route<job::kernel>("iter-tid");
	std::atomic<int> answers{0}, wrong{0};
	std::thread asking([&] {
		for (const std::string &name : sleeper_routes)
			if (auto *r = usable_route<job::user>(name)) {
				user_capture c;
				const int e = c.take(*r, {stuck, 0, 0});
				const auto &piece = c.copy.stack;
				// The kernel may have answered for the page.
				wrong += e == 0 ? piece.more ||
				    piece.at + piece.bytes.size() < gap :
				    e != EAGAIN;
				answers++;
			}
	});
	for (int i = captures(1000); i > 0; i--) {
		user_capture c;
		if (kernel->save({other, 0, 0}, c.kernel, c.lead) != 0)
			return 10;
	}
	asking.join();
	return wrong != 0 ? 11 : answers == 0 ? 12 : 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_page_that_never_comes_holds_nobody_up, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "a stack page that nobody serves: kernel stacks of others go on"))
{
	if (usable_route<job::user>("user-iter") == nullptr)
		return;
	const victim v({doing::read});
	const child gap([](child::board &b) { sleep_over_a_gap(b); });
	if (gap.told(0) != 1) {
		BOOST_TEST_MESSAGE("no userfaultfd to be had here");
		return;
	}
	wait_for_state(gap.pid(), 'S');
	child asker([&](child::board &) {
		alarm(150);	// in place of being stuck for ever
		_exit(captures_go_on(gap.pid(), gap.word(1), v.pid()));
	});
	BOOST_TEST(asker.end() == 0);
}

BOOST_AUTO_TEST_CASE(a_process_that_maps_all_the_time_is_captured, *needs("bpf")
    * boost::unit_test::description(
    "bounded time: EAGAIN where its memory is not to be had in time"))
{
	const child busy([](child::board &b) {
		std::thread([] {
			for (;;) {
				void *at = mmap(nullptr, 1 << 20, PROT_READ |
				    PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
				    MAP_POPULATE, -1, 0);
				munmap(at, 1 << 20);
			}
		}).detach();
		go_down(1, 9, [&] {
			b.word[0] = 1;
			for (;;)
				pause();
		});
	});
	busy.told(0);
	wait_for_state(busy.pid(), 'S');
	for (const std::string &name : sleeper_routes) {
		auto *const r = usable_route<job::user>(name);
		if (r == nullptr)
			continue;
		int late = 0;
		// Half of a few may be late by chance.
		const int many = std::max(captures(500), 50);
		for (int i = 0; i < many; i++) {
			user_capture c;
			std::uint64_t marks = 0;
			int error;
			// Torn: the reader was preempted, as on a real-time
			// kernel.  The core asks again, too.
			do {
				error = c.take(*r, {busy.pid(), 0, 0}, true);
			} while (c.kernel.error == EAGAIN &&
			    c.kernel.why == STACK9_WHY_TORN);
			late += error != 0;
			if (error != 0) {
				BOOST_REQUIRE_EQUAL(error, EAGAIN);
				BOOST_REQUIRE(c.user.why == STACK9_WHY_LATE);
			} else {
				BOOST_REQUIRE(fault_of(c, marks) == nullptr);
				BOOST_REQUIRE_EQUAL(marks, 9u);
			}
			BOOST_REQUIRE_EQUAL(c.kernel.error, 0);
		}
		BOOST_TEST_MESSAGE(name << ": " << late << " of " << many <<
		    " late");
		BOOST_TEST(late <= many / 2);
	}
}

BOOST_AUTO_TEST_SUITE_END()
