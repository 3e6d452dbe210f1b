// Makes a process whose threads count, to show whether they go on.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "counting.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

counting::counting()
{
	beats_ = static_cast<std::atomic<unsigned long> *>(mmap(
	    nullptr, 4096, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0));
	BOOST_REQUIRE(beats_ != MAP_FAILED);
	pid_ = fork();
	if (pid_ != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 1; i < threads; i++)
		std::thread([this, i] { beat(i); }).detach();
	beat(0);
}

counting::~counting()
{
	kill(pid_, SIGKILL);
	waitpid(pid_, nullptr, 0);
	munmap(beats_, 4096);
}

bool
counting::all_go_on() const
{
	for (int i = 0; i < threads; i++) {
		const unsigned long was = beats_[i];
		for (int ms = 0; beats_[i] == was; ms++) {
			if (ms == 10000)
				return false;
			usleep(1000);
		}
	}
	return true;
}

std::size_t
counting::descriptors() const
{
	const fs::directory_iterator all("/proc/" +
	    std::to_string(pid_) + "/fd");
	return static_cast<std::size_t>(std::distance(begin(all),
	    end(all)));
}

bool
counting::is_traced() const
{
	for (const auto &e : fs::directory_iterator("/proc/" +
	    std::to_string(pid_) + "/task")) {
		std::ifstream file(e.path() / "status");
		for (std::string line; std::getline(file, line);)
			if (line.starts_with("TracerPid:") &&
			    line.back() != '0')
				return true;
	}
	return false;
}

void
counting::beat(int i)
{
	for (;;) {
		beats_[i]++;
		usleep(i == 0 ? 100 : 1000);
	}
}
