// Opens a watch for each event of -e, for a watch has one kind of weight.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "events.h"

#include <cerrno>
#include <new>

namespace stackrecord {
namespace {

// The depth that the kernel takes by itself.
constexpr std::uint32_t usual_frames = 127;

} // namespace

int
events::open(watched &w)
{
	stack9_watch_options o{};
	stack9_watch *made = nullptr;
	o.size = sizeof o;
	o.flags = STACK9_WATCH_OTHERS;
	o.mode = STACK9_WATCH_STREAM;
	o.side = opt_.sides();
	o.pid = opt_.pids.size() == 1 && !opt_.children ? opt_.pids[0] : 0;
	o.frames = opt_.frames < usual_frames ? opt_.frames : 0;
	const int error = stack9_watch_open(w.name.c_str(), &o, &made);
	w.watch.reset(made);
	return error;
}

int
events::open(std::string &what)
{
	for (const std::string &name : opt_.events) {
		watched &w = *all_.emplace_back(std::make_unique<watched>());
		w.all = this;
		w.name = name;
		w.takes_time = name == "offcpu";
		if (const int error = open(w); error != 0) {
			what = name;
			return error;
		}
	}
	return 0;
}

void
events::poll_for(std::vector<pollfd> &fds) const
{
	int fd;
	for (const auto &w : all_)
		if (!w->ended && stack9_watch_fd(w->watch.get(), &fd) == 0)
			fds.push_back({fd, POLLIN, 0});
}

int
events::take(void *arg, const stack9_sample *s) noexcept
{
	watched &w = *static_cast<watched *>(arg);
	try {
		w.all->to_.count(*s, {s->event != nullptr ? s->event : w.name,
		    w.takes_time});
		return 0;
	} catch (const std::bad_alloc &) {
		w.all->no_memory_ = true;
		return 1;
	}
}

// A process that has ended has no more events; the rest is recorded on.
int
events::read(recording::tick &t)
{
	tick_ = &t;
	no_memory_ = false;
	for (const auto &w : all_) {
		int error;
		do
			error = stack9_watch_read(w->watch.get(), 0, take,
			    w.get());
		while (error == 0 && !no_memory_);
		w->ended = error == ESRCH;
		if (no_memory_ || (error != EAGAIN && error != EINTR &&
		    error != ESRCH))
			return no_memory_ ? ENOMEM : error;
	}
	return 0;
}

void
events::stop() const
{
	for (const auto &w : all_)
		stack9_watch_stop(w->watch.get());
}

// The kernel's sum: a sample names only those that were lost before it.
void
events::count_lost(recording::tick &t)
{
	const outcomes now = sum();
	if (now.lost <= lost_)
		return;
	t.lost += now.lost - lost_;
	lost_ = now.lost;
}

events::outcomes
events::sum() const
{
	outcomes all;
	for (const auto &w : all_) {
		stack9_tally t{};
		t.size = sizeof t;
		if (stack9_watch_tally(w->watch.get(), &t) != 0)
			continue;
		all.lost += t.no_room + t.nested + t.skipped;
		all.lacking += t.lacking;
	}
	return all;
}

} // namespace stackrecord
