// Tests copies of a program that maps one library in the place of another, and
// that are unwound after it has done so.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/process.h"
#include "watching.h"

namespace {

constexpr std::uint64_t in_each = 10;	// calls

// The events in each of two functions that take each other's place.
struct attributed {
	std::uint64_t	first, second;
	bool		kept_all;
};

attributed
watch(std::uint64_t swaps)
{
	staged p("plugs_lean", {STAGED, std::to_string(swaps),
	    std::to_string(in_each)});
	stack9::watch_sink sink = counted(STACK9_USER);
	sink.flags |= STACK9_WATCH_COPY;
	watching w("syscall:getppid", only(p.pid()), sink);
	w.all_of(p);
	w.end();
	BOOST_TEST(p.truth().at(0) > 0);	// both at one address
	return {events_in(w.samples, "first"), events_in(w.samples, "second"),
	    w.tally().kept >= 2 * swaps * in_each};
}

// A child that fills the log of mappings as fast as the kernel writes it.
class storm {
public:
	storm() : pid_(fork())
	{
		if (pid_ == 0) {
			lib::as_child();
			map_without_end();
		}
	}
	storm(const storm &) = delete;
	storm &operator=(const storm &) = delete;
	~storm() { lib::kill_and_reap(pid_); }

private:
	[[noreturn]] static void
	map_without_end()
	{
		const int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		for (;;) {
			void *const page = mmap(nullptr, 4096, PROT_READ |
			    PROT_EXEC, MAP_PRIVATE, self, 0);
			if (page == MAP_FAILED)
				_exit(1);
			munmap(page, 4096);
		}
	}

	pid_t	pid_;
};

} // namespace

BOOST_AUTO_TEST_CASE(copies_have_the_mappings_of_their_events, *needs("bpf")
    * copied() * boost::unit_test::description("The mappings are those that "
    "the process had at the event, as far as the kernel's log of mappings has "
    "them."))
{
	constexpr std::uint64_t swaps = 100, all = swaps * in_each;
	const attributed seen = watch(swaps);
	BOOST_TEST(seen.first <= all);
	BOOST_TEST(seen.second <= all);
	// The log may have lost records, and the ring events.
	if (seen.kept_all)
		BOOST_TEST(seen.first + seen.second >= 2 * all * 9 / 10);
}

BOOST_AUTO_TEST_CASE(lost_mappings_name_nothing_else, *needs("bpf") * copied() *
    boost::unit_test::description("If the log has lost records, only those are "
    "used that the process had before the loss and has after it."))
{
	constexpr std::uint64_t swaps = 40, all = swaps * in_each;
	const storm one, other;
	const attributed seen = watch(swaps);
	BOOST_TEST(seen.first <= all);
	BOOST_TEST(seen.second <= all);
}
