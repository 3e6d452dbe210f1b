// Makes the library's calls in their order.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "session.h"

#include <cerrno>
#include <cstring>

#include "tools/lib/proc.h"
#include "tools/lib/rights.h"
#include "tools/lib/text.h"

namespace events {
namespace {

using stackprint::printable;

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

session::session(const options &o, screen &s) : opt_(o), screen_(s)
{
}

bool
session::fails(const char *call, int error)
{
	screen_.message("{}: {}", call, std::strerror(error));
	failed_ = true;
	return false;
}

bool
session::watch(const stack9_filter &filter, const stack9_sink &sink)
{
	std::string reason;
	int error = try_watch(filter, sink, reason);
	// Old kernels walk user stacks and cannot copy them.
	if (error == EOPNOTSUPP && (sink.side & STACK9_USER) &&
	    !(sink.flags & STACK9_BY_FRAME_POINTERS)) {
		stack9_sink walked = sink;
		std::string unused;
		walked.flags |= STACK9_BY_FRAME_POINTERS;
		error = try_watch(filter, walked, unused);
		if (error == 0)
			screen_.message("user stacks by frame pointers, as by "
			    "--fp: {}", printable(reason));
	}
	if (error == 0)
		return true;
	screen_.message("{}: {}", printable(opt_.event),
	    !reason.empty() ? printable(reason) : std::strerror(error));
	return false;
}

int
session::try_watch(const stack9_filter &filter, const stack9_sink &sink,
    std::string &reason)
{
	char text[STACK9_REASON_MAX] = "";
	stack9_watcher *fresh = nullptr;
	const int error = stack9_watch(opt_.event.c_str(), &filter, &sink,
	    &fresh, text);
	watch_.reset(fresh);
	reason = text;
	return error;
}

bool
session::start(stack9_sink_kind what, stack9_sample_fn *fn, void *arg,
    const char *doing)
{
	catch_signals();
	if (!opt_.command.empty()) {
		if (const int error = command_.start(opt_.command); error != 0)
			return fails("fork", error);
		opt_.pid = command_.pid();
	}
	stackprint::raise_descriptors();
	if (!watch(opt_.filter(), opt_.sink(what, fn, arg)))
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
	stack9_watch_each_event(watch_.get(), count_event, &all);
	if (all.count == 1)
		label_ = all.first;
	if (opt_.quiet)
		return;
	screen_.message("{} stacks of {} ({} event{}); Ctrl-C ends", doing,
	    printable(label_.empty() ? opt_.event : label_), all.count,
	    all.count == 1 ? "" : "s");
}

void
session::show_progress()
{
	if (!screen_.due())
		return;
	const stack9_watch_tally t = tally();
	screen_.progress(fmt::format("{} events, {} stacks, {} lost", t.events,
	    t.stacks, t.no_room + t.nested + t.collided));
}

bool
session::read(int timeout_ms)
{
	const int error = stack9_watch_read(watch_.get(), timeout_ms);
	show_progress();
	// The output has failed, and reports that itself.
	if (error == EPIPE)
		failed_ = true;
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
	const int error = stack9_watch_counts(watch_.get());
	return error == 0 || fails("stack9_watch_counts", error);
}

stack9_watch_tally
session::tally() const
{
	stack9_watch_tally t{};
	stack9_watch_counted(watch_.get(), &t);
	return t;
}

} // namespace events
