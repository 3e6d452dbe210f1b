// Makes the library's calls in their order.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "session.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include <poll.h>

#include "tools/lib/limits.h"
#include "tools/lib/rights.h"
#include "tools/lib/surroundings.h"
#include "tools/lib/text.h"

namespace events {
namespace {

using stackprint::amount, stackprint::printable;

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
	if (!stackprint::borrowed_rights())
		return false;
	s.message("refused with the file's rights: everybody would see "
	    "everybody's stacks; try: sudo {} {}", o.program,
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
		std::string unused;
		w.flags |= STACK9_WATCH_FRAME_POINTERS;
		error = try_watch(w, unused);
		if (error == 0)
			screen_.message("user stacks by frame pointers, as by "
			    "--fp: {}", printable(reason));
	}
	if (error == 0)
		return true;
	if (error == ESRCH && !stackprint::proc_is_mounted())
		screen_.message("{}: {}", printable(opt_.event),
		    stackprint::no_proc);
	else if (error == ESRCH && opt_.tid != 0)
		screen_.message("tid {}: no such thread{}", opt_.tid,
		    opt_.pid != 0 ? fmt::format(" of pid {}", opt_.pid) : "");
	else if (error == ESRCH)
		screen_.message("pid {}: no such process", opt_.pid);
	else
		screen_.message("{}: {}", printable(opt_.event),
		    printable(reason));
	return false;
}

int
session::try_watch(const stack9_watch_options &w, std::string &reason)
{
	stack9_watch *fresh = nullptr;
	const int error = stack9_watch_open(opt_.event.c_str(), &w, &fresh);
	watch_.reset(fresh);
	if (error != 0)
		reason = stack9_reason();
	return error;
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
session::tell_surroundings()
{
	if (!stackprint::proc_is_mounted())
		screen_.message("{}: user stacks need it; try: mount -t proc "
		    "proc /proc", stackprint::no_proc);
	if (const std::string few = stackprint::few_descriptors();
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
	stackprint::raise_descriptors();
	if (!stackprint::read_files_apart()) {
		screen_.message("{}", stack9_reason());
		failed_ = true;
		return false;
	}
	stackprint::set_limits(opt_.limits);
	tell_surroundings();
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
	stack9_watch_events(watch_.get(), count_event, &all);
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
	    t.no_room + t.nested + t.collided));
}

// A process that has ended ends nothing: the wait is as long as without it.
bool
session::read(int timeout_ms)
{
	const int error = stack9_watch_read(watch_.get(), timeout_ms, deliver,
	    this);
	show_progress();
	if (error == ECANCELED && no_memory_)
		fails("stack9_watch_read", ENOMEM);
	else if (error == ECANCELED)
		failed_ = true;	// the output, which reports that itself
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
	if (const int error = stack9_watch_stop(watch_.get()); error != 0)
		fails("stack9_watch_stop", error);
	while (!failed_ && read(0))
		;
	screen_.clear();
}

bool
session::counts()
{
	const int error = stack9_watch_each(watch_.get(), deliver, this);
	return error == 0 ||
	    fails("stack9_watch_each", no_memory_ ? ENOMEM : error);
}

stack9_tally
session::tally() const
{
	stack9_tally t{};
	t.size = sizeof t;
	stack9_watch_tally(watch_.get(), &t);
	return t;
}

} // namespace events
