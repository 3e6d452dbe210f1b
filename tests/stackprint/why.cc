// stackprint --why and --waits of processes that know who waits for whom.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <csignal>
#include <functional>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "child.h"
#include "require.h"

using boost::unit_test::description;

namespace {

// Processes that are killed and reaped when it goes.
class company {
public:
	company() = default;
	company(const company &) = delete;
	~company()
	{
		for (const pid_t pid : pids)
			kill(pid, SIGKILL);
		for (const pid_t pid : pids)
			waitpid(pid, nullptr, 0);
	}
	void
	add(const std::function<void()> &play)
	{
		pids.push_back(fork());
		if (pids.back() != 0)
			return;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, "s9why");
		play();
		for (;;)
			pause();
	}
	std::string
	list() const
	{
		return fmt::format("{}", fmt::join(pids, ","));
	}

	std::vector<pid_t>	pids;
};

// Threads fall asleep when they like, so the program is run until it has said
// what is awaited.
std::string
until(const std::string &text, const std::vector<std::string> &args)
{
	std::vector<std::string> command{STACKPRINT};
	command.insert(command.end(), args.begin(), args.end());
	said s;
	for (int i = 0; i < 200 && !has(s.out, text); i++)
		s = run(command);
	BOOST_TEST(has(s.out, text), text << " is not in\n" << s.out);
	return s.out;
}

// The first polls a pipe of the second, which selects a socket of the third,
// which has an epoll of a pipe of the fourth, which sleeps.
class polling : public company {
public:
	polling()
	{
		(void)!pipe(first_);
		(void)!pipe(last_);
		(void)!socketpair(AF_UNIX, SOCK_STREAM, 0, middle_);
		play({first_[0]}, [this] {
			pollfd p{first_[0], POLLIN, 0};
			poll(&p, 1, -1);
		});
		play({first_[1], middle_[0]}, [this] {
			fd_set set;
			FD_ZERO(&set);
			FD_SET(middle_[0], &set);
			select(middle_[0] + 1, &set, nullptr, nullptr,
			    nullptr);
		});
		play({middle_[1], last_[0]}, [this] {
			const int ep = epoll_create1(0);
			epoll_event e{EPOLLIN, {}};
			epoll_ctl(ep, EPOLL_CTL_ADD, last_[0], &e);
			epoll_wait(ep, &e, 1, -1);
		});
		play({last_[1]}, [] { });
		close_all_but({});
	}

private:
	void
	close_all_but(const std::vector<int> &kept)
	{
		for (const int *const pair : {first_, middle_, last_})
			for (int i = 0; i < 2; i++)
				if (std::find(kept.begin(), kept.end(),
				    pair[i]) == kept.end())
					close(pair[i]);
	}
	void
	play(const std::vector<int> &kept, const std::function<void()> &f)
	{
		add([&] {
			close_all_but(kept);
			f();
		});
	}

	int	first_[2], middle_[2], last_[2];
};

std::string
line_of(unsigned int indent, pid_t pid, const char *kind)
{
	return fmt::format("\n{:{}}s9why  pid {}  tid {}  waits for {}", "",
	    indent, pid, pid, kind);
}

BOOST_AUTO_TEST_CASE(polls_lead_to_their_root, *needs("bpf") *
    description("--why: Below each of them are the threads that wait for "
    "it."))
{
	const polling all;
	const std::string root = "root: 3 threads wait for it, directly or "
	    "not\ns9why  pid " + std::to_string(all.pids[3]);
	const std::string out = until(root, {"--why", "-k", "-p", all.list()});
	const auto third = out.find(line_of(2, all.pids[2], "epoll "));
	const auto second = out.find(line_of(4, all.pids[1], "poll: "));
	const auto first = out.find(line_of(6, all.pids[0], "poll: "));
	BOOST_TEST(third < second);
	BOOST_TEST(second < first);
	BOOST_TEST((first != out.npos), out);
	for (int i = 0; i < 3; i++)
		BOOST_TEST(has(out, fmt::format("; their other ends are open "
		    "in pid {} (s9why)", all.pids[i + 1])), out);
	BOOST_TEST(times(out, "root: ") == 1u);
	// Without --why the second one is not captured, and yet has its name.
	const said alone = run({STACKPRINT, "--waits", "-k", "-p",
	    std::to_string(all.pids[0])});
	BOOST_TEST(has(alone.out, fmt::format("are open in pid {} (s9why)",
	    all.pids[1])), alone.out);
}

