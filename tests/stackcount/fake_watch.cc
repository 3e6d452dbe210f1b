// A <stack9_watch.h> that watches nothing, and says the same every time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core_calls.h"
#include "fake_watch.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include <poll.h>
#include <unistd.h>


#include "fake_cast.h"

using fake::asked_for;
using fake::row;

stack9::event_watcher {
	std::string		event;
	stack9::watch_filter		filter;
	stack9::watch_sink		sink;
	std::vector<row>	rows;
	std::uint64_t		total = 0;
	bool			given = false, stopped = false;
	std::map<pid_t, stack9_space *> spaces;

	~stack9::event_watcher()
	{
		for (const auto &[pid, space] : spaces)
			stack9_space_close(space);
	}
	stack9_space *
	space(const row &r)
	{
		stack9_space *&s = spaces[r.pid];
		const stack9_thread td = {r.tid, r.pid, 1};
		if (s == nullptr)
			core::space_open(&td, &s);
		return s;
	}
};

namespace {

void
tell(const char *event, const stack9::watch_filter &f, const stack9::watch_sink &s)
{
	std::fprintf(stderr, "told: %s pid %d tid %d comm %s cgroup %s cpu %d "
	    "flags %#x limit %lu block %lu %lu; side %d flags %#x frames %u "
	    "stacks %u ring %zu\n", event, f.pid, f.tid,
	    f.comm ? f.comm : "-", f.cgroup ? f.cgroup : "-",
	    f.flags & STACK9_WATCH_ONE_CPU ? f.cpu : -1, f.flags,
	    static_cast<unsigned long>(f.limit),
	    static_cast<unsigned long>(f.min_ns),
	    static_cast<unsigned long>(f.max_ns), s.side, s.flags, s.frames,
	    s.stacks, s.ring);
}

// One side of a row, with room of its own.
class played {
public:
	played(const row &r, stack9_side side, stack9_space *space)
	{
		rec_.pcs = pcs_;
		rec_.max = 16;
		rec_.text = text_;
		rec_.text_size = sizeof text_;
		rec_.space = space;
		fake::play(fake::role_of(r.tid), r.pid, side, rec_);
	}
	// What is left of it is of no use to anybody.
	~played() { std::fill_n(pcs_, 16, 1); }
	played(const played &) = delete;
	played &operator=(const played &) = delete;

	const stack9::stack_record *get() const { return &rec_; }

private:
	std::uintptr_t	pcs_[16];
	char		text_[256];
	stack9::stack_record	rec_{};
};

int
give(stack9::event_watcher &w, const row &r, stack9::watch_sample sample)
{
	const played kernel(r, STACK9_KERNEL, nullptr);
	const played user(r, STACK9_USER, w.space(r));
	std::snprintf(sample.comm, sizeof sample.comm, "%s",
	    fake::role_of(r.tid).comm);
	sample.kernel = w.sink.side & STACK9_KERNEL ? kernel.get() : nullptr;
	sample.user = w.sink.side & STACK9_USER ? user.get() : nullptr;
	return w.sink.fn(w.sink.arg, &sample);
}

int
give_one(stack9::event_watcher &w, const row &r, std::uint64_t n)
{
	stack9::watch_sample s{};
	s.thread = {r.tid, r.pid, 1};
	s.cpu = 1;
	s.when_ns = (n + 1) * 1000000000 + 123456789;
	s.events = 1;
	s.weight_ns = r.us * 1000 / r.events;
	s.event = w.event.c_str();
	s.dropped = n == 1 && asked_for("dropping") ? 12 : 0;
	return give(w, r, s);
}

int
give_stream(stack9::event_watcher &w)
{
	std::uint64_t n = 0;
	for (const row &r : w.rows)
		for (std::uint64_t i = 0; i < r.events; i++)
			if (const int stop = give_one(w, r, n++); stop != 0)
				return stop;
	return 0;
}

int
after_all()
{
	if (asked_for("interrupt"))
		kill(getpid(), SIGINT);
	if (asked_for("twice"))
		kill(getpid(), SIGINT);
	if (asked_for("terminate"))
		kill(getpid(), SIGTERM);
	return asked_for("broken") ? ENOMEM : EAGAIN;
}

} // namespace

extern "C" int
core::watch(const char *event, const stack9::watch_filter *filter,
    const stack9::watch_sink *sink, stack9::event_watcher **watch, char *reason)
{
	reason[0] = '\0';
	if (asked_for("told"))
		tell(event, *filter, *sink);
	if (asked_for("no-reason"))
		return EPERM;
	std::vector<row> rows;
	const bool known = fake::rows_of(event, filter->limit, rows);
	if (asked_for("no-watch") || !known) {
		std::snprintf(reason, core::reason_max, known ?
		    "it takes CAP_BPF" : "there is no \033 event of that name");
		return known ? EPERM : ENOENT;
	}
	*watch = new stack9::event_watcher{event, *filter, *sink, rows, 0, false,
	    false, {}};
	for (const row &r : rows)
		(*watch)->total += r.events;
	return 0;
}

extern "C" int
core::watch_read(stack9::event_watcher *w, int timeout_ms)
{
	const bool fresh = !w->given;
	w->given = true;
	if (fresh && w->sink.what == STACK9_WATCH_STREAM && !w->rows.empty())
		return give_stream(*w);
	if (fresh && !w->rows.empty())
		return 0;
	if (w->stopped)
		return EAGAIN;
	if (const int error = after_all(); error != EAGAIN)
		return error;
	poll(nullptr, 0, timeout_ms);
	return EAGAIN;
}

extern "C" int
core::watch_counts(stack9::event_watcher *w)
{
	for (row &r : w->rows) {
		if (w->event == "growing") {
			r.events++;
			w->total++;
		}
		stack9::watch_sample s{};
		const bool told = w->sink.side != STACK9_KERNEL ||
		    w->sink.flags & STACK9_WATCH_BY_PROCESS;
		s.thread = {0, told ? r.pid : 0, 1};
		s.cpu = -1;
		s.events = r.events;
		s.weight_ns = r.us * 1000;
		if (const int stop = give(*w, r, s); stop != 0)
			return stop;
	}
	return 0;
}

extern "C" int
core::watch_stop(stack9::event_watcher *w)
{
	w->stopped = true;
	return 0;
}

extern "C" int
core::watch_counted(stack9::event_watcher *w, stack9::watch_totals *t)
{
	*t = {};
	t->events = t->kept = w->total;
	t->stacks = w->rows.size();
	t->frames = 127;
	t->points = 1;
	if (asked_for("losing")) {
		t->events += 1 + 2 + 3;
		t->no_room = 1;
		t->nested = 2;
		t->collided = 3;
	}
	if (asked_for("losing") || asked_for("cutting"))
		t->truncated = 4;
	if (asked_for("losing") || asked_for("skipping"))
		t->skipped = 5;
	return 0;
}

extern "C" int
core::watch_each_event(const stack9::event_watcher *w, stack9_event_fn *fn,
    void *arg)
{
	if (w->event != "many:*")
		return fn(arg, w->event.c_str());
	const int stop = fn(arg, "many:a");
	return stop != 0 ? stop : fn(arg, "many:b");
}

extern "C" int
core::watch_fd(const stack9::event_watcher *)
{
	return -1;
}

extern "C" void
core::watch_close(stack9::event_watcher *w)
{
	delete w;
}
