// Captures by each route, and compares with the stacks of gdb and eu-stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cancellation.h"
#include "core_calls.h"
#include "agree.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <sched.h>

namespace {

// Those that copy all registers; what procfs/ lacks does not concern targets.
std::vector<std::string>
routes()
{
	std::vector<std::string> all;
	stack9_routes([](void *arg, const char *job, const char *route,
	    int error, const char *) {
		if (std::string(job) == "user stack" && error == 0 &&
		    std::string(route) != "procfs")
			static_cast<std::vector<std::string> *>(arg)->
			    push_back(route);
		return 0;
	}, &all);
	return all;
}

bool
agrees(const frames &ours, const frames &theirs, beside how)
{
	switch (how) {
	case beside::same:
		return ours == theirs;
	case beside::shorter:
		return theirs.size() <= ours.size() && std::equal(
		    theirs.begin(), theirs.end(), ours.begin());
	case beside::wrong:
		break;
	}
	return true;
}

void
check_end(pid_t tid, const captured &ours, const expected &e)
{
	BOOST_TEST_CONTEXT("thread " << tid << ": " << text_of(ours.pcs)
	    << ": " << ours.reason) {
		BOOST_TEST(ours.error == 0);
		BOOST_TEST(ours.why == e.why);
		BOOST_TEST((ours.flags & STACK9_STACK_EXACT) != 0);
		BOOST_TEST(((ours.flags & STACK9_STACK_GUESSED) != 0) ==
		    e.guessed);
	}
}

captured
capture_once(pid_t tid, const std::string &route)
{
	constexpr std::uint32_t room = 1 << 18;
	captured c;
	frames pcs(room);
	stack9_thread td{};
	stack9::stack_record rec{};
	rec.pcs = pcs.data();
	rec.max = room;
	BOOST_REQUIRE(stack9_force(route.c_str()) == 0);
	c.error = stack9_thread_find(tid, &td);
	if (c.error == 0)
		c.error = core::save(STACK9_USER, &td, &rec);
	stack9_force("");
	c.why = rec.why;
	c.flags = rec.flags;
	c.reason = fmt::format("{} {} ({})", rec.route ? rec.route : "-",
	    rec.reason ? rec.reason : "", stack9_why_text(rec.why));
	c.pcs.assign(pcs.begin(), pcs.begin() + rec.depth);
	return c;
}

} // namespace

bool
is_late(const captured &c)
{
	return c.error == EAGAIN && (c.why == STACK9_WHY_LATE ||
	    c.why == STACK9_WHY_SILENT);
}

captured
capture(pid_t tid, const std::string &route)
{
	captured c = capture_once(tid, route);
	for (int i = 1; i < 100 && is_late(c); i++)
		c = capture_once(tid, route);
	return c;
}

// A stop that finds all threads where the one before has left them does not
// count as a try: none has had a CPU meanwhile.
captured
stop_in(target &t, const std::string &path)
{
	frames last;
	int tries = 0;
	for (int stops = 0; stops < 10000 && tries < 1000; stops++) {
		t.stop();
		frames now;
		for (const pid_t tid : t.tids()) {
			const captured c = capture(tid);
			if (c.error == 0 &&
			    mapped_at(t.pid(), c.pcs[0]).ends_with(path))
				return c;
			now.insert(now.end(), c.pcs.begin(), c.pcs.end());
		}
		tries += now != last;
		last = now;
		t.go_on();
		sched_yield();
	}
	return {};
}

std::string
text_of(const frames &pcs)
{
	std::string all;
	for (const auto pc : pcs)
		if (all.size() < 2000)
			all += fmt::format(" {:x}", pc);
	return all;
}

std::vector<std::string>
names_of(pid_t pid, const captured &c)
{
	std::vector<std::string> names;
	stack9_thread td{};
	stack9_space *space;
	stack9::symbol_name symbol;
	if (stack9_thread_find(pid, &td) != 0 ||
	    core::space_open(&td, &space) != 0)
		return names;
	for (std::size_t n = 0; n < c.pcs.size(); n++)
		names.push_back(core::space_name(space, c.pcs[n],
		    n == 0 ? 0 : stack9::name_return_address, &symbol) == 0 ?
		    symbol.name : "?");
	stack9_space_close(space);
	return without_cancellation(names);
}

bool
has_row(const frames &pcs, const frames &row)
{
	return std::search(pcs.begin(), pcs.end(), row.begin(), row.end()) !=
	    pcs.end();
}

void
agree_on(pid_t tid, const frames &theirs, const std::string &who, beside how,
    const captured &ours)
{
	BOOST_TEST(agrees(ours.pcs, theirs, how), "thread " << tid << " by "
	    << ours.reason << "\nours:" << text_of(ours.pcs) << "\n" << who
	    << ":" << text_of(theirs));
}

// The others take whatever lies beyond the outermost frame for a caller: Go's
// threads begin at the end of an allocation.
stacks
asked(const peer &who, pid_t pid)
{
	stacks all = who.ask(pid);
	for (auto &[tid, pcs] : all)
		while (!pcs.empty() && !is_code(pid, pcs.back()))
			pcs.pop_back();
	return all;
}

void
agree(const target &t, const expected &e)
{
	stacks by_gdb, by_eu_stack;
	if (gdb.here && e.gdb != beside::wrong)
		by_gdb = asked(gdb, t.pid());
	if (eu_stack.here && e.eu_stack != beside::wrong)
		by_eu_stack = asked(eu_stack, t.pid());
	const auto all = routes();
	BOOST_TEST(!all.empty());
	for (const std::string &route : all) {
		bool noted = t.noted().empty();
		for (const pid_t tid : t.tids()) {
			const captured ours = capture(tid, route);
			check_end(tid, ours, e);
			if (!by_gdb.empty())
				agree_on(tid, by_gdb[tid], gdb.name, e.gdb,
				    ours);
			if (!by_eu_stack.empty())
				agree_on(tid, by_eu_stack[tid], eu_stack.name,
				    e.eu_stack, ours);
			noted |= has_row(ours.pcs, t.noted());
		}
		BOOST_TEST(noted, route << " has not"
		    << text_of(t.noted()));
	}
}
