// Captures a thread that becomes a set-user-ID program, and the user's own
// again, hundreds of times a second.  An ordinary user does so by each route.
// Rights end in the middle of captures.  A user who may not see the privileged
// program sees no frame of it.  Each error is one of those that the manual has.
// Nothing is left open, traced or stopped, and the next capture works.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <linux/capability.h>
#include <poll.h>
#include <stack9.h>
#include <stack9_async.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"
#include "observer.h"
#include "require.h"
#include "rights/settings.h"

namespace {

namespace fs = std::filesystem;
using steady = std::chrono::steady_clock;
using lib::in_child;

double
seconds_each()
{
	const char *const wish = std::getenv("STACK9_STORM_SECONDS");
	return wish != nullptr ? std::atof(wish) / 4 : rounds(60, 1);
}

// A directory with both files, of which the user may run one as root.
class files {
public:
	files() : dir_(fs::temp_directory_path() / fmt::format("storm.{}",
	    getpid()))
	{
		fs::create_directory(dir_);
		chmod(dir_.c_str(), 0755);
		fs::copy_file(TURNS, plain());
		fs::copy_file(TURNS, root());
		chmod(root().c_str(), 04755);
	}
	~files() { fs::remove_all(dir_); }
	files(const files &) = delete;
	files &operator=(const files &) = delete;

	std::string plain() const { return dir_ / "plain"; }
	std::string root() const { return dir_ / "root"; }

private:
	fs::path	dir_;
};

std::string
status_line(pid_t pid, const std::string &key)
{
	std::ifstream file(fmt::format("/proc/{}/status", pid));
	for (std::string line; std::getline(file, line);)
		if (line.starts_with(key))
			return line.substr(key.size());
	return {};
}

// A child that runs one program, or both by turns; killed when it goes.
class runner {
public:
	explicit runner(const std::string &file, const std::string &other)
	    : pid_(fork())
	{
		if (pid_ != 0)
			return;
		execl(file.c_str(), file.c_str(), other.c_str(), nullptr);
		_exit(71);
	}
	~runner()
	{
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}
	runner(const runner &) = delete;
	runner &operator=(const runner &) = delete;

	pid_t pid() const { return pid_; }

private:
	pid_t	pid_;
};

std::ptrdiff_t
open_files()
{
	const fs::directory_iterator all("/proc/self/fd");
	return std::distance(begin(all), end(all));
}

void
save(pid_t pid, observer &o)
{
	const stack9_thread td{pid, pid, 0};
	stack9_sample *s = nullptr;
	const int error = stack9_save(&td, STACK9_USER, nullptr, &s);
	o.note(error, s);
	stack9_sample_close(s);
}

void
pass(pid_t pid, observer &o)
{
	const stack9_thread td{pid, pid, 0};
	const int error = stack9_each(&td, STACK9_USER, nullptr,
	    [](void *to, const stack9_sample *s) {
		static_cast<observer *>(to)->note(s->user->error, s);
		return 0;
	}, &o);
	if (!is_expected(error))
		o.fault(fmt::format("a pass: {}", error));
}

void
save_later(stack9_async *stream, pid_t pid, observer &o)
{
	const stack9_thread td{pid, pid, 0};
	stack9_id id;
	if (const int error = stack9_async_submit(stream, &td, STACK9_USER,
	    0, 1, &id); error != 0)
		return o.note(error, nullptr);
	int fd;
	stack9_ready ready{};
	ready.size = sizeof ready;
	if (stack9_async_fd(stream, &fd) != 0)
		return o.fault("no descriptor");
	pollfd p{fd, POLLIN, 0};
	// The descriptor says that there may be one.
	while (ready.id != id)
		if (poll(&p, 1, 10000) != 1) {
			o.fault("a submission did not end");
			break;
		} else {
			stack9_async_next(stream, &ready);
		}
	stack9_sample *s = nullptr;
	const int error = stack9_async_collect(stream, id, nullptr, &s);
	o.note(error, s);
	stack9_sample_close(s);
	if (stack9_async_release(stream, id) != 0)
		o.fault("a submission could not be released");
}

// Captures who becomes root and comes back, and then who stays what it is.
template <class Capture>
bool
storm(const files &f, const char *who, bool may_see_root, Capture capture)
{
	observer o(may_see_root), calm(may_see_root);
	std::ptrdiff_t before = 0, after = 0;
	{
		const runner turns(f.plain(), f.root());
		const auto capture_for = [&](double seconds) {
			const auto until = steady::now() +
			    std::chrono::duration<double>(seconds);
			while (steady::now() < until)
				capture(turns.pid(), o);
			return open_files();
		};
		// Most files that are kept open are so after the first half,
		// and a descriptor for each capture or refusal would be
		// hundreds.
		before = capture_for(seconds_each() / 2);
		after = capture_for(seconds_each() / 2);
		if (const std::string tracer = status_line(turns.pid(),
		    "TracerPid:\t"); tracer != "0")
			o.fault("traced by " + tracer);
		if (status_line(turns.pid(), "State:\t").starts_with("T"))
			o.fault("stopped");
	}
	if (after > before + 4)
		o.fault(fmt::format("{} open files, {} before", after,
		    before));
	// The next capture of somebody who may be seen works.  It does not
	// sleep for long, for a submission would wait for its end.
	const runner stays(f.plain(), f.plain());
	for (int i = 0; i < 1000 && calm.times(0) == 0; i++) {
		capture(stays.pid(), calm);
		usleep(1000);
	}
	const bool right = o.tell(who);
	// A storm in which nobody was captured or refused shows nothing.
	return right && calm.times(0) > 0 && o.times(0) > 0 &&
	    (may_see_root || o.times(EPERM) > 0);
}

constexpr std::initializer_list<int> to_watch{CAP_BPF, CAP_PERFMON};

} // namespace

BOOST_AUTO_TEST_CASE(without_capabilities, *needs("root") * needs("ptrace")
    * boost::unit_test::description("A thread of another user, of a "
    "set-user-ID program, or one that is not dumpable is refused: by an "
    "ordinary user, while it becomes one"))
{
	const files f;
	for (const char *const routes : {"procfs", "ptrace", ""})
		BOOST_TEST(in_child([&] {
			become::user();
			if (stack9_force(routes) != 0)
				return 90;
			return storm(f, routes, false, save) ? 0 : 1;
		}) == 0, routes);
}

BOOST_AUTO_TEST_CASE(with_capabilities, *needs("root") * needs("bpf")
    * boost::unit_test::description("with CAP_BPF and CAP_PERFMON: each "
    "capture ends as the manual has it, while the thread becomes a "
    "set-user-ID program"))
{
	const files f;
	BOOST_TEST(in_child([&] {
		become::user(to_watch);
		return storm(f, "user-iter", true, save) &&
		    storm(f, "a pass", true, pass) ? 0 : 1;
	}) == 0);
}

BOOST_AUTO_TEST_CASE(later, *needs("root") * needs("bpf")
    * boost::unit_test::description("with CAP_BPF and CAP_PERFMON: each "
    "submission ends, while the thread becomes a set-user-ID program"))
{
	const files f;
	for (const char *const routes : {"", "retry"})
		BOOST_TEST(in_child([&] {
			become::user(to_watch);
			if (stack9_force(routes) != 0)
				return 90;
			stack9_async *stream;
			if (stack9_async_open(&stream) != 0)
				return 91;
			const bool right = storm(f, "later", true,
			    [&](pid_t pid, observer &o) {
				save_later(stream, pid, o);
			});
			stack9_async_close(stream);
			return right ? 0 : 1;
		}) == 0, routes);
}
