// Starts programs and waits until they are ready and, unless they spin, block.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "target.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"
#include "lib/queued.h"
#include "require.h"

using lib::state_of;

namespace fs = std::filesystem;

namespace {

constexpr int report_fd = 3;

// The descriptors are moved above those that are to be replaced.
[[noreturn]] void
become(const std::vector<std::string> &args, int input, int report,
    const std::function<bool()> &before)
{
	input = fcntl(input, F_DUPFD_CLOEXEC, 10);
	report = fcntl(report, F_DUPFD_CLOEXEC, 10);
	lib::become(args, input, -1, -1, [&] {
		return dup2(report, report_fd) == report_fd &&
		    (!before || before());
	});
}

} // namespace

target::target(std::vector<std::string> args, bool spins,
    const std::function<bool()> &before, int namespaces)
{
	int input[2], report[2];
	if (pipe2(input, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0)
		throw std::runtime_error("no pipe");
	pid_ = namespaces == 0 ? fork() : static_cast<pid_t>(syscall(SYS_clone,
	    SIGCHLD | namespaces, nullptr, nullptr, nullptr, nullptr));
	if (pid_ == 0)
		become(args, input[0], report[1], before);
	close(input[0]);
	close(report[1]);
	input_ = input[1];
	const bool ready = read_report(report[0]);
	close(report[0]);
	if (!ready)
		throw std::runtime_error(args[0] + " has not become ready");
	if (!spins)
		wait_until("S");
}

target::~target()
{
	lib::kill_and_reap(pid_);
	close(input_);
}

// "ready", and addresses.
bool
target::read_report(int fd)
{
	std::string line;
	for (char c; read(fd, &c, 1) == 1 && c != '\n';)
		line += c;
	std::istringstream words(line);
	std::string word;
	words >> word;
	if (word != "ready")
		return false;
	for (std::uintptr_t pc; words >> std::hex >> pc;)
		noted_.push_back(pc);
	return true;
}

std::vector<pid_t>
target::tids() const
{
	std::vector<pid_t> all;
	for (const auto &e : fs::directory_iterator(
	    fmt::format("/proc/{}/task", pid_)))
		all.push_back(std::stoi(e.path().filename()));
	return all;
}

// Twice in a row for all: a thread may have been about to make another.
void
target::wait_until(const char *states) const
{
	for (int rounds = 0; rounds < 2; rounds++)
		for (const pid_t tid : tids())
			while (std::strchr(states, state_of(tid)) ==
			    nullptr || is_queued(tid)) {
				rounds = 0;
				sched_yield();
			}
}

void
target::stop()
{
	kill(pid_, SIGSTOP);
	wait_until("T");
}

void
target::go_on()
{
	kill(pid_, SIGCONT);
}

namespace {

// "", or why the program cannot run here.  It may have been built elsewhere.
std::string
why_not(const std::string &name)
{
	static const bool has_ia32 = runs_ia32();
	if (!name.starts_with("m32"))
		return "";
	if (!has_ia32)
		return "the kernel runs no 32-bit programs";
	return name.ends_with("_static") ||
	    access("/lib/ld-linux.so.2", X_OK) == 0 ? "" :
	    "no /lib/ld-linux.so.2";
}

} // namespace

std::string
program(const std::string &name)
{
	const std::string path = TARGETS "/" + name;
	return access(path.c_str(), X_OK) == 0 && why_not(name).empty() ?
	    path : "";
}

bool
begins_a_thread(const std::string &name)
{
	return name == "clone3" || name == "__clone3" || name == "clone" ||
	    name == "__clone";
}

boost::unit_test::decorator::precondition
built(const char *name)
{
	return boost::unit_test::decorator::precondition(
	    [name = std::string(name)](boost::unit_test::test_unit_id)
	    -> boost::test_tools::assertion_result {
		    boost::test_tools::assertion_result has(
			!program(name).empty());
		    std::string why = why_not(name);
		    if (why.empty())
			    why = "its compiler is not here";
		    has.message() << "no " << name << ": " << why;
		    if (!has)
			    std::fprintf(stderr, "skipped: no %s: %s\n",
				name.c_str(), why.c_str());
		    return has;
	    });
}

namespace {

// The fields of a line in /proc/PID/maps.
struct mapping {
	std::string	rights, path;
};

mapping
mapping_at(pid_t pid, std::uintptr_t pc)
{
	std::ifstream maps(fmt::format("/proc/{}/maps", pid));
	for (std::string line; std::getline(maps, line);) {
		std::uintptr_t start, end;
		char rights[8] = "", path[4096] = "";
		if (std::sscanf(line.c_str(),
		    "%lx-%lx %7s %*s %*s %*s %4095s", &start, &end, rights,
		    path) >= 3 && pc >= start && pc < end)
			return {rights, path};
	}
	return {};
}

} // namespace

std::string
mapped_at(pid_t pid, std::uintptr_t pc)
{
	return mapping_at(pid, pc).path;
}

bool
is_code(pid_t pid, std::uintptr_t pc)
{
	return mapping_at(pid, pc).rights.find('x') != std::string::npos;
}
