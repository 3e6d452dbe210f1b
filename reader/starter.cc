// Makes a reader of a twin of this process whenever it is asked to.
//
// Rejected: a fork of the program itself when a reader has ended.  The copy
// would have all that the program has seen until then, with its maps of BPF and
// the locks of its other threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "starter.h"

#include <cerrno>
#include <csignal>
#include <new>

#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "budgets/budgets.h"
#include "os/stack_left.h"

#include "sandbox.h"
#include "server.h"

namespace stack9::sandbox {
namespace {

// Once a large block was given back glibc keeps blocks of that size, 8 MiB
// after large files were read, unless a size was set.
void
give_back_large_blocks() noexcept
{
#ifdef M_MMAP_THRESHOLD
	constexpr int large = 1 << 20;
	mallopt(M_MMAP_THRESHOLD, large);
	mallopt(M_TRIM_THRESHOLD, large);
#endif
}

// The first message is the error with which rights were given up.
[[noreturn]] void
be_reader(unique_fd socket, std::byte *shared, int error) noexcept
{
	prctl(PR_SET_NAME, "stack9-reader");
	give_back_large_blocks();
	if (error == 0)
		error = refuse_system_calls();
	channel to(std::move(socket));
	message m;
	m.begin(kind::answer).put(error);
	if (to.send(m) && error == 0)
		serve(std::move(to), shared);
	_exit(error);
}

// There is one thread, so nothing is lost that fork(3) would do.
pid_t
start_twin() noexcept
{
	return static_cast<pid_t>(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0,
	    0, 0, 0));
}

bool
ends_soon(pid_t pid) noexcept
{
	constexpr int ms = 1000;
	const unique_fd process(static_cast<int>(syscall(SYS_pidfd_open, pid,
	    0)));
	pollfd p{process.get(), POLLIN, 0};
	return !process || poll(&p, 1, ms) != 0;
}

} // namespace

void
start_readers(unique_fd socket, std::byte *shared, bool once) noexcept
{
	prctl(PR_SET_NAME, once ? "stack9-reader" : "stack9-starter");
	stack_left();	// demangle() needs to know it
	int error = give_up_rights(socket.get(), user::of_its_own);
	if (error == 0)
		error = catch_refused_calls();
	if (once)
		be_reader(std::move(socket), shared, error);
	if (error == 0)
		error = refuse_all_but_starts();
	channel here(std::move(socket));
	message m;
	unique_fd there;
	while (here.receive(m, there, answer_max)) {
		pid_t pid = -1;
		if (error == 0 && (pid = start_twin()) == 0) {
			here.close();
			be_reader(std::move(there), shared, 0);
		}
		there.reset();
		m.begin(kind::answer);
		m.put(pid < 0 && error == 0 ? errno : error);
		m.put(pid);
		if (!here.send(m))
			break;
	}
	_exit(error);
}

int
starter::ask(unique_fd &socket) noexcept
try {
	if (once_) {
		socket = channel_.take();
		return socket ? 0 : ECHILD;
	}
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return errno;
	unique_fd here(ends[0]);
	const unique_fd there(ends[1]);
	message m;
	channel_.limit(budgets::of(budgets::answer_ns));
	if (!channel_.send(m.begin(kind::answer), there.get()))
		return EPIPE;
	here.step_aside();
	socket = std::move(here);
	return 0;
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

int
starter::answer(pid_t &pid) noexcept
{
	message m;
	unique_fd none;
	if (once_) {
		pid = pid_;
		return 0;
	}
	if (!channel_.receive(m, none, answer_max))
		return EPIPE;
	const int error = m.get<int>();
	const auto of = m.get<pid_t>();
	if (!m.whole() || (error == 0 && of <= 0))
		return EPIPE;
	pid = of;
	return error;
}

void
starter::kill() noexcept
{
	channel_.close();
	kill_child(pid_);
}

// A program that waits for all children may have taken it, and then the pid may
// be another's.
void
kill_child(pid_t pid) noexcept
{
	siginfo_t info{};
	if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG |
	    WNOWAIT) == 0 && info.si_pid == 0)
		kill(pid, SIGKILL);
}

int
await_child(pid_t pid) noexcept
{
	int status = -1;
	if (ends_soon(pid))
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	return status;
}

} // namespace stack9::sandbox
