// Makes rows in children, and reads the recorded ones from the file expected.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "record.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "asleep.h"
#include "lib/text.h"

namespace {

// The address of a function that /proc/kallsyms shows to root only.
std::uint64_t
kernel_function(const std::string &name)
{
	std::ifstream file("/proc/kallsyms");
	std::string line;
	while (std::getline(file, line))
		if (line.ends_with(" T " + name))
			return std::stoull(line, nullptr, 16);
	return 0;
}

pid_t
start_stranger(int proc)
{
	int ready[2];
	BOOST_REQUIRE(pipe(ready) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		constexpr uid_t other = 65533;
		if (setgid(other) != 0 || setuid(other) != 0)
			_exit(1);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_DUMPABLE, 1);
		(void)!write(ready[1], "", 1);
		for (;;)
			pause();
	}
	char c;
	BOOST_REQUIRE(read(ready[0], &c, 1) == 1);
	close(ready[0]);
	close(ready[1]);
	wait_until_asleep(proc, pid);
	return pid;
}

std::map<std::string, std::string>
recorded_rows()
{
	std::map<std::string, std::string> rows;
	std::ifstream file(EXPECTED);
	std::string line, name;
	while (std::getline(file, line)) {
		if (line.empty() || line[0] == '#')
			continue;
		if (line[0] == '[')
			name = line;
		rows[name] += line + "\n";
	}
	return rows;
}

std::vector<std::string>
lines_of(const std::string &text)
{
	std::vector<std::string> all;
	std::istringstream in(text);
	for (std::string line; std::getline(in, line);)
		all.push_back(line);
	return all;
}

} // namespace

scene::scene() : folder_("/tmp/stack9-rights.XXXXXX")
{
	BOOST_REQUIRE(mkdtemp(folder_.data()) != nullptr);
	BOOST_REQUIRE(chmod(folder_.c_str(), 0755) == 0);
	for (const char *const program : {STACKPRINT, STACKRECORD, STACKCOUNT})
		std::filesystem::copy_file(program, folder_ + "/" +
		    std::filesystem::path(program).filename().string());
#ifdef STACK9_SONAME
	// The library may be where an ordinary user cannot go.
	std::filesystem::copy_file(STACK9, folder_ + "/" STACK9_SONAME);
	BOOST_REQUIRE(setenv("LD_LIBRARY_PATH", folder_.c_str(), 1) == 0);
#endif
	BOOST_REQUIRE(mkdir((folder_ + "/records").c_str(), 0777) == 0);
	BOOST_REQUIRE(chmod((folder_ + "/records").c_str(), 0777) == 0);
	around_.folder = folder_;
	around_.function = kernel_function("do_sys_openat2");
	if (around_.function == 0)
		around_.function = kernel_function("schedule");
	around_.proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	BOOST_REQUIRE(around_.proc >= 0);
	around_.stranger = start_stranger(around_.proc);
}

scene::~scene()
{
	kill(around_.stranger, SIGKILL);
	waitpid(around_.stranger, nullptr, 0);
	close(around_.proc);
	unsetenv("LD_LIBRARY_PATH");
	std::filesystem::remove_all(folder_);
}

std::string
row_of(const setting &s, const surroundings &around)
{
	int told[2];
	BOOST_REQUIRE(pipe(told) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		close(told[0]);
		s.enter();
		std::string text;
		for (const job_outcome &j : do_all_jobs(around))
			text += j.job + ": " + j.outcome + "\n";
		(void)!write(told[1], text.data(), text.size());
		_exit(0);
	}
	close(told[1]);
	const std::string text = "[" + s.name + "]\n" + lib::read_all(told[0]);
	close(told[0]);
	int status = 0;
	waitpid(pid, &status, 0);
	BOOST_TEST(status == 0, s.name);
	return text;
}

void
compare_with_record(const std::vector<setting> &settings)
{
	const scene around;
	const char *const wish = std::getenv("STACK9_RECORD");
	std::ofstream out;
	if (wish != nullptr)
		out.open(wish, std::ios::app);
	const auto recorded = recorded_rows();
	for (const setting &s : settings) {
		if (!s.lack.empty()) {
			std::printf("skipped: as_recorded [%s]: %s\n",
			    s.name.c_str(), s.lack.c_str());
			continue;
		}
		const std::string row = row_of(s, *around);
		if (wish != nullptr) {
			out << row << "\n";
			continue;
		}
		const auto known = recorded.find("[" + s.name + "]");
		BOOST_TEST_REQUIRE((known != recorded.end()), s.name);
		BOOST_TEST_CONTEXT(s.name)
			BOOST_TEST(lines_of(row) == lines_of(known->second),
			    boost::test_tools::per_element());
	}
}
