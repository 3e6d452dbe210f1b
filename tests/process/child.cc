// Starts programs for tests, and waits until they are where they should be.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "child.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/stat_line.h"

namespace {

struct ends {
	int r, w;
};

ends
make_pipe()
{
	int p[2];
	if (pipe2(p, O_CLOEXEC) != 0)
		abort();
	return {p[0], p[1]};
}

std::string
text_of(const std::string &path)
{
	std::ifstream f(path);
	std::ostringstream all;
	all << f.rdbuf();
	return all.str();
}

[[noreturn]] void
become(const std::vector<std::string> &args, const std::function<bool()> &f,
    int in, int out)
{
	std::vector<char *> argv;
	for (const std::string &a : args)
		argv.push_back(const_cast<char *>(a.c_str()));
	argv.push_back(nullptr);
	for (const int s : {SIGABRT, SIGSEGV, SIGBUS, SIGTERM})
		signal(s, SIG_DFL);	// not the test's handlers
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(in, 0) == 0 && dup2(out, 1) == 1 && (!f || f()))
		execv(argv[0], argv.data());
	_exit(127);
}

} // namespace

child::child(std::vector<std::string> args, std::function<bool()> before)
{
	const ends in = make_pipe(), out = make_pipe();
	pid_ = fork();
	if (pid_ == 0)
		become(args, before, in.r, out.w);
	close(in.r);
	close(out.w);
	in_ = in.w;
	out_ = out.r;
}

child::~child()
{
	kill_and_reap();
	close(in_);
	close(out_);
}

void
child::kill_and_reap()
{
	if (pid_ > 0) {
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}
	pid_ = -1;
}

stack9_thread
child::thread_of(pid_t tid) const
{
	stack9::thread_stat stat{};
	stack9::parse_stat(text_of("/proc/" + std::to_string(tid) + "/stat"),
	    stat);
	return {tid, pid_, stat.start};
}

pid_t
child::other_tid() const
{
	namespace fs = std::filesystem;
	for (const auto &e : fs::directory_iterator("/proc/" +
	    std::to_string(pid_) + "/task"))
		if (const pid_t tid = std::stoi(e.path().filename());
		    tid != pid_)
			return tid;
	return 0;
}

bool
child::said(const std::string &line)
{
	std::string got;
	char byte;
	while (got != line + "\n") {
		if (read(out_, &byte, 1) != 1)
			return false;
		got += byte;
		if (byte == '\n' && got != line + "\n")
			got.clear();
	}
	return true;
}

bool
child::says(const std::string &line)
{
	return said(line) && waits(pid_);
}

// In read(2), which is system call 0, or 63 on aarch64, of descriptor 0.
bool
child::waits(pid_t tid) const
{
	const std::string path = "/proc/" + std::to_string(tid) + "/syscall";
	for (;; sched_yield()) {
		const std::string now = text_of(path);
		if (now.starts_with("0 0x0 ") || now.starts_with("63 0x0 "))
			return true;
		if (now.empty() && !std::filesystem::exists(path))
			return false;
	}
}

void
child::give_byte()
{
	const char byte = 0;
	if (write(in_, &byte, 1) != 1)
		abort();
}

std::string
program(const std::string &name)
{
	return std::string(STACK9_PROCESS_PROGRAMS) + "/" + name;
}

scratch::scratch()
{
	char name[] = "/tmp/stack9-spaces-XXXXXX";
	if (mkdtemp(name) == nullptr)
		abort();
	path_ = name;
}

scratch::~scratch()
{
	std::error_code ignored;
	std::filesystem::remove_all(path_, ignored);
}

std::string
scratch::operator/(const std::string &name) const
{
	return path_ + "/" + name;
}

std::string
scratch::take(const std::string &path) const
{
	const std::string to = *this / std::filesystem::path(path).filename();
	std::filesystem::copy_file(path, to);
	return to;
}
