// Checks that watches and asynchronous captures close and say what they read.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <thread>
#include <type_traits>

#include <poll.h>

#include <stack9_async.hpp>
#include <stack9_waits.hpp>

#include "tell.h"

static_assert(!std::is_copy_constructible_v<stack9::watch>);
static_assert(std::is_nothrow_move_constructible_v<stack9::watch>);
static_assert(!std::is_copy_constructible_v<stack9::submission>);
static_assert(std::is_nothrow_move_constructible_v<stack9::submission>);
static_assert(std::is_nothrow_move_constructible_v<stack9::async>);

using namespace std::chrono_literals;

namespace {

void
refused()
{
	const auto r = stack9::watch::open("no such event",
	    stack9::as_result);
	ok(!r && !r.has_value() && !r.reason().empty(),
	    "a watch that cannot be opened has a reason");
	ok(!stack9::watch() && stack9::watch().fd() == -1 &&
	    stack9::watch().read(0ms, stack9::as_result).error() == EINVAL,
	    "a default watch watches nothing");
	ok(!stack9::submission() && stack9::async().fd() == -1,
	    "a default submission and a default stream are none");
}

// Computes for 50 ms of CPU time, however busy the machine is.
void
busy()
{
	const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 20;
	while (std::clock() < end)
		;
}

void
counted()
{
	stack9::watch_options o;
	o.pid = getpid();
	auto r = stack9::watch::open("cpu-clock:1000", o, stack9::as_result);
	if (!r)
		return skip("watches", r.reason());
	stack9::watch w = *std::move(r);
	busy();
	w.stop();	// or the watch meets itself in what it reads
	w.read(0ms);
	std::uint64_t events = 0;
	ok(w.for_each([&](const stack9::sample &s) { events += s.events(); })
	    == stack9::go::on && events == w.tally().kept && events > 0,
	    "a watch gives the stacks that it counted");
	const auto all = w.samples();
	bool sorted = true;
	for (std::size_t i = 1; i < all.size(); i++)
		sorted = sorted && all[i - 1].events() >= all[i].events();
	ok(all.size() == w.tally().stacks && sorted,
	    "a watch gives them sorted");
	ok(w.events() == std::vector<std::string>{"cpu-clock:1000"},
	    "a watch names its events");
	ok(w.for_each([](const stack9::sample &) { return stack9::go::stop; })
	    == stack9::go::stop, "a callable ends the counted stacks");
	try {
		w.for_each([](const stack9::sample &) {
			throw std::runtime_error("as meant");
		});
		ok(false, "an exception passes a watch");
	} catch (const std::runtime_error &) {
		ok(true, "an exception passes a watch");
	}
	stack9::watch moved = std::move(w);
	ok(!w && moved.samples().size() == all.size(), "a watch moves");
	moved.close();
	ok(!moved && has(all[0].user().frames(), "busy"),
	    "a sample outlives its watch");
}

void
streamed()
{
	stack9::watch_options o;
	o.mode = stack9::watch_mode::stream;
	o.pid = getpid();
	o.cookie = 9;
	auto r = stack9::watch::open("cpu-clock:1000", o, stack9::as_result);
	if (!r)
		return skip("streams", r.reason());
	stack9::watch &w = *r;
	busy();
	int times = 0;
	ok(w.read(1s, [&](const stack9::sample &s) {
		times += s.cookie() == 9 && s.thread().tid() == getpid();
		return stack9::go::stop;
	}) == stack9::reading::stopped && times == 1,
	    "a callable ends the reading of a stream");
	w.stop();
	while (w.read(0ms, [](const stack9::sample &) {}) ==
	    stack9::reading::events)
		;
	ok(w.read(10ms, [](const stack9::sample &) {}) ==
	    stack9::reading::none, "no event is no error");
	std::thread waker([&w, reader = stack9::thread::find(gettid())] {
		const auto sleeps = [&](const stack9::thread_state &s) {
			return s.of.tid() == reader.tid() && s.state == 'S';
		};
		for (bool asleep = false; !asleep;) {
			const auto all = stack9::states_of(reader);
			asleep = std::any_of(all.begin(), all.end(), sleeps);
		}
		w.wake();
	});
	ok(w.read(stack9::watch::forever, [](const stack9::sample &) {}) ==
	    stack9::reading::woken, "another thread wakes a reader");
	waker.join();
}

void
ended()
{
	child c;
	stack9::watch_options o;
	o.pid = c.td().pid();
	auto w = stack9::watch::open("cpu-clock:10", o, stack9::as_result);
	if (!w)
		return skip("a process that ends", w.reason());
	c.end();
	ok(w->read_for(10s) == stack9::reading::ended,
	    "a watch tells that its process has ended");
}

void
submitted()
{
	auto r = stack9::async::open(stack9::as_result);
	if (!r)
		return skip("asynchronous captures", r.reason());
	stack9::async stream = *std::move(r);
	child c;
	auto own = stream.submit(stack9::thread::self(), stack9::side::both,
	    stack9::submitting::usual, 7);
	stack9::submission s = std::move(own);
	stack9::sample sample;
	while ((sample = s.collect()).user().error() == EAGAIN) {
		pollfd ready{stream.fd(), POLLIN, 0};
		poll(&ready, 1, 1000);
	}
	ok(!own && sample.cookie() == 7 && has(sample.user().frames(), "main"),
	    "a submission moves and is collected");
	const auto arrival = stream.next(stack9::as_result);
	ok(arrival && *arrival && (*arrival)->id == s.id() &&
	    (*arrival)->cookie == 7 && !stream.next(),
	    "a stream gives what is over, and then nothing");
	ok(s.cancel(stack9::as_result).error() == EALREADY,
	    "what is over is not cancelled");

	auto asleep = stream.submit(c.td());
	const auto way = asleep.collect(stack9::as_result);
	const char *const under_way =
	    "a submission under way has its kernel side";
	if (way.has_value() && way->kernel().error() == EPERM)
		skip(under_way, std::string(way->kernel().reason()));
	else
		ok(way.has_value() && way->kernel() &&
		    (way || way.error() == EAGAIN), under_way);
	stream = stack9::async();
	ok(asleep.collect(stack9::as_result).has_value(),
	    "a submission keeps its stream");
	asleep.reset();
	ok(!asleep && asleep.collect(stack9::as_result).error() == EINVAL,
	    "a submission that is released is none");
}

} // namespace

int
main()
{
	refused();
	counted();
	streamed();
	ended();
	submitted();
	return end();
}
