// Tries a call whose n-th call of a kind fails.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "trial.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include <fmt/format.h>
#include <stack9.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "require.h"
#include "victim.h"

namespace {

// A child reports this to its parent.
struct told {
	long	calls;		// of the kind, in the call that was to fail
	long	injected;	// calls that did fail
	int	files;		// descriptors that are open in the end
	bool	late;		// the machine was too slow for the call
	char	wrong[4000];
};

long injected;

// Counts those of this process, without the one that counts, and without those
// that libbpf 1.5 to 1.7 lose if an object with a map in a map is not loaded.
int
open_files()
{
	int n = -1;
	std::error_code gone;
	for (const auto &one :
	    std::filesystem::directory_iterator("/proc/self/fd"))
		n += !std::filesystem::read_symlink(one, gone).string()
		    .starts_with("/memfd:libbpf-placeholder-fd");
	return n;
}

// Ends this process if what it does next does not end.  There are hundreds of
// trials on a busy machine.
void
begin_time()
{
	alarm(static_cast<unsigned int>(rounds(900, 60)));
}

// The deed is done in a child, because it may crash.
told
in_child(const char *name, const std::function<void(told &)> &deed)
{
	void *const page = mmap(nullptr, sizeof(told), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	told &shared = *static_cast<told *>(page);
	const pid_t pid = fork();
	if (pid == 0) {
		begin_time();
		for (const int s : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
			signal(s, SIG_DFL);
		deed(shared);
		_exit(0);
	}
	int status = 0;
	waitpid(pid, &status, 0);
	told all = shared;
	injected += all.injected;
	munmap(page, sizeof(told));
	if (status != 0) {
		const std::string s = fmt::format("{}{} ended with status "
		    "{:#x}\n", all.wrong, name, status);
		s.copy(all.wrong, sizeof all.wrong - 1);
	}
	return all;
}

void
complain(told &to, const std::string &text)
{
	const std::size_t at = std::strlen(to.wrong);
	text.copy(to.wrong + at, sizeof to.wrong - at - 1);
}

std::string
status_line(pid_t pid, const char *name)
{
	std::ifstream f(fmt::format("/proc/{}/status", pid));
	for (std::string line; std::getline(f, line);)
		if (line.starts_with(name))
			return line.substr(std::strlen(name));
	return "gone";
}

class trial {
public:
	trial(const call &c, const injection &i, pid_t target, told &to)
	    : call_(c), injected_(i), target_(target), told_(to) {}

	// An answer that is late is reported and not called wrong: the caller
	// goes again.  Returns whether the n-th call was there to fail.
	bool
	fails(long n) const
	{
		begin();
		shim::arm(injected_.what, n, injected_.error);
		const int error = call_.run(target_);
		const long calls = shim::disarm();
		told_.calls = calls;
		told_.injected += n > 0 && calls >= n;
		const bool allowed = injected_.allowed.contains(error);
		told_.late = !allowed && came_late;
		if (!allowed && !told_.late)
			wrong(n, fmt::format("returned {} ({})", error,
			    stack9_reason()));
		if (error > 0 && *stack9_reason() == '\0')
			wrong(n, "no reason");
		let_go(n);
		return calls >= n;
	}

	// Each follows a call that worked.
	void
	fails_in_time(long n) const
	{
		fails(n);
		for (int i = 1; told_.late && i < tries_in_time; i++) {
			works(n);
			fails(n);
		}
		if (told_.late)
			wrong(n, "is late each time");
	}

	void
	works(long n) const
	{
		int error = EAGAIN;
		came_late = true;
		for (int i = 0; came_late && i < tries_in_time; i++) {
			begin();
			error = call_.run(target_);
		}
		if (error != 0 && !(call_.keeps_unread && error == EIO))
			wrong(n, fmt::format("then returned {} ({})", error,
			    stack9_reason()));
	}

	void
	wrong(long n, const std::string &text) const
	{
		complain(told_, fmt::format("{} {}: {}\n", call_.name, n,
		    text));
	}

private:
	static void
	begin()
	{
		begin_time();
		came_late = false;
	}

	void
	let_go(long n) const
	{
		if (const std::string tracer = status_line(target_,
		    "TracerPid:\t"); tracer != "0")
			wrong(n, "the target is traced by " + tracer);
		wait_for_state(target_, 'S');
	}

	const call	&call_;
	const injection	&injected_;
	const pid_t	 target_;
	told		&told_;
};

struct held {
	int	files = open_files();
	long	allocated = shim::allocated(), mapped = shim::mapped();

	std::string
	more_than(const held &before) const
	{
		std::string s;
		if (files > before.files)
			s += fmt::format(" {} descriptors",
			    files - before.files);
		if (allocated > before.allocated)
			s += fmt::format(" {} allocations",
			    allocated - before.allocated);
		if (mapped > before.mapped)
			s += fmt::format(" {} bytes mapped",
			    mapped - before.mapped);
		return s;
	}
};

// All of 1 to all, or most of them, the first ones closer together.
std::vector<long>
spread(long all, long most)
{
	std::vector<long> some;
	for (long i = 0; i < std::min(all, most); i++) {
		const double part = static_cast<double>(i) /
		    static_cast<double>(std::min(all, most));
		const long n = all <= most ? i + 1 : 1 +
		    static_cast<long>(static_cast<double>(all) * part *
		    (0.5 + part / 2));
		if (some.empty() || some.back() != n)
			some.push_back(n);
	}
	return some;
}

// In a process of its own: the first call fails, and the next one works.  It
// goes again in another one for as long as the first call is late; all that is
// wrong in any of them is added.  files: how many are open after a good call.
told
first_call(const call &c, const injection &what, pid_t target, long n,
    int files, std::string &wrong)
{
	// The next route's programs stay, and the files that it has read.
	constexpr int of_other_routes = 8 + 20;
	told last{};
	bool again = true;
	for (int i = 0; again && i < tries_in_time; i++) {
		last = in_child(c.name, [&](told &to) {
			const trial t(c, what, target, to);
			t.fails(n);
			if (n == 0 || !c.once) {
				t.works(n);
				to.files = open_files();
			}
		});
		wrong += last.wrong;
		if (last.files - of_other_routes > files)
			wrong += fmt::format("{} {}: {} descriptors more\n",
			    c.name, n, last.files - files);
		again = last.late && wrong.empty();
	}
	if (last.late)
		wrong += fmt::format("{} {}: is late\n", c.name, n);
	return last;
}

} // namespace

long
injected_so_far()
{
	return injected;
}

std::string
first_calls_fail(const call &c, const injection &what, pid_t target, long most)
{
	// A process without a failure, to compare with.
	std::string wrong;
	const told good = first_call(c, what, target, 0, INT_MAX, wrong);
	for (const long n : spread(good.calls, most))
		first_call(c, what, target, n, good.files, wrong);
	return wrong;
}

std::string
later_calls_fail(const call &c, const injection &what, pid_t target, long most)
{
	return in_child(c.name, [&](told &to) {
		const trial t(c, what, target, to);
		for (int i = 0; i < 3; i++)
			t.works(0);
		t.fails_in_time(0);
		for (const long n : spread(to.calls, most)) {
			// Memory that grows once may be a memo; memory that
			// grows each time is lost.
			std::string more = "first";
			for (int i = 0; i < 4 && !more.empty(); i++) {
				const held before;
				t.fails_in_time(n);
				t.works(n);
				more = held().more_than(before);
			}
			if (!more.empty())
				t.wrong(n, "leaves" + more);
			if (std::strlen(to.wrong) > 2000)
				break;
		}
	}).wrong;
}
