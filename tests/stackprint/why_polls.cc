// Tests stackprint --why of processes that poll descriptors of which others
// have the other ends.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "child.h"
#include "company.h"
#include "require.h"

using boost::unit_test::description;

namespace {

// The first polls a pipe of the second.  This one selects a socket of the
// third.  The third has an epoll of a pipe of the fourth, and the fourth
// sleeps.
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
	// The names are those of the first pass: before, the test's own.
	const std::string out = until(line_of(6, all.pids[0], "poll: "),
	    {"--why", "-k", "-p", all.list()});
	BOOST_TEST(has(out, root), out);
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

BOOST_AUTO_TEST_CASE(polls_that_any_may_wake, *needs("bpf") * description(
    "--why: A thread that any of several processes may wake waits for none of "
    "them: its line says may be woken by any of ."))
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
	const std::string out = until(fmt::format("; may be woken by any of "
	    "pid {} (s9why), pid {} (s9why)\n", all.pids[0], all.pids[1]),
	    {"--why", "-k", "-p", fmt::format("{},{}", all.pids[0],
	    all.pids[2])});
	BOOST_TEST(times(out, "root: ") == 0u, out);
}

// One polls a pipe of each of two others, of which the first reads a pipe of
// the last: the one edge is not of the process that is asked for.
BOOST_AUTO_TEST_CASE(only_others_wait_for_another, *needs("bpf") * description(
    "--why: So are those of the threads that were asked for, where only others "
    "are known to wait for one another."))
{
	int named[2], other[2], last[2];
	(void)!pipe(named);
	(void)!pipe(other);
	(void)!pipe(last);
	const auto keep = [&](std::vector<int> kept) {
		for (const int *const pair : {named, other, last})
			for (int i = 0; i < 2; i++)
				if (std::find(kept.begin(), kept.end(),
				    pair[i]) == kept.end())
					close(pair[i]);
	};
	company all;
	all.add([&] {
		char byte;
		keep({named[1], last[0]});
		(void)!read(last[0], &byte, 1);
	});
	all.add([&] { keep({other[1]}); });
	all.add([&] { keep({last[1]}); });
	all.add([&] {
		keep({named[0], other[0]});
		pollfd p[2] = {{named[0], POLLIN, 0}, {other[0], POLLIN, 0}};
		poll(p, 2, -1);
	});
	keep({});
	const std::string out = until("root: 1 thread waits for it", {"--why",
	    "-k", "-p", std::to_string(all.pids[3])});
	BOOST_TEST(out.starts_with(fmt::format("no thread that was asked for "
	    "is known to wait for another one\n  s9why  pid {0}  tid {0}  "
	    "waits for poll", all.pids[3])), out);
	BOOST_TEST(has(out, line_of(2, all.pids[0], "pipe ")), out);
}

// A thread polls a pipe that only its own process has, and a socket that
// listens beside the pipe of another process.
BOOST_AUTO_TEST_CASE(polls_of_own_ends, *needs("bpf") * description(
    "--why: A thread that any of several processes may wake waits for none of "
    "them: its line says may be woken by any of ."))
{
	int foreign[2];
	(void)!pipe(foreign);
	company all;
	all.add([&] { close(foreign[0]); });
	all.add([&] {
		int own[2];
		(void)!pipe(own);
		close(foreign[1]);
		std::thread([&] {
			pollfd p[2] = {{own[0], POLLIN, 0},
			    {foreign[0], POLLIN, 0}};
			poll(p, 2, -1);
		}).detach();
		pollfd p{own[0], POLLIN, 0};
		poll(&p, 1, -1);
	});
	close(foreign[0]);
	close(foreign[1]);
	const std::string out = until(fmt::format("; may be woken by any of "
	    "pid {} (s9why), and others\n", all.pids[0]), {"--why", "-k",
	    "-p", all.list()});
	BOOST_TEST(times(out, "root: ") == 0u, out);
	BOOST_TEST(has(out, "another thread of its own process may wake it"),
	    out);
}

} // namespace
