// Does each job through the public calls.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "jobs.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include <poll.h>
#include <stack9.h>
#include <stack9_async.h>
#include <stack9_waits.h>
#include <stack9_watch.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "asleep.h"
#include "programs.h"

namespace {

enum class doing { sleep, nap, run, wait_for_a_child };

[[noreturn]] void
go_on(doing what)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (what == doing::wait_for_a_child && fork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		what = doing::sleep;
	}
	for (volatile unsigned long n = 0;;)
		if (what == doing::run)
			n = n + 1;
		else if (what == doing::sleep)
			pause();
		else if (what == doing::nap)
			usleep(1000);
		else
			wait(nullptr);
}

// A child of the caller's, with the caller's rights.
class own_child {
public:
	own_child(const surroundings &s, doing what)
	{
		int ready[2];
		if (pipe(ready) != 0)
			_exit(70);
		pid_ = fork();
		if (pid_ == 0) {
			(void)!write(ready[1], "", 1);
			go_on(what);
		}
		char c;
		(void)!read(ready[0], &c, 1);
		close(ready[0]);
		close(ready[1]);
		if (what != doing::run)
			wait_until_asleep(s.proc, pid_);
	}
	~own_child()
	{
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}
	own_child(const own_child &) = delete;
	own_child &operator=(const own_child &) = delete;

	stack9_thread thread() const { return {pid_, pid_, 0}; }
	pid_t pid() const { return pid_; }

private:
	pid_t pid_;
};

std::string
refused(int error, const char *words)
{
	const char *const name = strerrorname_np(error);
	return (name == nullptr ? "?" : name) + std::string(": ") + words;
}

std::string
by_reason(int error)
{
	return error == 0 ? "works" : refused(error, stack9_reason());
}

std::string
of_stack(int error, const stack9_stack *s)
{
	if (s == nullptr)
		return refused(error, stack9_reason());
	if (s->error != 0)
		return refused(s->error, s->reason);
	std::string text = s->why == STACK9_WHY_NONE ? "works" :
	    "in part: " + std::string(s->reason);
	if (std::string_view(s->route).starts_with("ptrace"))
		text += ", the thread is stopped";
	return text;
}

std::string
stack_of(const stack9_thread &td, int side)
{
	stack9_save_options options{};
	options.size = sizeof options;
	options.timeout_ms = 2000;
	stack9_sample *sample = nullptr;
	const int error = stack9_save(&td, side, &options, &sample);
	const std::string text = of_stack(error, sample == nullptr ? nullptr :
	    side == STACK9_USER ? sample->user : sample->kernel);
	stack9_sample_close(sample);
	return text;
}

std::string
own_stack()
{
	std::uint64_t pcs[64];
	stack9_self self{};
	self.size = sizeof self;
	const int error = stack9_save_self(pcs, 64, 0, &self);
	return error != 0 ? refused(error, "") :
	    self.why == STACK9_WHY_NONE ? "works" :
	    std::string("in part: ") + stack9_why_text(self.why);
}

std::string
all_threads(const stack9_thread *td)
{
	std::string seen;
	const int error = stack9_each(td, STACK9_USER, nullptr, [](void *to,
	    const stack9_sample *s) {
		*static_cast<std::string *>(to) += of_stack(0, s->user);
		return 0;
	}, &seen);
	return error != 0 ? by_reason(error) : seen;
}

std::string
collected(stack9_async *stream, const stack9_thread &td)
{
	stack9_id id = 0;
	if (const int error = stack9_async_submit(stream, &td, STACK9_USER, 0,
	    0, &id); error != 0)
		return by_reason(error);
	pollfd p{-1, POLLIN, 0};
	stack9_async_fd(stream, &p.fd);
	poll(&p, 1, 3000);
	stack9_sample *sample = nullptr;
	const int error = stack9_async_collect(stream, id, nullptr, &sample);
	const std::string text = of_stack(error, sample == nullptr ? nullptr :
	    sample->user);
	stack9_sample_close(sample);
	return text;
}

std::string
asynchronous(const stack9_thread &td)
{
	stack9_async *stream = nullptr;
	const int error = stack9_async_open(&stream);
	const std::string text = error != 0 ? by_reason(error) :
	    collected(stream, td);
	stack9_async_close(stream);
	return text;
}

