// Kills stackprint and its like at random moments, by every route: nothing
// stays stopped, traced, loaded, mounted or open, and no child is left.  Each
// command is killed 10 times, or 1000 times with STACK9_LONG.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <linux/bpf.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counting.h"
#include "lib/process.h"
#include "lib/scratch.h"
#include "lib/text.h"
#include "mounts.h"
#include "require.h"

namespace {

namespace fs = std::filesystem;
using ids = std::set<std::uint32_t>;

ids
all_ids(int command)
{
	ids all;
	bpf_attr attr{};
	while (syscall(SYS_bpf, command, &attr, sizeof attr) == 0) {
		all.insert(attr.next_id);
		attr.start_id = attr.next_id;
	}
	return all;
}

// The programs or links that the processes of the machine hold.
void
add_held(const fs::path &process, const std::string &key, ids &held)
{
	std::error_code gone;
	for (const auto &e : fs::directory_iterator(process / "fdinfo", gone)) {
		std::ifstream file(e.path());
		for (std::string line; std::getline(file, line);)
			if (line.starts_with(key))
				held.insert(static_cast<std::uint32_t>(
				    std::strtoul(line.c_str() + key.size(),
				    nullptr, 10)));
	}
}

ids
all_held(const std::string &key)
{
	ids held;
	for (const auto &e : fs::directory_iterator("/proc"))
		if (std::isdigit(static_cast<unsigned char>(
		    e.path().filename().native()[0])))
			add_held(e.path(), key, held);
	return held;
}

// Those that are new since and that nobody holds.  Other programs of the
// machine may load some meanwhile.
ids
leaked(int command, const std::string &key, const ids &before)
{
	ids left;
	for (int ms = 0; ms < 10000; ms += 100) {
		left.clear();
		for (const std::uint32_t id : all_ids(command))
			if (!before.contains(id))
				left.insert(id);
		if (left.empty())
			return left;
		const ids held = all_held(key);
		std::erase_if(left, [&](std::uint32_t id) {
			return held.contains(id);
		});
		if (left.empty())
			return left;
		usleep(100000);
	}
	return left;
}

struct command {
	std::vector<std::string>	words;
	const char			*routes;	// or NULL
};

// Runs it in the background of this process, and kills it after that time; all
// that it has started becomes a child of this process.
void
run_and_kill(const command &c, unsigned int after_us)
{
	const pid_t pid = fork();
	if (pid == 0) {
		const int null = open("/dev/null", O_RDWR);
		for (int fd = 0; fd < 3; fd++)
			dup2(null, fd);
		close_range(3, ~0U, 0);
		if (c.routes != nullptr)
			setenv("STACK9_ROUTE", c.routes, 1);
		execv(c.words[0].c_str(), lib::pointers(c.words).data());
		_exit(127);
	}
	usleep(after_us);
	kill(pid, SIGKILL);
	waitpid(pid, nullptr, 0);
}

// Returns whether all children but one end by themselves in ten seconds.
bool
all_others_end(pid_t but)
{
	for (int ms = 0; ms < 10000; ms++) {
		bool any = false;
		for (const auto &e : fs::directory_iterator(
		    "/proc/self/task")) {
			std::istringstream all(lib::contents((e.path() /
			    "children").c_str()));
			for (pid_t pid; all >> pid;)
				if (pid != but &&
				    waitpid(pid, nullptr, WNOHANG) == 0)
					any = true;
		}
		if (!any)
			return true;
		usleep(1000);
	}
	return false;
}

std::string
told(const command &c)
{
	std::string text = c.routes == nullptr ? "" : std::string(c.routes) +
	    ": ";
	for (const std::string &word : c.words)
		text += word.substr(word.rfind('/') + 1) + " ";
	return text;
}

int
kills_each(std::size_t commands)
{
	const char *const wish = std::getenv("STACK9_KILLS");
	return wish != nullptr ? std::atoi(wish) : rounds(1000,
	    static_cast<int>(160 / commands));
}

void
storm(const command &c, int kills, const counting &target)
{
	static std::minstd_rand dice(1);
	for (int i = 0; i < kills; i++) {
		run_and_kill(c, dice() % 60000);
		BOOST_TEST(all_others_end(target.pid()), told(c));
		if (i % 8 != 7 && i != kills - 1)
			continue;
		BOOST_TEST(!target.is_traced(), told(c));
		BOOST_TEST_REQUIRE(target.all_go_on(), told(c));
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(nothing_stays_of_what_is_killed, *needs("root")
    * needs("bpf") * needs("ptrace") * boost::unit_test::description(
    "stackprint, stackcount and stacksnoop, killed at any moment, leave "
    "nothing stopped, traced, loaded, mounted or open"))
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	const counting target;
	const std::string pid = std::to_string(target.pid());
	const std::vector<command> commands = {
	    {{STACKPRINT, "-p", pid}, nullptr},
	    {{STACKPRINT, "-l", pid}, nullptr},
	    {{STACKPRINT, "--stop", "-p", pid}, nullptr},
	    {{STACKPRINT, "--stop", pid}, nullptr},
	    {{STACKPRINT, "--async=1", "-p", pid}, nullptr},
	    {{STACKPRINT, "--async=1", "-p", pid}, "retry"},
	    {{STACKPRINT, "-k", pid}, "iter-tid"},
	    {{STACKPRINT, "-k", pid}, "iter-filter"},
	    {{STACKPRINT, "-k", pid}, "procfs"},
	    {{STACKPRINT, "-k", pid}, "syscall,perf"},
	    {{STACKPRINT, "-u", pid}, "user-iter"},
	    {{STACKPRINT, "-u", pid}, "procfs,ptrace"},
	    {{STACKPRINT, "-a"}, nullptr},
	    {{STACKPRINT, "--check"}, nullptr},
	    {{STACKCOUNT, "-D", "1", "-p", pid, "cpu-clock"}, nullptr},
	    {{STACKSNOOP, "-D", "1", "-p", pid, "t:sched:sched_switch"},
		nullptr},
	};
	BOOST_TEST_REQUIRE(target.all_go_on());
	const std::size_t open_before = target.descriptors();
	const std::string mounts = lib::contents("/proc/self/mountinfo");
	const ids programs = all_ids(BPF_PROG_GET_NEXT_ID),
	    links = all_ids(BPF_LINK_GET_NEXT_ID);
	const int kills = kills_each(commands.size());
	for (const command &c : commands)
		storm(c, kills, target);
	BOOST_TEST(target.descriptors() == open_before);
	BOOST_TEST(lib::contents("/proc/self/mountinfo") == mounts);
	BOOST_TEST(leaked(BPF_PROG_GET_NEXT_ID, "prog_id:\t", programs)
	    .empty());
	BOOST_TEST(leaked(BPF_LINK_GET_NEXT_ID, "link_id:\t", links).empty());
}

namespace {

// A bpffs of this mount namespace alone.
bool
has_own_bpffs(const std::string &dir)
{
	return own_mounts() &&
	    mount("none", dir.c_str(), "bpf", 0, nullptr) == 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_is_pinned_in_part_is_completed, *needs("mounts")
    * needs("bpf") * boost::unit_test::description(
    "--pin, killed at any moment, leaves a directory that the next one uses"))
{
	const lib::scratch room;
	const std::string &dir = room.path();
	BOOST_TEST(lib::in_child([&] {
		if (!has_own_bpffs(dir))
			return 77;
		std::minstd_rand dice(2);
		const command c{{STACKPRINT, "--pin", dir}, nullptr};
		for (int i = 0; i < rounds(1000, 20); i++) {
			run_and_kill(c, dice() % 20000);
			const std::string next = STACKPRINT " --pin " + dir +
			    " -k $PPID > /dev/null";
			if (i % 5 == 4 && std::system(next.c_str()) != 0)
				return 1;
			if (i % 5 == 4)
				for (const auto &e :
				    fs::directory_iterator(dir))
					if (e.path().filename().native()
					    .starts_with("stack9-"))
						fs::remove(e.path());
		}
		return 0;
	}) == 0);
}
