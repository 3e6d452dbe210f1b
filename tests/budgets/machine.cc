// Tests a machine full of hostile files: stackprint -a -l -I takes little more
// time and memory than with honest ones, and says what it left out.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <mounts.h>
#include <require.h>

#include "hostile_machine.h"
#include "lib/process.h"
#include "lib/scratch.h"
#include "lib/text.h"

#ifdef __x86_64__

using boost::unit_test::description;

namespace {

struct spent {
	double		cpu = 0, wall = 0;
	double		mib = 0;
	std::string	last;		// line of the output
};

double
seconds(const timeval &t)
{
	return static_cast<double>(t.tv_sec) +
	    static_cast<double>(t.tv_usec) / 1e6;
}

// Runs stackprint as init of a pid namespace, where nobody else is.
[[noreturn]] void
look(bool hostile, std::size_t files, int to)
{
	if (!start_machine(hostile, files))
		_exit(2);
	timespec begin, end;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	const pid_t pid = fork();
	if (pid == 0) {
		const int out = open("out", O_RDWR | O_CREAT | O_TRUNC, 0600);
		dup2(out, 1);
		execl(STACKPRINT, STACKPRINT, "-a", "-l", "-I", nullptr);
		_exit(127);
	}
	int status = 0;
	rusage used{};
	wait4(pid, &status, 0, &used);
	clock_gettime(CLOCK_MONOTONIC, &end);
	std::ostringstream text;
	text << seconds(used.ru_utime) + seconds(used.ru_stime) << ' ' <<
	    static_cast<double>(end.tv_sec - begin.tv_sec) +
	    static_cast<double>(end.tv_nsec - begin.tv_nsec) / 1e9 << ' ' <<
	    static_cast<double>(used.ru_maxrss) / 1024 << '\n';
	std::ifstream in("out");
	std::string line, last;
	while (std::getline(in, line))
		last = line;
	text << last << '\n';
	const std::string all_text = text.str();
	(void)!write(to, all_text.data(), all_text.size());
	_exit(!WIFEXITED(status) || WEXITSTATUS(status) > 1);
}

spent
looked(const std::string &dir, bool hostile, std::size_t files)
{
	int ends[2];
	BOOST_REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
	const pid_t pid = start([&] {
		if (chdir(dir.c_str()) != 0 ||
		    unshare(CLONE_NEWPID) != 0)
			_exit(1);
		const pid_t init = start([&] {
			if (!own_mounts() || mount("proc", "/proc", "proc", 0,
			    nullptr) != 0)
				_exit(1);
			look(hostile, files, ends[1]);
		});
		int status = 1;
		waitpid(init, &status, 0);
		_exit(status != 0);
	});
	close(ends[1]);
	const std::string text = lib::read_all(ends[0]);
	close(ends[0]);
	int status = 1;
	waitpid(pid, &status, 0);
	BOOST_TEST(status == 0);
	spent s;
	std::istringstream in(text);
	in >> s.cpu >> s.wall >> s.mib;
	in.ignore();
	std::getline(in, s.last);
	return s;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_machine_full_of_hostile_files, *needs("bpf")
    * needs("mounts") * boost::unit_test::timeout(300) * description(
    "--limits: All that is beyond a limit is left out, and the last line says "
    "so."))
{
	const lib::scratch room("/var/tmp");
	const std::string &dir = room.path();
	std::size_t files = 0;
	// stackprint is said to have used at least the memory of the process
	// that starts it, so this process stays small.
	BOOST_REQUIRE(lib::in_child([&] {
		write_all(dir);
		return 0;
	}) == 0);
	while (std::filesystem::exists(dir + "/hostile" +
	    std::to_string(files)))
		files++;
	const spent honest = looked(dir, false, files);
	const spent hostile = looked(dir, true, files);
	BOOST_TEST_MESSAGE("honest: " << honest.cpu << " s of CPU, " <<
	    honest.wall << " s, " << honest.mib << " MiB\nhostile: " <<
	    hostile.cpu << " s of CPU, " << hostile.wall << " s, " <<
	    hostile.mib << " MiB\n" << hostile.last);
	BOOST_TEST(files >= 25u);
	BOOST_TEST(honest.last.find("left out") == std::string::npos);
#ifndef __SANITIZE_ADDRESS__	// it keeps freed memory
	BOOST_TEST(hostile.cpu - honest.cpu < 2);
	BOOST_TEST(hostile.mib - honest.mib < 64);
#endif
	for (const char *kind : {"symbols are", "unwind information is",
	     "debug information is", "ELF headers are", "not regular files",
	     "only a part was copied", "tables of Go", "mappings that were cut",
	     "; --limits reads more"})
		BOOST_TEST(hostile.last.find(kind) != std::string::npos,
		    kind << ": " << hostile.last);
}

#endif // __x86_64__
