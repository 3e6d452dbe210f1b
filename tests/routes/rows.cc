// Lists the routes of this machine, and asks them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "rows.h"

#include <cstring>

#include "core_calls.h"
#include "lib/text.h"
#include "pass.h"

namespace {

constexpr struct {
	const char	*job;
	stack9_side	side;
	bool		is_pass;
} jobs[] = {
	{"kernel stack", STACK9_KERNEL, false},
	{"kernel stacks of many threads", STACK9_KERNEL, true},
	{"user stack", STACK9_USER, false},
	{"user stacks of many threads", STACK9_USER, true},
};

std::vector<row>
rows_that(bool passes, bool others)
{
	std::vector<row> all;
	for (const auto &j : jobs)
		if (j.is_pass ? passes : others)
			for (const std::string &route : routes_of(j.job))
				all.push_back({j.job, route, j.side, j.is_pass,
				    j.side == STACK9_KERNEL &&
				    route == "procfs", j.side == STACK9_USER &&
				    route == "procfs"});
	BOOST_REQUIRE(!all.empty());
	return all;
}

// "name+0x12/0x34 [module]" as "name".
std::string
function_of(const std::string &line)
{
	return line.substr(0, line.find('+'));
}

answer
answer_of(const stack9::stack_record &rec)
{
	answer a;
	a.error = rec.error;
	a.why = rec.why;
	a.thread = rec.thread;
	a.comm = rec.comm;
	a.state = rec.state;
	a.cpu = rec.cpu;
	a.when_ns = rec.when_ns;
	a.dropped = rec.dropped;
	a.flags = rec.flags;
	a.has_space = rec.space != nullptr;
	a.route = rec.route == nullptr ? "" : rec.route;
	if (rec.pcs != nullptr)
		a.pcs = {rec.pcs, rec.pcs + rec.depth};
	if (rec.error != 0)
		return a;
	if ((rec.flags & stack9::record_has_text) != 0) {
		std::istringstream lines(rec.text);
		for (std::string line; std::getline(lines, line);)
			a.names.push_back(function_of(line));
	} else if (rec.side == STACK9_USER)
		a.names = names_in(rec.space, rec);
	else
		for (const std::string &line : named(rec))
			a.names.push_back(function_of(line));
	return a;
}

answer
ask_one(const row &r, const stack9_thread &td, std::uint32_t max)
{
	char text[4096];
	user_capture c(td.tid, max);
	c.rec.text = text;
	c.rec.text_size = r.has_names_only ? sizeof text : 0;
	c.rec.depth = 7;	// nothing stale stays
	const int error = core::save(r.side, &td, &c.rec);
	BOOST_TEST(error == c.rec.error);
	BOOST_TEST((error == 0) == (c.rec.depth > 0));
	return answer_of(c.rec);
}

answer
ask_pass(const row &r, const stack9_thread &td)
{
	answer found;
	found.error = ESRCH;
	const pass p(r.side, td.pid, [&](const stack9::stack_record &rec) {
		if (rec.thread.tid == td.tid)
			found = answer_of(rec);
		return 0;
	});
	BOOST_TEST(p.disorder() == "");
	if (p.error != 0)
		found.error = p.error;
	return found;
}

} // namespace

std::vector<row>
rows()
{
	return rows_that(true, true);
}

std::vector<row>
passes()
{
	return rows_that(true, false);
}

std::vector<row>
captures()
{
	return rows_that(false, true);
}

void
by_each(const std::vector<row> &all,
    const std::function<void(const row &)> &body)
{
	for (const row &r : all) {
		const forced only(r.route);
		BOOST_TEST_CONTEXT(r.job << " by " << r.route)
			body(r);
	}
}

answer
ask(const row &r, const stack9_thread &td, std::uint32_t max)
{
	for (int tries = 1;; tries++) {
		answer a = r.is_pass ? ask_pass(r, td) : ask_one(r, td, max);
		if (a.error != EAGAIN || tries == 100)
			return a;
	}
}

bool
lacks_registers(const row &r, const answer &a)
{
	return r.has_few_registers && a.error == 0 &&
	    a.why == STACK9_WHY_REGISTERS;
}

std::vector<std::string>
kernel_functions(pid_t tid)
{
	std::vector<std::string> all;
	for (const std::string &line : proc_stack(tid))
		all.push_back(function_of(line));
	return all;
}