std::string
events()
{
	stack9_watch_options options{};
	options.size = sizeof options;
	options.pid = getpid();
	stack9_watch *watch = nullptr;
	if (const int error = stack9_watch_open("syscall:getppid", &options,
	    &watch); error != 0)
		return by_reason(error);
	syscall(SYS_getppid);
	stack9_watch_stop(watch);
	stack9_watch_read(watch, 0, nullptr, nullptr);
	struct {
		std::uint64_t	events = 0;
		std::string	kernel, user;
	} got;
	stack9_watch_each(watch, [](void *arg, const stack9_sample *s) {
		auto &to = *static_cast<decltype(got) *>(arg);
		to.events += s->events;
		to.kernel = of_stack(0, s->kernel);
		to.user = of_stack(0, s->user);
		return 0;
	}, &got);
	stack9_watch_close(watch);
	return got.events != 1 ? "wrong: " + std::to_string(got.events) +
	    " events" : got.kernel != "works" ? "kernel " + got.kernel :
	    got.user != "works" ? "user " + got.user : "works";
}

std::string
name_of(std::uint64_t function)
{
	std::string name;
	if (const int error = stack9_frame_at(nullptr, function, 0, [](void *to,
	    const stack9_frame *f) {
		*static_cast<std::string *>(to) = f->name;
		return 0;
	}, &name); error != 0)
		return by_reason(error);
	char text[64];
	const int error = stack9_name_self(function, 0, text, sizeof text,
	    nullptr);
	if (!name.empty() && error == 0 && name == text)
		return "works";
	return error != 0 && name.empty() ? strerrorname_np(error) :
	    refused(error, "one call has a name, the other has none");
}

std::string
states_of(const stack9_thread &td)
{
	std::string seen;
	const int error = stack9_states(&td, 0, [](void *to,
	    const stack9_state *s) {
		*static_cast<std::string *>(to) += s->since_ns != 0 ? "works" :
		    "in part: how long is not known";
		return 0;
	}, &seen);
	return error != 0 ? by_reason(error) : seen;
}

int
wait_text(void *to, const stack9_wait *w)
{
	*static_cast<std::string *>(to) = w->kind == STACK9_WAIT_UNKNOWN ?
	    refused(w->error, w->reason) : w->kind != STACK9_WAIT_CHILD ?
	    std::string("wrong: ") + stack9_wait_text(w->kind) :
	    w->holders == 1 ? "works" : std::string("in part: ") + w->reason;
	return 0;
}

// td waits for a child of its own.
std::string
wait_of(const stack9_thread &td)
{
	stack9_save_options options{};
	options.size = sizeof options;
	stack9_sample *sample = nullptr;
	stack9_save(&td, STACK9_USER, &options, &sample);
	if (sample == nullptr)
		return refused(ENOMEM, stack9_reason());
	std::string text;
	const int error = stack9_waits(&sample, 1, 0, wait_text, &text);
	stack9_sample_close(sample);
	return error != 0 ? by_reason(error) : text;
}

} // namespace

std::vector<job_outcome>
do_all_jobs(const surroundings &s)
{
	const own_child sleeps(s, doing::sleep), naps(s, doing::nap),
	    waits(s, doing::wait_for_a_child);
	std::optional<own_child> runs(std::in_place, s, doing::run);
	const stack9_thread sleeper = sleeps.thread(), runner = runs->thread(),
	    stranger{s.stranger, s.stranger, 0};
	std::vector<job_outcome> all = {
	    {"own stack", own_stack()},
	    {"kernel stack of a child", stack_of(sleeper, STACK9_KERNEL)},
	    {"user stack of a child", stack_of(sleeper, STACK9_USER)},
	    {"user stack of a child that runs", stack_of(runner, STACK9_USER)},
	    {"threads of a child", all_threads(&sleeper)},
	    {"states of a child", states_of(sleeper)},
	    {"whom a child waits for", wait_of(waits.thread())},
	    {"kernel stack of another user", stack_of(stranger,
		STACK9_KERNEL)},
	    {"user stack of another user", stack_of(stranger, STACK9_USER)},
	    {"asynchronous capture of a child", asynchronous(runner)},
	    {"stacks that lead to an event", events()},
	    {"name of a kernel function", name_of(s.function)},
	};
	runs.reset();
	for (job_outcome &j : run_programs(s.folder, sleeps.pid(),
	    waits.pid(), naps.pid()))
		all.push_back(std::move(j));
	return all;
}
