// Does each job through the public calls, and runs stackprint once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "jobs.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>

#include <poll.h>
#include <stack9.h>
#include <stack9_async.h>
#include <stack9_watch.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// A child of the caller's, with the caller's rights.
class own_child {
public:
	explicit own_child(bool runs)
	{
		int ready[2];
		if (pipe(ready) != 0)
			_exit(70);
		pid_ = fork();
		if (pid_ == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			(void)!write(ready[1], "", 1);
			for (volatile unsigned long n = 0;;)
				if (runs)
					n = n + 1;
				else
					pause();
		}
		char c;
		(void)!read(ready[0], &c, 1);
		close(ready[0]);
		close(ready[1]);
		// It sleeps soon, which /proc would tell only if there is one.
		if (!runs)
			usleep(20000);
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

void
replace_all(std::string &text, const std::string &from, const char *to)
{
	for (std::size_t at; (at = text.find(from)) != text.npos;)
		text.replace(at, from.size(), to);
}

// Its messages, in one line, and how it ends.
std::string
stackprint(const std::string &program, pid_t tid)
{
	const std::string name = std::to_string(tid);
	int err[2];
	if (pipe(err) != 0)
		return "no pipe";
	const pid_t pid = fork();
	if (pid == 0) {
		dup2(err[1], 2);
		close(1);
		close(err[0]);
		close(err[1]);
		dup2(2, 1) < 0 ? _exit(71) : void();
		execl(program.c_str(), "stackprint", "-k", "-u", name.c_str(),
		    nullptr);
		_exit(72);
	}
	close(err[1]);
	std::string text;
	char some[4096];
	for (ssize_t n; (n = read(err[0], some, sizeof some)) > 0;)
		text.append(some, static_cast<std::size_t>(n));
	close(err[0]);
	int status = 0;
	waitpid(pid, &status, 0);
	// Frames and headers are not the matter here.
	std::string said;
	for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
		end = text.find('\n', at);
		end = end == text.npos ? text.size() : end;
		const std::string line = text.substr(at, end - at);
		if (line.starts_with("stackprint: "))
			said += " " + line.substr(12);
		else if (const auto none = line.find("none: ");
		    none != line.npos)
			said += line.starts_with("  kernel") ? " kernel " :
			    " user ", said += line.substr(none) + ";";
	}
	replace_all(said, name, "TID");
	replace_all(said, program.substr(0, program.rfind('/') + 1), "");
	return "exit " + std::to_string(WIFEXITED(status) ?
	    WEXITSTATUS(status) : 128 + WTERMSIG(status)) + ";" + said;
}

} // namespace

std::vector<job_outcome>
do_all_jobs(const surroundings &s)
{
	const own_child sleeps(false), runs(true);
	const stack9_thread sleeper = sleeps.thread(), runner = runs.thread(),
	    stranger{s.stranger, s.stranger, 0};
	return {
	    {"own stack", own_stack()},
	    {"kernel stack of a child", stack_of(sleeper, STACK9_KERNEL)},
	    {"user stack of a child", stack_of(sleeper, STACK9_USER)},
	    {"user stack of a child that runs", stack_of(runner, STACK9_USER)},
	    {"threads of a child", all_threads(&sleeper)},
	    {"kernel stack of another user", stack_of(stranger,
		STACK9_KERNEL)},
	    {"user stack of another user", stack_of(stranger, STACK9_USER)},
	    {"asynchronous capture of a child", asynchronous(runner)},
	    {"stacks that lead to an event", events()},
	    {"name of a kernel function", name_of(s.function)},
	    {"stackprint", stackprint(s.stackprint, sleeps.pid())},
	};
}
