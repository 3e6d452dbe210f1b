// Runs a watch of the library and keeps its samples.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core_calls.h"
#include "watching.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "user.h"

kept_side::kept_side(const stack9::stack_record *rec)
{
	if (rec == nullptr)
		return;
	asked = true;
	error = rec->error;
	why = rec->why;
	reason = rec->reason == nullptr ? "" : rec->reason;
	flags = rec->flags;
	dropped = rec->dropped;
	pcs.assign(rec->pcs, rec->pcs + rec->depth);
	if (rec->side == STACK9_USER && rec->space != nullptr)
		space.reset(stack9_space_hold(rec->space), stack9_space_close);
}

// The name of a kernel frame is cut to the function.
std::vector<std::string>
kept_side::names() const
{
	stack9::stack_record rec{};
	rec.flags = flags;
	rec.depth = static_cast<std::uint32_t>(pcs.size());
	rec.pcs = const_cast<uintptr_t *>(pcs.data());
	if (space)
		return names_in(space.get(), rec);
	std::vector<std::string> all = named(rec);
	for (std::string &name : all)
		name = name.substr(0, name.find('+'));
	return all;
}

bool
kept_side::has(const std::string &function) const
{
	const auto all = names();
	return std::find(all.begin(), all.end(), function) != all.end();
}

stack9::watch_sink
counted(stack9_side side, unsigned int flags)
{
	stack9::watch_sink s{};
	s.what = STACK9_WATCH_COUNT;
	s.side = side;
	s.flags = flags;
	return s;
}

stack9::watch_sink
roomy()
{
	stack9::watch_sink k = counted(STACK9_USER);
	k.ring = std::size_t{128} << 20;
	return k;
}

stack9::watch_sink
streamed(stack9_side side, unsigned int flags)
{
	stack9::watch_sink s = counted(side, flags);
	s.what = STACK9_WATCH_STREAM;
	return s;
}

stack9::watch_filter
only(pid_t pid)
{
	stack9::watch_filter f{};
	f.pid = pid;
	return f;
}

watching::watching(const std::string &event, const stack9::watch_filter &filter,
    const stack9::watch_sink &sink) : sink_(sink)
{
	char reason[core::reason_max] = "not set";
	sink_.fn = take;
	sink_.arg = this;
	int error = core::watch(event.c_str(), &filter, &sink_, &watch_,
	    reason);
	// Before 5.15 there are no copies, but the programs have frame
	// pointers.
	if (error == EOPNOTSUPP && std::strstr(reason, "frame pointers")) {
		sink_.flags |= STACK9_WATCH_FRAME_POINTERS;
		error = core::watch(event.c_str(), &filter, &sink_, &watch_,
		    reason);
	}
	BOOST_REQUIRE_MESSAGE(error == 0, event << ": " << error << ": "
	    << reason);
	BOOST_TEST(std::string(reason) == "");
	BOOST_REQUIRE(watch_ != nullptr);
}

int
watching::take(void *arg, const stack9::watch_sample *s)
{
	auto &all = static_cast<watching *>(arg)->samples;
	all.push_back({s->thread, s->comm,
	    s->event == nullptr ? "" : s->event, s->cpu, s->when_ns, s->events,
	    s->weight_ns, s->dropped, kept_side(s->kernel),
	    kept_side(s->user), 0, {}, {}, {}});
	if (s->waker != nullptr) {
		all.back().waking = s->waker->what;
		all.back().waker = s->waker->thread;
		all.back().waker_kernel = kept_side(s->waker->kernel);
		all.back().waker_user = kept_side(s->waker->user);
	}
	return 0;
}

int
watching::read(int timeout_ms)
{
	return core::watch_read(watch_, timeout_ms);
}

void
watching::until_done(staged &program)
{
	do
		if (const int error = read(10); error != 0 && error != EAGAIN)
			BOOST_FAIL("stack9_watch_read: " << error);
	while (!program.done());
}

void
watching::all_of(staged &program)
{
	program.go();
	until_done(program);
}

void
watching::end()
{
	BOOST_TEST(core::watch_stop(watch_) == 0);
	int error;
	while ((error = read(0)) == 0)
		;
	BOOST_TEST(error == EAGAIN);
	if (sink_.what == STACK9_WATCH_COUNT)
		count();
}

void
watching::count()
{
	samples.clear();
	BOOST_TEST(core::watch_counts(watch_) == 0);
}

stack9::watch_totals
watching::tally() const
{
	stack9::watch_totals t{};
	BOOST_TEST(core::watch_counted(watch_, &t) == 0);
	return t;
}

namespace {

template <typename Number> std::uint64_t
sum_of(const std::vector<kept_sample> &samples, const std::string &function,
    Number kept_sample::*member)
{
	std::uint64_t sum = 0;
	for (const kept_sample &s : samples)
		if (function.empty() || s.user.has(function) ||
		    s.kernel.has(function))
			sum += s.*member;
	return sum;
}

} // namespace

std::uint64_t
events_in(const std::vector<kept_sample> &samples, const std::string &function)
{
	return sum_of(samples, function, &kept_sample::events);
}

std::uint64_t
weight_in(const std::vector<kept_sample> &samples, const std::string &function)
{
	return sum_of(samples, function, &kept_sample::weight_ns);
}

refusal
refused(const std::string &event, const stack9::watch_filter &filter,
    stack9::watch_sink sink)
{
	char reason[core::reason_max] = "not set";
	stack9::event_watcher *watch = nullptr;
	if (sink.fn == nullptr)
		sink.fn = [](void *,
		    const stack9::watch_sample *) { return 0; };
	const int error = core::watch(event.c_str(), &filter, &sink, &watch,
	    reason);
	core::watch_close(watch);
	return {error, reason};
}

boost::unit_test::decorator::precondition
unless(std::function<std::string()> lack)
{
	return boost::unit_test::decorator::precondition(
	    [lack = std::move(lack)](boost::unit_test::test_unit_id id)
	    -> boost::test_tools::assertion_result {
		    const std::string what = lack();
		    boost::test_tools::assertion_result can(what.empty());
		    can.message() << what;
		    if (!can)
			    std::fprintf(stderr, "skipped: %s: %s\n",
				boost::unit_test::framework::get(id,
				    boost::unit_test::TUT_ANY).p_name->c_str(),
				what.c_str());
		    return can;
	    });
}

boost::unit_test::decorator::precondition
watchable(const char *event)
{
	return unless([name = std::string(event)] {
		const refusal r = refused(name);
		return r.error == 0 ? "" : name + ": " + r.reason;
	});
}

boost::unit_test::decorator::precondition
copied()
{
	return unless([] {
		const refusal r = refused("t:sched_switch", {},
		    counted(STACK9_USER));
		return r.error == EOPNOTSUPP ? r.reason : "";
	});
}

void
check_sum(const stack9::watch_totals &t)
{
	BOOST_TEST(t.events == t.kept + t.nested + t.no_room);
}

bool
is_made_again(const stack9::watch_totals &t, std::uint64_t events, int &left)
{
	BOOST_TEST(t.events + t.skipped >= events, told(t));
	return t.skipped != 0 && --left > 0;
}

std::string
told(const stack9::watch_totals &t)
{
	return fmt::format("{} events, {} kept, {} nested, {} without room, "
	    "{} skipped", t.events, t.kept, t.nested, t.no_room, t.skipped);
}
