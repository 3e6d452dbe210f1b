// Starts bpftrace and our programs, and waits until they trace.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "events_peer.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

constexpr char tracefs[] = "/sys/kernel/tracing";

// For itself alone.
void
mount_tracefs()
{
	if (access("/sys/kernel/tracing/events", F_OK) != 0 &&
	    unshare(CLONE_NEWNS) == 0 &&
	    mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0)
		mount("tracefs", tracefs, "tracefs", 0, nullptr);
}

[[noreturn]] void
become(const std::vector<std::string> &words, const std::string &output)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	mount_tracefs();
	const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
	    0600);
	dup2(out, 1);
	dup2(out, 2);
	std::vector<char *> argv;
	for (const std::string &w : words)
		argv.push_back(const_cast<char *>(w.c_str()));
	argv.push_back(nullptr);
	execvp(argv[0], argv.data());
	_exit(127);
}

} // namespace

tracer::tracer(const std::vector<std::string> &words,
    const std::string &output)
{
	pid_ = fork();
	if (pid_ == 0)
		become(words, output);
}

tracer::~tracer()
{
	if (pid_ > 0) {
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}
}

bool
tracer::wait_for(const std::string &file)
{
	while (access(file.c_str(), F_OK) != 0) {
		if (!runs())
			return false;
		usleep(1000);
	}
	return true;
}

bool
tracer::runs()
{
	if (pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) == pid_)
		pid_ = -1;
	return pid_ > 0;
}

void
tracer::interrupt() const
{
	if (pid_ > 0)
		kill(pid_, SIGINT);
}

bool
tracer::wait()
{
	int status = -1;
	if (pid_ <= 0)
		return false;
	waitpid(pid_, &status, 0);
	pid_ = -1;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

double
tracer::end_of_cpu()
{
	rusage used{};
	interrupt();
	if (pid_ > 0)
		wait4(pid_, nullptr, 0, &used);
	pid_ = -1;
	const auto seconds = [](const timeval &t) {
		return static_cast<double>(t.tv_sec) +
		    static_cast<double>(t.tv_usec) / 1e6;
	};
	return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// Says it again if it was not heard: bpftrace's system() ignores SIGINT.
void
tracer::end()
{
	for (int ms = 0; runs(); ms++) {
		if (ms % 5000 == 0)
			interrupt();
		usleep(1000);
	}
}

std::vector<std::string>
bpftrace(const std::string &program, const std::string &script,
    const std::string &file)
{
	// The text of a script's BEGIN arrives once all is attached.  Its maps
	// have 4,096 keys unless a variable says otherwise.  Newer releases
	// have changed the name of that.
	return {"env", "BPFTRACE_MAP_KEYS_MAX=65536",
	    "BPFTRACE_MAX_MAP_KEYS=65536", program, "--unsafe", "-e",
	    "BEGIN { system(\"touch " + file + "\"); } " + script};
}

scratch::scratch()
{
	path = fs::temp_directory_path() / "stack9benchXXXXXX";
	if (mkdtemp(path.data()) == nullptr)
		abort();
}

scratch::~scratch()
{
	std::error_code ignored;
	fs::remove_all(path, ignored);
}

std::string
scratch::operator/(const std::string &name) const
{
	return path + "/" + name;
}

std::size_t
lines_with(const std::string &file, const std::string &word)
{
	std::ifstream f(file);
	std::size_t n = 0;
	for (std::string line; std::getline(f, line);)
		n += line.find(word) != line.npos;
	return n;
}

long
sum_behind(const std::string &file, const std::string &word)
{
	std::ifstream f(file);
	long sum = 0;
	for (std::string line; std::getline(f, line);)
		if (const auto at = line.find(word); at != line.npos)
			sum += std::atol(line.c_str() + at + word.size());
	return sum;
}
