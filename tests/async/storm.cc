// Tests that of STACK9_STORM submissions none is lost, comes twice or is mixed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include "core_calls.h"
#include "captures.h"
#include "crowd.h"
#include "ledger.h"

BOOST_AUTO_TEST_SUITE(async_storm)

namespace {

constexpr int submitters = 3;
constexpr int patience_ms = 120000;	// then nothing will come any more

class storm {
public:
	explicit storm(const crowd &c) : crowd_(c) {}

	void submit_all(long many, unsigned int seed);
	// Once all are submitted, and the crowd has ended: to the last.
	void read_until(const std::atomic<bool> &end);

	ledger			book;
	std::atomic<long>	no_room{0}, gone{0};

private:
	stack9_id submit(unsigned int dice, int number, pid_t tid);
	void take_back(stack9_id id, unsigned int dice);
	void arrived(answer &, crowd_reader &, stack9_id id);
	bool read_some(answer &, crowd_reader &);

	const crowd	&crowd_;
};

// 0: the thread was gone.
stack9_id
storm::submit(unsigned int dice, int number, pid_t tid)
{
	const stack9_thread td{tid, crowd_.pid(), 0};
	const stack9_side side = dice % 2 == 0 ? STACK9_BOTH : STACK9_USER;
	const unsigned int flags = dice / 2 % 16 == 0 ? STACK9_ASYNC_WAKE : 0;
	for (;;) {
		stack9_id id = 0;
		const int error = core::submit(&td, side, flags, &id);
		if (error == 0) {
			book.submitted(id, number, tid);
			return id;
		}
		if (error == ESRCH || error == EAGAIN) {
			gone++;
			return 0;
		}
		if (error != ENOBUFS) {
			book.fault(fmt::format("stack9_submit(): {}",
			    std::strerror(error)));
			return 0;
		}
		no_room++;
		sched_yield();
	}
}

// A share is cancelled, another released.
void
storm::take_back(stack9_id id, unsigned int dice)
{
	if (dice % 100 < 5 && core::cancel(id) == 0) {
		const int error = core::collect(id, nullptr, nullptr);
		book.change(id, [&](ledger::entry &e) {
			e.cancelled = true;
			ledger::collected(e, error);
		});
	} else if (dice % 100 >= 8 || dice % 100 < 5) {
		return;
	}
	if (core::release(id) == 0)
		book.change(id, [&](ledger::entry &e) {
			e.forgotten = !e.cancelled;
			e.releases++;
		});
}

void
storm::submit_all(long many, unsigned int seed)
{
	std::minstd_rand dice(seed);
	while (many > 0) {
		const int number = static_cast<int>(dice() % crowd::threads);
		const stack9_id id = submit(static_cast<unsigned int>(dice()),
		    number, crowd_.tid(number));
		if (id == 0)
			continue;
		many--;
		take_back(id, static_cast<unsigned int>(dice()));
	}
}

void
storm::arrived(answer &a, crowd_reader &reader, stack9_id id)
{
	int number = -1;
	const int outcome = a.collect(id);
	if (outcome == 0)
		if (const std::string f = reader.fault(a.user.rec, number);
		    !f.empty())
			book.fault(f);
	const bool released = core::release(id) == 0;
	book.change(id, [&](ledger::entry &e) {
		e.arrivals++;
		e.releases += released;
		ledger::collected(e, outcome);
		if (outcome != 0)
			return;
		e.seen = a.user.rec.thread.tid;
		e.seen_number = number;
	});
}

bool
storm::read_some(answer &a, crowd_reader &reader)
{
	stack9::arrival some[64];
	std::size_t count = 0;
	const int error = core::ready(some, std::size(some), &count);
	if (error != 0 && error != EAGAIN)
		book.fault("stack9_ready()");
	if (error != 0)
		return false;
	for (std::size_t i = 0; i < count; i++)
		arrived(a, reader, some[i].id);
	return true;
}

void
storm::read_until(const std::atomic<bool> &end)
{
	answer a(crowd_.pid());
	crowd_reader reader(a.user.in.get());
	pollfd p{-1, POLLIN, 0};
	if (core::ready_fd(&p.fd) != 0)
		return book.fault("stack9_ready_fd()");
	bool over;
	do {
		// Read once a turn: the end may come after the last arrival,
		// and then nothing ends a long poll.
		over = end;
		while (read_some(a, reader))
			;
		if (over && book.outstanding() == 0)
			return;
	} while (poll(&p, 1, over ? patience_ms : 100) == 1 || !over ||
	    read_some(a, reader));
}

// Nothing is held any more.
void
all_was_given_back()
{
	std::deque<submission> all;
	for (int i = 0; i < 1024; i++)
		all.emplace_back(gettid(), STACK9_KERNEL);
	BOOST_TEST(refusal(gettid(), STACK9_KERNEL) == ENOBUFS);
}

void
tell(storm &s, const crowd &c, double seconds)
{
	s.book.check();
	long all = 0;
	for (const auto &[what, n] : s.book.ends) {
		fmt::print("{} {}, ", n, what);
		all += n;
	}
	fmt::print("{:.0f} a second; no room {} times, gone {} times, {} "
	    "threads\n", static_cast<double>(all) / seconds, s.no_room.load(),
	    s.gone.load(), c.lives());
	int shown = 0;
	for (const auto &[fault, n] : s.book.faults)
		if (shown++ < 10)
			BOOST_ERROR(n << " times: " << fault);
	BOOST_TEST(s.book.faults.empty());
	BOOST_TEST(s.book.ends["stacks"] > all / 2);
	BOOST_TEST(s.book.ends["ECANCELED"] > 0);
	BOOST_TEST(s.book.ends["released before"] > 0);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_million, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("Submit now, collect when ready: none is "
    "lost, none comes twice, none is merged or mixed with another"))
{
	using clock = std::chrono::steady_clock;
	crowd c;
	storm s(c);
	std::atomic<bool> end{false};
	const auto begin = clock::now();
	std::thread reads([&] { s.read_until(end); });
	std::vector<std::thread> all;
	for (unsigned int i = 0; i < submitters; i++)
		all.emplace_back([&, i] {
			s.submit_all(captures() / submitters, i + 1);
		});
	for (std::thread &t : all)
		t.join();
	c.end();
	end = true;
	reads.join();
	tell(s, c, std::chrono::duration<double>(clock::now() - begin).count());
	all_was_given_back();
}

BOOST_AUTO_TEST_SUITE_END()
