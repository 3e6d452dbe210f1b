// Imitates <stack9_watch.h>: it watches nothing, and says the same every time.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "fake_watch.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include <poll.h>
#include <unistd.h>

#include <stack9_watch.h>

#include "fake.h"
#include "fake_sample.h"

using fake::asked_for;
using fake::row;

struct stack9_watch {
	std::string		event;
	int			mode, side;
	bool			by_process, wakers;
	std::vector<row>	rows;
	std::uint64_t		total = 0;
	bool			given = false, stopped = false;
	std::map<pid_t, stack9_space *> spaces;

	~stack9_watch()
	{
		for (const auto &[pid, space] : spaces)
			stack9_space_close(space);
	}
	stack9_space *
	space(const row &r)
	{
		stack9_space *&s = spaces[r.pid];
		if (s == nullptr)
			s = fake::space_of(r.pid);
		return s;
	}
};

namespace {

std::string reason;

constexpr unsigned int filters = STACK9_WATCH_ONE_CPU | STACK9_WATCH_REGEX |
    STACK9_WATCH_OTHERS;

void
tell(const char *event, const stack9_watch_options &o)
{
	std::fprintf(stderr, "told: %s pid %d tid %d comm %s cgroup %s cpu %d "
	    "flags %#x limit %lu block %lu %lu; side %d flags %#x frames %u "
	    "stacks %u ring %lu rules %lu\n", event, o.pid, o.tid,
	    o.comm ? o.comm : "-", o.cgroup ? o.cgroup : "-",
	    o.flags & STACK9_WATCH_ONE_CPU ? o.cpu : -1, o.flags & filters,
	    o.limit, o.min_ns, o.max_ns, o.side, o.flags & ~filters, o.frames,
	    o.stacks, o.ring, o.rules);
}

fake::played
sample_of(stack9_watch &w, const row &r, std::uint64_t events)
{
	fake::played p(fake::role_of(r.tid), r.pid, w.side, w.space(r));
	p.sample.state = '?';
	p.sample.cpu = -1;
	p.sample.when_ns = 0;
	p.sample.events = events;
	p.sample.weight_ns = r.us * 1000 * events / r.events;
	return p;
}

int
give_one(stack9_watch &w, const row &r, std::uint64_t n, stack9_sample_fn *fn,
    void *arg)
{
	fake::played p = sample_of(w, r, 1);
	p.sample.cpu = 1;
	p.sample.when_ns = (n + 1) * 1000000000 + 123456789;
	p.sample.event = w.event.c_str();
	p.sample.dropped = n == 1 && asked_for("dropping") ? 12 : 0;
	return fn(arg, &p.sample);
}

int
give_stream(stack9_watch &w, stack9_sample_fn *fn, void *arg)
{
	std::uint64_t n = 0;
	for (const row &r : w.rows)
		for (std::uint64_t i = 0; i < r.events; i++)
			if (give_one(w, r, n++, fn, arg) != 0)
				return ECANCELED;
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
	return asked_for("broken") ? ENOMEM : asked_for("over") ? ESRCH :
	    EAGAIN;
}

int
refused(int error, const char *why)
{
	reason = why;
	return error;
}

} // namespace

extern "C" const char *
stack9_reason(void)
{
	return reason.c_str();
}

extern "C" int
stack9_watch_open(const char *event, const struct stack9_watch_options *o,
    struct stack9_watch **watch)
{
	*watch = nullptr;
	if (asked_for("told"))
		tell(event, *o);
	if (asked_for("no-process"))
		return refused(ESRCH, "there is no such thread or process");
	const bool walks = (o->flags & STACK9_WATCH_FRAME_POINTERS) != 0;
	if (asked_for("no-copies") && !walks)
		return refused(EOPNOTSUPP, "no copies; --fp walks them");
	if (asked_for("no-walks") && walks)
		return refused(EOPNOTSUPP, "no walks");
	if (asked_for("no-reason"))
		return refused(EPERM, std::strerror(EPERM));
	std::vector<row> rows;
	const bool known = fake::rows_of(event, o->limit, rows);
	if (!known)
		return refused(ENOENT, "there is no \033 event of that name");
	if (asked_for("no-watch"))
		return refused(EPERM, "it takes CAP_BPF");
	*watch = new stack9_watch{event, o->mode, o->side,
	    (o->flags & STACK9_WATCH_BY_PROCESS) != 0,
	    (o->flags & STACK9_WATCH_WAKERS) != 0, rows, 0, false, false,
	    {}};
	for (const row &r : rows)
		(*watch)->total += r.events;
	return 0;
}

extern "C" int
stack9_watch_read(struct stack9_watch *w, int timeout_ms, stack9_sample_fn *fn,
    void *arg)
{
	const bool fresh = !w->given;
	w->given = true;
	if (fresh && w->mode == STACK9_WATCH_STREAM && !w->rows.empty())
		return give_stream(*w, fn, arg);
	if (fresh && !w->rows.empty())
		return 0;
	if (w->stopped)
		return asked_for("over") ? ESRCH : EAGAIN;
	if (const int error = after_all(); error != EAGAIN)
		return error;
	poll(nullptr, 0, timeout_ms);
	return EAGAIN;
}

extern "C" int
stack9_watch_each(struct stack9_watch *w, stack9_sample_fn *fn, void *arg)
{
	for (row &r : w->rows) {
		if (w->event == "growing") {
			r.events++;
			w->total++;
		}
		fake::played p = sample_of(*w, r, r.events);
		const bool told = w->side != STACK9_KERNEL || w->by_process;
		p.sample.thread = {0, told ? r.pid : 0, 1};
		fake::played by(fake::role_of(fake::kthread), fake::kthread,
		    STACK9_KERNEL, nullptr);
		by.sample.thread = {0, fake::kthread, 1};
		if (w->wakers) {
			p.sample.waker = &by.sample;
			p.sample.waking = &r == &w->rows[0] ?
			    STACK9_WAKER_THREAD : STACK9_WAKER_INTERRUPT;
		}
		if (fn(arg, &p.sample) != 0)
			return ECANCELED;
	}
	return 0;
}

extern "C" int
stack9_watch_stop(struct stack9_watch *w)
{
	w->stopped = true;
	return 0;
}

extern "C" int
stack9_watch_tally(struct stack9_watch *w, struct stack9_tally *t)
{
	*t = {};
	t->size = sizeof *t;
	t->events = t->kept = w->total;
	t->stacks = w->rows.size();
	t->frames = 127;
	t->probes = 1;
	if (asked_for("losing")) {
		t->events += 1 + 2;
		t->no_room = 1;
		t->nested = 2;
	}
	if (asked_for("losing") || asked_for("cutting"))
		t->truncated = 4;
	if (asked_for("losing") || asked_for("skipping"))
		t->skipped = 5;
	if (asked_for("losing"))
		t->refused = 6;
	return 0;
}

extern "C" int
stack9_watch_events(struct stack9_watch *w, stack9_event_fn *fn, void *arg)
{
	if (w->event != "many:*")
		return fn(arg, w->event.c_str()) != 0 ? ECANCELED : 0;
	return fn(arg, "many:a") != 0 || fn(arg, "many:b") != 0 ? ECANCELED :
	    0;
}

extern "C" int
stack9_watch_fd(struct stack9_watch *, int *fd)
{
	*fd = -1;
	return 0;
}

extern "C" void
stack9_watch_close(struct stack9_watch *w)
{
	delete w;
}
