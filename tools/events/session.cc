// Makes the library's calls in their order.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "session.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include <poll.h>

#include "tools/lib/limits.h"
#include "tools/lib/proc.h"
#include "tools/lib/program.h"
#include "tools/lib/rights.h"
#include "tools/lib/surroundings.h"
#include "tools/lib/text.h"

namespace events {
namespace {

using tools::amount, tools::printable;

struct named_events {
	std::size_t	count = 0;
	std::string	first;
};

int
count_event(void *arg, const char *name)
{
	named_events &all = *static_cast<named_events *>(arg);
	if (all.count++ == 0)
		all.first = name;
	return 0;
}

} // namespace

bool
refuses_borrowed_rights(const options &o, screen &s)
{
	if (!tools::borrowed_rights())
		return false;
	s.message("refused with the file's rights: everybody would see "
	    "everybody's stacks; try: sudo {} {}",
	    tools::called(o.program),
	    printable(o.event));
	return true;
}

session::session(const options &o, screen &s, consumer c)
    : opt_(o), screen_(s), consume_(std::move(c))
{
}

bool
session::fails(const char *call, int error)
{
	screen_.message("{}: {}", call, std::strerror(error));
	failed_ = true;
	return false;
}

// Says so of a process or a thread that does not exist.
bool
session::watch(stack9_watch_options w)
{
	std::string reason;
	int error = try_watch(w, reason);
	// Old kernels walk user stacks and cannot copy them.
	if (error == EOPNOTSUPP && (w.side & STACK9_USER) &&
	    !(w.flags & STACK9_WATCH_FRAME_POINTERS)) {
		std::string refusal;
		w.flags |= STACK9_WATCH_FRAME_POINTERS;
		error = try_watch(w, refusal);
		if (error == 0)
			screen_.message("user stacks by frame pointers, as by "
			    "--fp: {}", printable(reason));
		else	// the first one may have advised it
			reason = std::move(refusal);
	}
	how_ = w;
	if (error == 0)
		return true;
	if (error == ESRCH && !tools::proc_is_mounted())
		screen_.message("{}: {}", printable(opt_.event),
		    tools::no_proc);
	else if (error == ESRCH && opt_.tid != 0)
		screen_.message("tid {}: no such thread{}", opt_.tid,
		    opt_.pid != 0 ? fmt::format(" of pid {}", opt_.pid) : "");
	else if (error == ESRCH && watched_.empty())
		screen_.message("pid {}: no such process", opt_.pid);
	else if (error == ESRCH)
		;	// each of them was reported
	else
		screen_.message("{}: {}", printable(opt_.event),
		    printable(reason));
	if (error == EPERM)
		screen_.suggest_recorder(opt_);
	return false;
}

// Several processes have a watch each.  If one is gone, that is reported, and
// the others are watched.
int
session::try_watch(stack9_watch_options w, std::string &reason)
{
	watches_.clear();
	if (opt_.pids.size() < 2 && !opt_.children)
		return watches_.add(opt_.event, w, reason);
	watched_ = opt_.children ? tools::with_children(opt_.pids) :
	    opt_.pids;
	if (watched_.size() > watches::most) {
		reason = fmt::format("{} processes are more than the {} that "
		    "can be watched by -p; --cgroup watches more",
		    watched_.size(), int{watches::most});
		return ENOSPC;
	}
	int last = ESRCH;
	for (const pid_t pid : watched_) {
		w.pid = pid;
		const int error = watches_.add(opt_.event, w, reason);
		const bool named = std::find(opt_.pids.begin(),
		    opt_.pids.end(), pid) != opt_.pids.end();
		if (error == ESRCH && named)
			screen_.message("pid {}: no such process", pid);
		else if (error != 0 && error != ESRCH)
			return error;
		last = error == 0 ? 0 : last;
	}
	return last;
}

// Processes come and go; one that lives for a moment only is not seen.
void
session::add_children()
{
	constexpr auto between = std::chrono::milliseconds(100);
	if (!opt_.children || clock::now() < next_scan_)
		return;
	next_scan_ = clock::now() + between;
	for (const pid_t pid : tools::with_children(opt_.pids)) {
		std::string unused;
		if (watches_.size() == watches::most ||
		    std::find(watched_.begin(), watched_.end(), pid) !=
		    watched_.end())
			continue;
		how_.pid = pid;
		watched_.push_back(pid);
		watches_.add(opt_.event, how_, unused);
	}
}

int
session::deliver(void *arg, const stack9_sample *sample) noexcept
{
	session &s = *static_cast<session *>(arg);
	try {
		return !s.consume_(*sample);
	} catch (const std::exception &) {
		s.no_memory_ = true;
		return 1;
	}
}

// Says what will be missing for want of something that the system lacks.
void
session::report_surroundings()
{
	if (!tools::proc_is_mounted())
		screen_.message("{}: user stacks need it; try: mount -t proc "
		    "proc /proc", tools::no_proc);
	if (const std::string few = tools::few_descriptors();
	    !few.empty())
		screen_.message("{}", few);
}

bool
session::start(stack9_watch_mode mode, const char *doing)
{
	catch_signals();
	if (!opt_.command.empty()) {
		if (const int error = command_.start(opt_.command); error != 0)
			return fails("fork", error);
		opt_.pid = command_.pid();
	}
	tools::raise_descriptors();
	if (!tools::read_files_apart()) {
		screen_.message("{}", stack9_reason());
		failed_ = true;
		return false;
	}
	tools::set_limits(opt_.limits);
	report_surroundings();
	if (!watch(opt_.of_watch(mode)))
		return false;
	introduce(doing);
	if (!run_command())
		return false;
	if (opt_.duration > 0)
		end_ = clock::now() + std::chrono::duration_cast<
		    clock::duration>(std::chrono::duration<double>(
		    opt_.duration));
	return true;
}

bool
session::run_command()
{
	const int error = command_.release();
	if (error != 0)
		screen_.message("{}: {}", printable(opt_.command[0]),
		    std::strerror(error));
	return error == 0;
}

void
session::introduce(const char *doing)
{
	named_events all;
	watches_.events(count_event, &all);
	if (all.count == 1)
		label_ = all.first;
	if (opt_.quiet)
		return;
	screen_.message("{} stacks of {} ({}); Ctrl-C ends", doing,
	    printable(label_.empty() ? opt_.event : label_),
	    amount(all.count, "event"));
}

void
session::show_progress()
{
	if (!screen_.due())
		return;
	const stack9_tally t = tally();
	screen_.progress(fmt::format("{}, {}, {} lost",
	    amount(t.events, "event"), amount(t.stacks, "stack"),
	    t.no_room + t.nested));
}

// A process that has ended ends nothing: the wait is as long as without it.
bool
session::read(int timeout_ms)
{
	add_children();
	const int error = watches_.read(timeout_ms, deliver, this);
	show_progress();
	if (error == ECANCELED && no_memory_)
		fails("stack9_watch_read", ENOMEM);
	else if (error == ECANCELED)
		failed_ = true;	// the output reports that itself
	else if (error == ESRCH)
		poll(nullptr, 0, timeout_ms);
	else if (error != 0 && error != EAGAIN && error != EINTR)
		fails("stack9_watch_read", error);
	return error == 0;
}

bool
session::over()
{
	return failed_ || stop_was_asked() || command_.ended() ||
	    (end_.has_value() && clock::now() >= *end_) ||
	    (opt_.limit != 0 && tally().events >= opt_.limit);
}

void
session::stop()
{
	opt_.children = false;
	if (const int error = watches_.stop(); error != 0)
		fails("stack9_watch_stop", error);
	while (!failed_ && read(0))
		;
	screen_.clear();
}

bool
session::counts()
{
	const int error = watches_.each(deliver, this);
	return error == 0 ||
	    fails("stack9_watch_each", no_memory_ ? ENOMEM : error);
}

stack9_tally
session::tally()
{
	stack9_tally sum{};
	if (const int error = watches_.tally(sum); error != 0 && !failed_)
		fails("stack9_watch_tally", error);
	return sum;
}

} // namespace events
