// Tests stackcount and stacksnoop of several processes, and of processes with
// their children.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "child.h"
#include "followed.h"
#include "require.h"

using boost::unit_test::description;

namespace {

[[noreturn]] void
call_again_and_again(const char *name)
{
	prctl(PR_SET_NAME, name);
	for (;;) {
		syscall(SYS_getppid);
		usleep(2000);
	}
}

pid_t
started(const std::function<void()> &play)
{
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		play();
		_exit(0);
	}
	return pid;
}

// Processes that call getppid(2); the last one has a child that does, too.
class callers {
public:
	callers()
	{
		for (const char *const name : {"s9caller1", "s9caller2",
		    "s9caller3"})
			pids.push_back(started([=] {
				call_again_and_again(name);
			}));
		(void)!pipe(orders_);
		pids.push_back(started([this] {
			char c;
			started([] { call_again_and_again("s9child1"); });
			(void)!read(orders_[0], &c, 1);
			started([] { call_again_and_again("s9child2"); });
			call_again_and_again("s9parent");
		}));
	}
	~callers()
	{
		for (const pid_t pid : pids)
			kill(pid, SIGKILL);
		for (const pid_t pid : pids)
			waitpid(pid, nullptr, 0);
		close(orders_[0]);
		close(orders_[1]);
	}
	callers(const callers &) = delete;

	void
	tell() const
	{
		(void)!write(orders_[1], "", 1);
	}

	std::vector<pid_t>	pids;

private:
	int	orders_[2] = {-1, -1};
};

std::string
several(const callers &all)
{
	return fmt::format("{},{}", all.pids[0], all.pids[1]);
}

} // namespace

BOOST_AUTO_TEST_SUITE(event_families, *needs("bpf"))

BOOST_AUTO_TEST_CASE(counted, *description(
    "Take events of this process only, or of each process of a list, as "
    "pgrep -d, prints it."))
{
	const callers all;
	const said s = run({STACKCOUNT, "-kP", "-p", several(all), "-c", "40",
	    "syscall:getppid"});
	BOOST_TEST(has(s.out, "s9caller1"), s.out << s.err);
	BOOST_TEST(has(s.out, "s9caller2"), s.out << s.err);
	BOOST_TEST(!has(s.out, "s9caller3"), s.out);
	BOOST_TEST(!has(s.out, "s9parent"), s.out);
	BOOST_TEST(s.status == 0);
}

BOOST_AUTO_TEST_CASE(shown, *description("-p may be given several times."))
{
	const callers all;
	const said s = run({STACKSNOOP, "-k", "-p", std::to_string(
	    all.pids[0]), "-p", std::to_string(all.pids[1]), "-D", "0.5",
	    "syscall:getppid"});
	BOOST_TEST(has(s.out, "s9caller1"), s.out << s.err);
	BOOST_TEST(has(s.out, "s9caller2"), s.out << s.err);
	BOOST_TEST(!has(s.out, "s9caller3"), s.out);
}

BOOST_AUTO_TEST_CASE(one_of_them_is_gone)
{
	const callers all;
	const said s = run({STACKCOUNT, "-kP", "-p", "4194303," +
	    std::to_string(all.pids[0]), "-c", "2", "syscall:getppid"});
	BOOST_TEST(has(s.err, "pid 4194303: no such process"), s.err);
	BOOST_TEST(has(s.out, "s9caller1"), s.out);
	const said none = run({STACKCOUNT, "-k", "-p", "4194302,4194303",
	    "syscall:getppid"});
	BOOST_TEST(times(none.err, "no such process") == 2u, none.err);
	BOOST_TEST(none.status == 2);
}

BOOST_AUTO_TEST_CASE(children, *description("--children: With -p: take events "
    "of the processes that these started too, and of those that they started "
    "in turn. Processes that begin later are looked for ten times a second, so "
    "that the first tenth of a second of such a one is not seen."))
{
	const callers all;
	running_program p({STACKCOUNT, "-kqP", "-i", "0.2", "--children", "-p",
	    std::to_string(all.pids[3]), "syscall:getppid"});
	const std::string first = p.until("s9child1");
	BOOST_TEST(first != "");
	BOOST_TEST(!has(first, "s9child2"), first);
	all.tell();
	BOOST_TEST(p.until("s9child2") != "");
	const std::string last = p.until("s9parent");
	BOOST_TEST(last != "");
	BOOST_TEST(!has(last, "s9caller"), last);
	p.interrupt();
	BOOST_TEST(p.end() == 0);
}

BOOST_AUTO_TEST_CASE(wrong_words)
{
	for (const std::vector<std::string> &words :
	    {std::vector<std::string>{"--children", "cpu-clock"},
	    {"-p", "1,2", "-t", "3", "cpu-clock"},
	    {"-p", "1", "--children", "-t", "3", "cpu-clock"}}) {
		std::vector<std::string> command{STACKCOUNT};
		command.insert(command.end(), words.begin(), words.end());
		BOOST_TEST(run(command).status == 64);
	}
}

BOOST_AUTO_TEST_SUITE_END()
