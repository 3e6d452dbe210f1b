// Compares /proc/kallsyms of the machine at hand with the kernel's own words.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <poll.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "core/seam/record.h"
#include "program.h"
#include "require.h"

using boost::unit_test::description;

namespace {

struct line {
	std::uintptr_t	address;
	std::string	name;
	bool		core;
};

// A parser of its own: what the table is held against.
const std::vector<line> &
lines()
{
	static const auto all = [] {
		std::vector<line> v;
		std::ifstream in("/proc/kallsyms");
		for (std::string s; std::getline(in, s);) {
			std::uintptr_t address;
			char name[1024], owner[256];
			const int n = sscanf(s.c_str(), "%" SCNxPTR
			    " %*c %1023s %255s", &address, name, owner);
			if (n >= 2 && address >> 63)
				v.push_back({address, name, n == 2});
		}
		return v;
	}();
	return all;
}

std::uintptr_t
address_of(const std::string &name)
{
	for (const line &l : lines())
		if (l.name == name)
			return l.address;
	return 0;
}

// A child that blocks in a way of its own, known to sleep.
class sleeper {
	pid_t pid;

public:
	explicit sleeper(const std::function<void()> &block)
	{
		pid = fork();
		if (pid == 0) {
			block();
			_exit(1);
		}
		std::string state;
		while (state != "S") {
			std::ifstream in(fmt::format("/proc/{}/stat", pid));
			std::string skip;
			in >> skip >> skip >> state;
		}
	}
	sleeper(const sleeper &) = delete;
	~sleeper()
	{
		kill(pid, SIGKILL);
		waitpid(pid, nullptr, 0);
	}
	std::vector<std::string>
	stack() const
	{
		std::vector<std::string> v;
		std::ifstream in(fmt::format("/proc/{}/stack", pid));
		for (std::string s; std::getline(in, s);)
			v.push_back(s.substr(s.find(' ') + 1));
		return v;
	}
};

std::string
as_kernel_prints(std::uintptr_t return_address)
{
	stack9::symbol_name s;
	if (stack9::kallsyms_find(return_address, true, s) != 0)
		return "??";
	return fmt::format("{}+{:#x}/{:#x}{}", s.name, s.offset, s.size,
	    s.module[0] ? fmt::format(" [{}]", s.module) : "");
}

// Returns how many frames agreed.
int
compare(const std::vector<std::string> &stack)
{
	int same = 0;
	for (const std::string &theirs : stack) {
		char name[512];
		std::uintptr_t offset;
		if (sscanf(theirs.c_str(), "%511[^+]+0x%" SCNxPTR, name,
		    &offset) != 2)
			continue;
		// The stack has no addresses, and several static functions may
		// have one name.
		std::string ours;
		for (const line &l : lines())
			if (l.name == name && ours != theirs)
				ours = as_kernel_prints(l.address + offset);
		BOOST_TEST(ours == theirs);
		same += ours == theirs;
	}
	return same;
}

std::uint64_t
bytes_read()
{
	std::ifstream in("/proc/self/io");
	std::string word;
	std::uint64_t n = 0;
	in >> word >> n;
	return n;
}

} // namespace

BOOST_AUTO_TEST_SUITE(kallsyms, *needs("root"))

BOOST_AUTO_TEST_CASE(names_and_sizes_are_the_kernels_own,
    *description("as the kernel prints them in /proc/PID/stack"))
{
	int fds[2];
	BOOST_REQUIRE(pipe(fds) == 0);
	char c;
	const std::function<void()> blocks[] = {
		[] { pause(); },
		[] { sleep(1000); },
		[&] { (void)!read(fds[0], &c, 1); },
		[] { poll(nullptr, 0, -1); },
		[] {
			epoll_event e;
			epoll_wait(epoll_create1(0), &e, 1, -1);
		},
		[] {
			sigset_t none;
			sigemptyset(&none);
			sigsuspend(&none);
		},
		[] {
			FILE *f = tmpfile();
			flock(fileno(f), LOCK_EX);
			const auto path =
			    fmt::format("/proc/self/fd/{}", fileno(f));
			FILE *again = fopen(path.c_str(), "r");
			flock(fileno(again), LOCK_EX);
		},
	};
	int same = 0;
	for (const auto &block : blocks)
		same += compare(sleeper(block).stack());
	BOOST_TEST(same >= 3 * static_cast<int>(std::size(blocks)));
}

