// Asks the library for the names of events, and adds what each prefix means.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cli.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <stack9_watch.h>

#include "destination.h"
#include "screen.h"
#include "session.h"
#include "tools/lib/command_line.h"
#include "tools/lib/rights.h"
#include "tools/lib/text.h"

namespace events {
namespace {

using tools::append, tools::printable;

const struct meaning {
	const char	*begin, *text;
} meanings[] = {
	{"t:", "tracepoint"},
	{"syscall:", "system call, when it begins"},
	{"sysret:", "system call, when it returns"},
	{"k:", "function of the kernel"},
	{"u:", "function of a program or library"},
	{"usdt:", "probe that a program or library declares"},
	{"cpu-clock", "sample of each CPU, so many times a second"},
	{"task-clock", "sample of what runs, so many times a second"},
	{"page-faults", "software event: each page fault, or one of so many"},
	{"minor-faults", "software event: page fault that reads nothing"},
	{"major-faults", "software event: page fault that reads a file or "
	    "swap"},
	{"context-switches", "software event: another thread runs"},
	{"cpu-migrations", "software event: a thread changes its CPU"},
	{"alignment-faults", "software event: the kernel mends an access"},
	{"emulation-faults", "software event: the kernel emulates an "
	    "instruction"},
	{"offcpu", "a thread was blocked and runs again, by time"},
};

int
keep(void *arg, const char *event)
{
	static_cast<std::vector<std::string> *>(arg)->emplace_back(event);
	return 0;
}

struct closer {
	void
	operator()(stack9_watch *w) const
	{
		stack9_watch_close(w);
	}
};

// Says in a few words what the library's name of an event stands for.
std::string
kind_of_event(const std::string &label)
{
	const auto *m = std::find_if(std::begin(meanings), std::end(meanings),
	    [&](const meaning &x) { return label.starts_with(x.begin); });
	return m == std::end(meanings) ? "" : m->text;
}

} // namespace

int
list_events(const options &o)
{
	screen screen(o, false);
	if (refuses_borrowed_rights(o, screen))
		return tools::exit_none;
	destination out(o.file);
	if (!is_good(out, screen))
		return tools::exit_output;
	if (!tools::read_files_apart()) {
		screen.message("{}", stack9_reason());
		return tools::exit_none;
	}
	stack9_watch_options w{};
	w.size = sizeof w;
	w.pid = o.pid;
	w.flags = STACK9_WATCH_LIST | (o.regex ? STACK9_WATCH_REGEX : 0);
	stack9_watch *opened = nullptr;
	if (stack9_watch_open(o.event.c_str(), &w, &opened) != 0) {
		screen.message("{}", printable(stack9_reason()));
		return tools::exit_none;
	}
	const std::unique_ptr<stack9_watch, closer> watch(opened);
	std::vector<std::string> labels;
	stack9_watch_events(watch.get(), keep, &labels);
	out.begin();
	for (const std::string &label : labels) {
		append(out.buffer(), "{:<39} {}\n", printable(label),
		    kind_of_event(label));
		out.full();
	}
	out.flush();
	if (o.event.empty() && !o.quiet)
		screen.message("functions: --list k:PATTERN, u:FILE:PATTERN; "
		    "declared probes: --list usdt:FILE:");
	return is_good(out, screen) ? tools::exit_complete :
	    int{tools::exit_output};
}

} // namespace events