BOOST_AUTO_TEST_CASE(polls_in_json, *needs("bpf") * description("--why: With "
    "--json there is an object a line for each thread that waits for another "
    "one or is waited for, with wait and waiters, the ids of the threads that "
    "wait for it;"))
{
	const polling all;
	until("root: 3 threads", {"--why", "-k", "-p", all.list()});
	std::istringstream in(until("waiters", {"--why", "--json", "-k", "-p",
	    all.list()}));
	std::size_t objects = 0;
	for (std::string line; std::getline(in, line);) {
		const auto o = nlohmann::json::parse(line);
		if (!o.contains("waiters"))
			continue;
		const auto i = static_cast<std::size_t>(std::find(
		    all.pids.begin(), all.pids.end(), o["tid"]) -
		    all.pids.begin());
		BOOST_REQUIRE(i < 4u);
		BOOST_TEST((o["waiters"] == (i == 0 ? nlohmann::json::array() :
		    nlohmann::json::array({all.pids[i - 1]}))));
		BOOST_TEST(o["wait"]["holders"].size() == (i == 3 ? 0u : 1u));
		objects++;
	}
	BOOST_TEST(objects == 4u);
}

BOOST_AUTO_TEST_CASE(polls_below_who_was_not_named, *needs("bpf") *
    description("--why: A thread that polls is shown once, below a holder that "
    "was not named on the command line if there is one."))
{
	int of_named[2], of_other[2];
	(void)!pipe(of_named);
	(void)!pipe(of_other);
	const auto keep = [&](int kept, int too) {
		for (const int fd : {of_named[0], of_named[1], of_other[0],
		    of_other[1]})
			if (fd != kept && fd != too)
				close(fd);
	};
	company all;
	all.add([&] { keep(of_named[1], -1); });
	all.add([&] { keep(of_other[1], -1); });
	all.add([&] {
		keep(of_named[0], of_other[0]);
		pollfd p[2] = {{of_named[0], POLLIN, 0},
		    {of_other[0], POLLIN, 0}};
		poll(p, 2, -1);
	});
	keep(-1, -1);
	const std::string out = until("root: 1 thread waits for it", {"--why",
	    "-k", "-p", fmt::format("{},{}", all.pids[0], all.pids[2])});
	BOOST_TEST(has(out, "\ns9why  pid " + std::to_string(all.pids[1])),
	    out);
	BOOST_TEST(times(out, "root: ") == 1u, out);
	BOOST_TEST(has(out, line_of(2, all.pids[2], "poll: ")), out);
}

// Two threads that wait for each other.
void
lock_up()
{
	static std::mutex one, two, both_have;
	one.lock();
	both_have.lock();
	std::thread([] {
		two.lock();
		both_have.unlock();
		one.lock();
	}).detach();
	both_have.lock();
	two.lock();
}

BOOST_AUTO_TEST_CASE(deadlocks_come_first, *needs("bpf") * description(
    "--why: Deadlocks come first, with the waits and both stacks of each "
    "member."))
{
	company all;
	all.add(lock_up);
	const std::string out = until("deadlock of 2 threads\n", {"--why",
	    "-p", all.list()});
	BOOST_TEST(out.starts_with("deadlock of 2 threads\n"));
	BOOST_TEST(times(out, "held by tid") >= 2u);
	BOOST_TEST(times(out, "  kernel  ") == 2u);
	BOOST_TEST(times(out, "  user    ") == 2u);
}

// An ordinary user sees his own waits, and learns once what is missing; the
// rights of a file would not help.
BOOST_AUTO_TEST_CASE(waits_of_ordinary_users, *needs("root"))
{
	const auto be_nobody = [] {
		if (setgid(65534) != 0 || setuid(65534) != 0)
			_exit(126);
		prctl(PR_SET_DUMPABLE, 1);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	};
	company all;
	all.add([&] {
		be_nobody();
		lock_up();
	});
	until("deadlock of 2 threads\n", {"--why", "-p", all.list()});
	for (const char *const view : {"--why", "--waits", "--stuck=0.1"}) {
		const said s = run({STACKPRINT, view, "-p", all.list()},
		    {.before_exec = be_nobody});
		BOOST_TEST(times(s.out, "held by tid") == 2u, s.out);
		BOOST_TEST(times(s.err, "kernel stacks need CAP_BPF") == 1u,
		    s.err);
		BOOST_TEST(!has(s.err, "setcap"), s.err);
	}
}

BOOST_AUTO_TEST_CASE(nobody_waits_for_another, *needs("bpf") * description(
    "--why: If no thread is known to wait for another one, the waits of up to "
    "ten threads are printed."))
{
	company all;
	for (int i = 0; i < 11; i++)
		all.add([] { });
	const std::string out = until("and 1 more thread", {"--why", "-k",
	    "-p", all.list()});
	BOOST_TEST(out.starts_with("no thread is known to wait for another "
	    "one\n"));
	BOOST_TEST(times(out, "  waits for signal") == 10u);
}

BOOST_AUTO_TEST_CASE(waits_have_their_times, *needs("bpf") * description(
    "OUTPUT: With --follow, --stuck and --waits the header says how long the "
    "thread has been on its CPU, has waited for one, or has been asleep or "
    "stopped, as for 1.2 s ."))
{
	company all;
	all.add([] { });
	const std::string out = until("  waits   for signal\n", {"--waits",
	    "-k", "-p", all.list()});
	const std::string header = out.substr(0, out.find('\n'));
	BOOST_TEST(has(header, ", for "), header);
}

} // namespace