BOOST_AUTO_TEST_CASE(every_text_address_has_its_first_name)
{
	const std::uintptr_t stext = address_of("_stext");
	const std::uintptr_t etext = address_of("_etext");
	BOOST_REQUIRE(stext != 0);
	std::map<std::uintptr_t, std::string> first;
	for (const line &l : lines())
		if (l.core && l.address >= stext && l.address < etext)
			first.emplace(l.address, l.name);
	BOOST_TEST(first.size() > 10000);
	std::size_t wrong = 0;
	for (auto i = first.begin(); i != first.end(); ++i) {
		const auto next = std::next(i);
		const std::uintptr_t end =
		    next != first.end() ? next->first : etext;
		stack9::symbol_name s;
		for (std::uintptr_t pc : {i->first, end - 1}) {
			const int error = stack9::kallsyms_find(pc, false, s);
			const bool good = error == 0 && s.name == i->second &&
			    s.offset == pc - i->first &&
			    s.size == end - i->first && s.module[0] == '\0';
			wrong += !good;
		}
	}
	BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(nowait_says_the_same,
    *description("the same from the table already read"))
{
	const std::uintptr_t pc = address_of("_stext") + 0x1234;
	const std::string name = text(stack9::kallsyms_find, pc);
	BOOST_TEST(stack9::kallsyms_loaded());
	BOOST_TEST(text(stack9::kallsyms_find_nowait, pc) == name);
	BOOST_TEST(text(stack9::kallsyms_find_nowait, 0) ==
	    fmt::format("errno {}", ENOENT));
}

BOOST_AUTO_TEST_CASE(a_pc_in_no_symbol_reads_it_again_at_most_once_a_second)
{
	const std::uintptr_t nowhere = address_of("_etext");
	BOOST_TEST(text(stack9::kallsyms_find, nowhere) ==
	    fmt::format("errno {}", ENOENT));
	const std::uint64_t before = bytes_read();
	timespec from, to;
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (int i = 0; i < 1000; i++)
		text(stack9::kallsyms_find, nowhere);
	clock_gettime(CLOCK_MONOTONIC, &to);
	const std::uint64_t seconds = to.tv_sec - from.tv_sec + 1;
	BOOST_TEST(bytes_read() - before < (seconds + 1) * lines().size() * 60);
}

BOOST_AUTO_TEST_CASE(before_it_is_read_nowait_says_eagain,
    *description("EAGAIN if there is none"))
{
	BOOST_TEST(probe("eagain") == "ok");
}

BOOST_AUTO_TEST_CASE(hidden_addresses_are_eperm_and_asked_for_again,
    *description("EPERM: hidden from this caller"))
{
	std::ifstream kptr("/proc/sys/kernel/kptr_restrict");
	std::ifstream perf("/proc/sys/kernel/perf_event_paranoid");
	int k = 0, p = 0;
	kptr >> k;
	perf >> p;
	if (k == 0 && p <= 1) {
		BOOST_TEST_MESSAGE("this machine hides no kernel address");
		BOOST_TEST(probe("hidden") == "0 0");
		return;
	}
	BOOST_TEST(probe("hidden") == fmt::format("{} 0", EPERM));
}

BOOST_AUTO_TEST_CASE(a_child_forked_while_another_thread_reads_can_find)
{
	BOOST_TEST(probe("fork-kallsyms") == "ok");
}

BOOST_AUTO_TEST_CASE(readers_are_right_while_it_is_read_again)
{
	BOOST_TEST(probe("reload") == "ok");
}

BOOST_AUTO_TEST_SUITE_END()
