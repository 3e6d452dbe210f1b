// Tests stackcount and stacksnoop of several processes, and of processes with
// their children.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <csignal>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include <sys/mman.h>
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

// have_begun: in memory that is shared with the test.
[[noreturn]] void
call_again_and_again(const char *name, std::atomic<int> &have_begun)
{
	prctl(PR_SET_NAME, name);
	syscall(SYS_getppid);
	for (have_begun++;; syscall(SYS_getppid))
		usleep(2000);
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

// Processes that call getppid(2); the last one has a child that does, too.  The
// child and the first three have begun to once this is made.
class callers {
public:
	callers()
	{
		void *const shared = mmap(nullptr, sizeof(std::atomic<int>),
		    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		BOOST_REQUIRE(shared != MAP_FAILED);
		have_begun_ = new (shared) std::atomic<int>(0);
		for (const char *const name : {"s9caller1", "s9caller2",
		    "s9caller3"})
			pids.push_back(started([this, name] {
				call_again_and_again(name, *have_begun_);
			}));
		(void)!pipe(orders_);
		pids.push_back(started([this] {
			char c;
			started([this] {
				call_again_and_again("s9child1", *have_begun_);
			});
			(void)!read(orders_[0], &c, 1);
			started([this] {
				call_again_and_again("s9child2", *have_begun_);
			});
			call_again_and_again("s9parent", *have_begun_);
		}));
		while (*have_begun_ < 4)
			usleep(1000);
	}
	~callers()
	{
		for (const pid_t pid : pids)
			kill(pid, SIGKILL);
		for (const pid_t pid : pids)
			waitpid(pid, nullptr, 0);
		close(orders_[0]);
		close(orders_[1]);
		munmap(have_begun_, sizeof *have_begun_);
	}
	callers(const callers &) = delete;

	void
	tell() const
	{
		(void)!write(orders_[1], "", 1);
	}

	std::vector<pid_t>	pids;

private:
	std::atomic<int>	*have_begun_;
	int			 orders_[2] = {-1, -1};
};

std::string
several(const callers &all)
{
	return fmt::format("{},{}", all.pids[0], all.pids[1]);
}

// Runs a program that sees the first two callers, and no other.  On a busy
// machine one of them may not call meanwhile: the program is run again then, a
// few times.  Another failure is not tried again.
said
run_until_both_call(const std::vector<std::string> &command)
{
	for (int tries = 20;;) {
		const said s = run(command);
		BOOST_TEST(!has(s.out, "s9caller3"), s.out);
		if ((has(s.out, "s9caller1") && has(s.out, "s9caller2")) ||
		    s.status != 0 || --tries == 0)
			return s;
	}
}

} // namespace

BOOST_AUTO_TEST_SUITE(event_families, *needs("bpf"))

BOOST_AUTO_TEST_CASE(counted, *description(
    "Take events of this process only, or of each process of a list, as "
    "pgrep -d, prints it."))
{
	const callers all;
	const said s = run_until_both_call({STACKCOUNT, "-kP", "-p",
	    several(all), "-c", "40", "syscall:getppid"});
	BOOST_TEST(has(s.out, "s9caller1"), s.out << s.err);
	BOOST_TEST(has(s.out, "s9caller2"), s.out << s.err);
	BOOST_TEST(!has(s.out, "s9caller3"), s.out);
	BOOST_TEST(!has(s.out, "s9parent"), s.out);
	BOOST_TEST(s.status == 0);
}

BOOST_AUTO_TEST_CASE(shown, *description("-p may be given several times."))
{
	const callers all;
	const said s = run_until_both_call({STACKSNOOP, "-k", "-p",
	    std::to_string(all.pids[0]), "-p", std::to_string(all.pids[1]),
	    "-D", "0.5", "syscall:getppid"});
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
