// Tests STACK9_STORM submissions: each change of a CPU in a crowd makes one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core_calls.h"
#include "captures.h"
#include "crowd.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(async_storm)

namespace {

constexpr std::uint64_t cookie = 0x5eed;

struct outcome {
	std::set<stack9_id>		ids;
	std::map<pid_t, int>		numbers;	// by tid
	std::map<std::string, long>	faults;
	std::uint64_t			dropped = 0;
	long				stacks = 0, ended = 0;
};

std::string
fault_of(answer &a, crowd_reader &reader, outcome &o)
{
	int number = -1;
	const stack9::stack_record &user = a.user.rec;
	if (const std::string f = reader.fault(user, number); !f.empty())
		return f;
	if (user.thread.tid != a.kernel.rec.thread.tid)
		return "both sides are not of one thread";
	if (number < 0)
		return "";
	const auto known = o.numbers.emplace(user.thread.tid, number).first;
	return known->second == number ? "" : "another thread's stack";
}

void
arrived(answer &a, crowd_reader &reader, const stack9::arrival &r, outcome &o)
{
	o.dropped += r.dropped;
	if (r.id == 0)
		return;
	if (!o.ids.insert(r.id).second)
		o.faults["came twice"]++;
	if (r.cookie != cookie)
		o.faults["a wrong cookie"]++;
	const int error = a.collect(r.id);
	std::string f;
	if (error == 0)
		f = fault_of(a, reader, o);
	else if (error != ESRCH)
		f = std::strerror(error);
	if (!f.empty())
		o.faults[f]++;
	(error == 0 ? o.stacks : o.ended)++;
	if (core::release(r.id) != 0)
		o.faults["not to be released"]++;
}

} // namespace

BOOST_AUTO_TEST_CASE(of_events, *needs("bpf") * needs_task_work()
    * boost::unit_test::description("Submits each thread to which event "
    "happens: none comes twice, none is mixed with another"))
{
	crowd c;
	answer a(c.pid());
	crowd_reader reader(a.user.in.get());
	outcome o;
	watched w({switches, c.pid(), 0, STACK9_BOTH, cookie});
	while (o.stacks < captures() / 10)
		for (const stack9::arrival &r : stream::take_many(1))
			arrived(a, reader, r, o);
	w.end();
	c.end();
	for (const stack9::arrival &r : stream::take())
		arrived(a, reader, r, o);
	fmt::print("{} stacks, {} ended, {} dropped\n", o.stacks, o.ended,
	    o.dropped);
	for (const auto &[fault, n] : o.faults)
		BOOST_ERROR(n << " times: " << fault);
}

namespace {

// The places of its functions in a stack of one of them.
struct chain {
	std::uint32_t	first = 0, root = 0;
};

chain
chain_of(crowd_reader &reader, stack9::stack_record rec)
{
	chain c;
	const std::uint32_t depth = rec.depth;
	bool begun = false;
	for (rec.depth = 1; rec.depth <= depth; rec.depth++) {
		int whose;
		const bool whole = reader.fault(rec, whose).empty();
		if (whose >= 0 && !begun)
			c.first = rec.depth - 1;
		begun = whose >= 0;
		c.root = rec.depth - 1;
		if (begun && whole)
			break;
	}
	return c;
}

// One that has a link, at least, and its root.
chain
take_one(const crowd &c, crowd_reader &reader, answer &a, int wanted)
{
	for (;;) {
		const stack9_thread td{c.tid(wanted), c.pid(), 0};
		stack9_id id = 0;
		if (core::submit(&td, STACK9_USER, 0, &id) != 0)
			continue;
		int number = -1;
		const bool good = a.outcome(id) == 0 &&
		    reader.fault(a.user.rec, number).empty();
		core::release(id);
		const chain at = chain_of(reader, a.user.rec);
		if (good && number == wanted && at.root > at.first)
			return at;
	}
}

} // namespace

// Tests that the others would see what they look for.
BOOST_AUTO_TEST_CASE(a_mixed_stack_would_be_seen, *needs("bpf")
    * needs_task_work() * boost::unit_test::description("none is mixed with "
    "another"))
{
	const crowd c;
	answer a(c.pid()), b(c.pid()), mixed(c.pid());
	crowd_reader reader(a.user.in.get());
	const chain two = take_one(c, reader, a, 2),
	    five = take_one(c, reader, b, 5);
	const auto faulty = [&](std::uint32_t inner, std::uint32_t outer) {
		std::copy_n(a.user.pcs, inner, mixed.user.pcs);
		std::copy(b.user.pcs + outer, b.user.pcs + b.user.rec.depth,
		    mixed.user.pcs + inner);
		mixed.user.rec.flags = a.user.rec.flags;
		mixed.user.rec.depth = inner + b.user.rec.depth - outer;
		int whose;
		return !reader.fault(mixed.user.rec, whose).empty();
	};
	BOOST_TEST(!faulty(two.root + 1, five.root + 1));
	for (std::uint32_t inner = two.first + 1; inner <= two.root; inner++)
		for (std::uint32_t outer = five.first; outer <=
		    b.user.rec.depth; outer++)
			BOOST_TEST(faulty(inner, outer), inner << " and " <<
			    outer);
}

BOOST_AUTO_TEST_SUITE_END()
