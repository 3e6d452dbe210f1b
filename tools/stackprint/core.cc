// Opens a core file and prints the stacks of its threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cores.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "results.h"
#include "tools/lib/command_line.h"
#include "tools/lib/json.h"
#include "tools/lib/rights.h"
#include "tools/lib/text.h"
#include "tools/model/from_library.h"

namespace stackprint {
namespace {

constexpr unsigned int many_core_threads = 20;

} // namespace

int
open_core(const options &o, unique_core &to)
{
	std::vector<const char *> dirs;
	for (const std::string &each : o.debug_dirs)
		dirs.push_back(each.c_str());
	stack9_core_options how{};
	how.size = sizeof how;
	how.sysroot = o.sysroot.empty() ? nullptr : o.sysroot.c_str();
	how.debug_dirs = dirs.data();
	how.debug_dir_count = static_cast<std::uint32_t>(dirs.size());
	how.flags = (o.dump.empty() ? 0 : STACK9_CORE_KEEP) |
	    (o.debuginfod ? STACK9_CORE_DEBUGINFOD : 0);
	const bool piped = o.core == "-";
	stack9_core *opened = nullptr;
	const stack9_thread process{o.tids.empty() ? 0 : o.tids[0],
	    o.tids.empty() ? 0 : o.tids[0], 0};
	const int error = o.core.empty() ?
	    stack9_core_open_process(&process, &how, &opened) :
	    stack9_core_open(piped ? nullptr : o.core.c_str(),
	    piped ? STDIN_FILENO : -1, &how, &opened);
	to.reset(opened);
	return error;
}

void
report_missing(const options &o, const stack9_core *core, output &to)
{
	const std::uint32_t count = stack9_core_info(core)->notes;
	constexpr std::uint32_t few = 8;
	const bool all = o.addresses || count <= few;
	for (std::uint32_t n = 0; n < count && (all || n + 1 < few); n++)
		to.message("{}", printable(stack9_core_note(core, n)));
	if (!all)
		to.message("{} more files are missing or differ; -v lists "
		    "them", count - (few - 1));
}

namespace {

std::string
head_text(const stack9_core_facts &f)
{
	std::string text = fmt::format("{}  pid {}  {}",
	    *f.comm != '\0' ? printable(f.comm) : "??", f.pid,
	    amount(f.threads, "thread"));
	if (*f.command != '\0')
		text += "  " + printable(f.command);
	text += '\n';
	if (f.tid != 0)
		text += fmt::format("  killed  in tid {} by {}\n", f.tid,
		    printable(f.end));
	else
		text += "  core    made while it lived\n";
	return text;
}

std::string
head_json(const stack9_core_facts &f, const stack9_core *core)
{
	std::string text = fmt::format("{{\"schema\":1,\"core\":{{\"pid\":{},"
	    "\"threads\":{},{},{}", f.pid, f.threads,
	    json_member("comm", f.comm), json_member("command", f.command));
	if (f.tid != 0)
		text += fmt::format(",\"tid\":{},\"signal\":{},\"code\":{},{}",
		    f.tid, f.signal, f.code, json_member("end", f.end));
	if (f.has_address != 0)
		text += "," + json_address("address", f.address);
	if (f.sender != 0)
		text += fmt::format(",\"sender\":{}", f.sender);
	text += ",\"missing\":[";
	for (std::uint32_t n = 0; n < f.notes; n++)
		text += (n != 0 ? ",{" : "{") +
		    json_member("text", stack9_core_note(core, n)) + "}";
	return text + "]}}\n";
}

struct taking {
	const options	&opt;
	results		&to;
	stack9_thread	process{};
	std::vector<pid_t> seen{};
	bool		no_memory = false;
};

int
take(void *arg, const stack9_sample *s) noexcept
{
	taking &t = *static_cast<taking *>(arg);
	try {
		t.process = s->thread;
		t.seen.push_back(s->thread.tid);
		const auto &wanted = t.opt.tids;
		if (wanted.empty() || std::find(wanted.begin(), wanted.end(),
		    s->thread.tid) != wanted.end()) {
			const sample now = from_library(*s);
			t.to.add(lent(now));
		}
		return !t.to.good();
	} catch (const std::bad_alloc &) {
		t.no_memory = true;
		return 1;
	}
}

int
print_threads(const options &o, stack9_core *core)
{
	results r(o, false);
	const stack9_core_facts &f = *stack9_core_info(core);
	r.out().block(o.json ? head_json(f, core) : head_text(f));
	if (!o.json)
		report_missing(o, core, r.out());
	taking t{o, r};
	stack9_save_options how{};
	how.size = sizeof how;
	how.frames = o.depth;
	how.flags = o.native ? 0 : STACK9_SAVE_LANGUAGES;
	const int error = stack9_core_each(core, &how, take, &t);
	if (t.no_memory || (error != 0 && error != ECANCELED))
		throw std::bad_alloc();
	for (const pid_t tid : o.tids)
		if (std::find(t.seen.begin(), t.seen.end(), tid) ==
		    t.seen.end()) {
			r.out().message("tid {}: the core has no such thread",
			    tid);
			r.counts().cut_short = true;
		}
	if (o.tids.empty() && !o.no_goroutines)
		r.add_coroutines(t.process);
	return r.finish();
}

} // namespace

int
print_core(options o)
{
	// A core is read with the caller's rights.
	if (borrowed_rights() && !give_up_rights())
		return exit_none;
	unique_core core;
	if (open_core(o, core) != 0) {
		output().message("{}: {}", printable(o.core),
		    stack9_reason());
		return exit_none;
	}
	const stack9_core_facts &f = *stack9_core_info(core.get());
	o.only_user = true;
	o.only_kernel = false;
	o.ended_by = f.tid;
	o.ended_as = f.tid != 0 ? std::string(f.end) : "";
	o.ended_as.resize(std::min(o.ended_as.find(':'), o.ended_as.size()));
	const bool screen = isatty(STDOUT_FILENO) && !o.json;
	o.waits_unasked = screen && !o.waits && !o.why && !o.no_waits;
	o.waits |= o.waits_unasked;
	if (screen && !o.why && !o.no_group && o.tids.empty())
		o.group |= f.threads > many_core_threads;
	return print_threads(o, core.get());
}

} // namespace stackprint
