// Starts readers, notices when one has ended or was stopped, and says why.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "child.h"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <iterator>
#include <new>
#include <string>
#include <string_view>

#include <sys/wait.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "os/clocks.h"

#include "sentences.h"

namespace stack9::sandbox {
namespace {

#define	IT	"the process that reads files "
constexpr char not_asked[] = IT "cannot be asked",
    went_too_far[] = IT "asked for what there is not, and was ended",
    too_slow[] = IT "took too long: a file may have made it hang",
    was_stopped[] = IT "was stopped",
    not_born[] = IT "could not give up its rights: is there seccomp(2)?",
    no_starter[] = IT "has ended, and the one that starts it, too",
    too_often[] = IT "has ended too often: it is started again in a minute",
    not_started[] = IT "could not be started",
    ended[] = IT "has ended: a file may have crashed it";

// Signals that a process gets for what it does itself.
constexpr int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS,
    SIGTRAP};

bool
is_fault(int signal) noexcept
{
	return std::find(std::begin(faults), std::end(faults), signal) !=
	    std::end(faults);
}

const char *
reason_of(int status) noexcept
try {
	if (status == -1 || !WIFSIGNALED(status))
		return ended;
	const int signal = WTERMSIG(status);
	return kept_sentence(IT "was killed by signal " +
	    std::to_string(signal) + (is_fault(signal) ?
	    ": a file may have crashed it" : ""));
} catch (...) {
	return ended;
}
#undef IT

// stack9_stats() has it.
void
report_end(const char *reason) noexcept
try {
	const std::string_view why = reason;
	const std::size_t from = std::string_view(ended).find("has ended");
	budgets::last_end = kept_sentence("ends of the process that reads "
	    "files, the last time as it " + std::string(why.substr(from)));
} catch (...) {
	budgets::last_end = nullptr;
}

std::uint64_t
now_ns() noexcept
{
	return static_cast<std::uint64_t>(monotonic_ns());
}

} // namespace

int
child::begin() noexcept
{
	unique_fd to;
	const int error = starter_.ask(to);
	if (error != 0)
		return error;
	to.step_aside();
	channel_ = channel(std::move(to));
	asked_ = true;
	greeted_ = ended_ = false;
	is_born_ = true;
	generation_++;
	return 0;
}

// Both the starter's answer and the reader's begin with the errno with which
// rights were given up.
bool
child::greet(message &in) noexcept
{
	unique_fd none;
	if (greeted_)
		return true;
	greeted_ = true;
	pid_t pid = -1;
	int error = starter_.answer(pid);
	pid_ = pid;
	if (error == EPIPE) {
		reason_ = no_starter;
		may_start_ = false;
		return false;
	}
	channel_.watch(pid);
	channel_.limit(budgets::of(budgets::answer_ns));
	if (error == 0 && channel_.receive(in, none, answer_max)) {
		error = in.get<int>();
		if (error == 0 && in.whole())
			return true;
	}
	is_born_ = error == 0;
	may_start_ = error == 0 || error == EAGAIN || error == ENOMEM;
	if (!is_born_)
		reason_ = may_start_ ? not_started : not_born;
	return false;
}

bool
child::start() noexcept
{
	if (!may_start_)
		return false;
	if (!starts_.take(now_ns())) {
		reason_ = too_often;
		return false;
	}
	const int error = begin();
	if (error == 0)
		return true;
	if (error != ECHILD)
		reason_ = error == EPIPE ? no_starter : not_started;
	may_start_ = error != EPIPE && error != ECHILD;
	return false;
}

// All processes of a terminal's job are stopped and go on, one after the other:
// that is waited for.
bool
child::is_well() noexcept
{
	constexpr timespec pause{0, 10'000'000};
	for (int i = 0; i < 10; i++) {
		siginfo_t info{};
		if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED |
		    WSTOPPED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
			return true;
		if (info.si_code != CLD_STOPPED)
			return false;
		nanosleep(&pause, nullptr);
	}
	channel_.give_up_on_stopped();
	return false;
}

// A reader that took too long may go on for ever, so it is ended.
void
child::give_up(pid_t asked_about, bool too_far) noexcept
{
	const bool is_slow = channel_.is_over();
	const bool stopped = channel_.is_stopped();
	const bool was_there = pid_ > 0;
	ended_ = true;
	channel_.close();
	if (was_there)
		kill_child(pid_);
	const int status = was_there ? await_child(pid_) : -1;
	was_killed_ = stopped || (status != -1 && WIFSIGNALED(status) &&
	    !is_fault(WTERMSIG(status)) && !is_slow && !too_far);
	if (was_there && is_born_) {
		reason_ = stopped ? was_stopped : is_slow ? too_slow :
		    too_far ? went_too_far : reason_of(status);
		leave_out(is_slow && !stopped ? budgets::left_out::answers :
		    budgets::left_out::readers);
		report_end(reason_);
		if (!was_killed_)
			starts_.avoid(asked_about, now_ns());
	}
	pid_ = -1;
}

// Another thread may be asking while the program exits.
void
child::end(bool is_idle) noexcept
{
	pid_t pid = pid_;
	if (is_idle && asked_ && !greeted_)
		starter_.answer(pid);
	channel_.close();
	if (pid > 0)
		kill_child(pid);	// it may be in the middle of a file
	starter_.kill();
	if (pid > 0 && pid != starter_.pid())
		await_child(pid);
	await_child(starter_.pid());
}

bool
child::avoids(pid_t pid) const noexcept
{
	return starts_.avoids(pid, now_ns());
}

const char *
child::why() const noexcept
{
	return reason_ != nullptr ? reason_ : not_asked;
}

} // namespace stack9::sandbox
