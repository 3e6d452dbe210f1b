// Prints with --stuck the threads that have not run between two passes, and
// what they wait for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "follow.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "groups.h"
#include "printer.h"
#include "state_times.h"
#include "tools/lib/command_line.h"
#include "tools/lib/interruption.h"
#include "tools/lib/output.h"
#include "tools/lib/text.h"
#include "tracker.h"
#include "waits.h"

namespace stackprint {
namespace {

// The second pass comes after the captures, so that all that is printed of a
// thread is of the time in which it did not run.
std::vector<sample_ptr>
idle(const tracker &t)
{
	std::vector<sample_ptr> all;
	for (const auto &[tid, each] : t.all())
		if (each.sample != nullptr && !each.has_run())
			all.push_back(each.sample);
	return all;
}

std::string
closing_line(std::size_t stuck, std::size_t all, const options &o)
{
	if (o.json)
		return fmt::format("{{\"schema\":1,\"stuck\":{},\"threads\":{}"
		    "}}\n", stuck, all);
	return fmt::format("{}: {} did not run for {}\n",
	    amount(all, "thread"), stuck, span_text(
	    static_cast<std::uint64_t>(*o.stuck * 1e9)));
}

// Prints each thread, or with --group each stack once.
void
print(const std::vector<sample_ptr> &stuck, const options &o, printer &p,
    names &all, output &out)
{
	fmt::memory_buffer block;
	const auto put = [&] {
		out.block({block.data(), block.size()});
		block.clear();
	};
	groups equal;
	for (const sample_ptr &each : stuck)
		if (o.group) {
			equal.add(each, all);
		} else {
			p.thread(block, *each);
			put();
		}
	p.groups_of(stuck.size());
	for (const group *const g : equal.by_count()) {
		p.group(block, *g->sample, g->members);
		put();
	}
}

int
fail(output &out, const std::string &why)
{
	out.message("{}", why);
	return exit_none;
}

} // namespace

int
print_stuck(const options &o)
{
	output out;
	advice hints;
	names all(o);
	tracker tracker(o, hints);
	const state_times times(tracker);
	found_waits waits(&times);
	const view how{o, false, false, all, &waits, &times};
	const auto printer = o.json ? json_printer(how) : text_printer(how);
	std::string why;
	catch_interruption();
	if (tracker.look(why) != 0)
		return fail(out, why);
	tracker.capture();
	pause_for(*o.stuck);
	if (tracker.look(why) != 0)
		return fail(out, "all threads have ended");
	const std::vector<sample_ptr> stuck = idle(tracker);
	if (waits.find(stuck, false) != 0)
		out.message("waits: {}", stack9_reason());
	for (const sample_ptr &each : stuck)
		hints.add(*each);
	print(stuck, o, *printer, all, out);
	hints.not_by_file();
	hints.print(out, o.again, all.hidden(), false);
	out.block(closing_line(stuck.size(), tracker.all().size(), o));
	const int error = out.finish();
	return error != 0 ? error : exit_complete;
}

} // namespace stackprint
