// Tests what a process maps while its mappings are read again for an event.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/linux-events/watch/processes.h"
#include "core/seam/second_reading.h"
#include "lib/process.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(event_renewed)

namespace {

using boost::unit_test::description;

constexpr std::size_t page = 4096;
constexpr std::uint64_t tick_ns = 10'000'000;

// A child that maps code where it had none, at a word from the test.
class mapper {
public:
	mapper()
	    : at_(mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0)), go_(lib::make_pipe()), done_(lib::make_pipe()),
	    pid_(fork())
	{
		if (pid_ == 0) {
			lib::as_child();
			map_and_stay();
		}
		last = this;
		stack9::before_second_reading = [](pid_t, std::uint64_t) {
			if (last->calls_++ == 0)
				last->go();
		};
	}
	mapper(const mapper &) = delete;
	mapper &operator=(const mapper &) = delete;
	~mapper()
	{
		stack9::before_second_reading = nullptr;
		lib::kill_and_reap(pid_);
		for (const int fd : {go_.r, go_.w, done_.r, done_.w})
			close(fd);
		munmap(at_, page);
	}

	pid_t pid() const { return pid_; }
	std::uintptr_t at() const
	{
		return reinterpret_cast<std::uintptr_t>(at_);
	}
	int calls() const { return calls_; }

private:
	// Returns when the code is mapped.
	void
	go()
	{
		char word = 0;
		BOOST_REQUIRE(write(go_.w, &word, 1) == 1);
		BOOST_REQUIRE(read(done_.r, &word, 1) == 1);
		BOOST_REQUIRE(word == 'y');
	}

	[[noreturn]] void
	map_and_stay()
	{
		char word;
		if (read(go_.r, &word, 1) != 1)
			_exit(1);
		const int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		word = mmap(at_, page, PROT_READ | PROT_EXEC, MAP_PRIVATE |
		    MAP_FIXED, self, 0) == at_ ? 'y' : 'n';
		if (write(done_.w, &word, 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}

	static inline mapper *last;
	void		*at_;
	lib::pipe_ends	 go_, done_;
	pid_t		 pid_;
	int		 calls_ = 0;
};

s9_event_head
event_of(pid_t pid)
{
	stack9_thread td;
	BOOST_REQUIRE(stack9_thread_find(pid, &td) == 0);
	s9_event_head h{};
	h.tid = h.pid = pid;
	h.start_ns = td.start * tick_ns;
	h.when_ns = lib::boot_ns();
	return h;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_mapping_of_meanwhile_is_not_of_the_event, *needs("bpf")
    * description("The mappings are those that the process had at the event, "
    "as far as the kernel's log of mappings has them."))
{
	mapper child;
	stack9::watch_filter only{};
	only.pid = child.pid();
	stack9::events::processes all;
	all.begin(only);
	s9_event_head event = event_of(child.pid());
	const s9_space key{event.start_ns,
	    static_cast<std::uint32_t>(child.pid()), 0};
	auto &seen = all.find_or_add(key, event);
	BOOST_REQUIRE(seen.space != nullptr);
	const std::uintptr_t at = child.at();

	stack9_space *const then = all.renewed(seen, event.when_ns, false);
	BOOST_TEST(child.calls() == 1);
	BOOST_TEST((then == nullptr || !stack9::space_has(*then, &at, 1)));

	event.when_ns = lib::boot_ns();
	BOOST_TEST(all.find_or_add(key, event).space != then);
	BOOST_REQUIRE(seen.space != nullptr);
	BOOST_TEST(stack9::space_has(*seen.space, &at, 1));
}

BOOST_AUTO_TEST_SUITE_END()
