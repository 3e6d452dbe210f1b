// Tests stack9(3), FILES OF OTHER PROCESSES: the child that reads them ends, by
// others' hands or by a file, and another one goes on.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>

#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <require.h>
#include <stack9.h>

#include "child.h"
#include "lib/text.h"
#include "readers.h"
#include "reader/channel.h"
#include "os/own_user.h"
#include "reader/starts.h"

using boost::unit_test::description;
using api::child_named;
using api::status_of_child;
using lib::status_value;

namespace {

// How often one has ended, as stack9_stats() says.
std::uint64_t
ends()
{
	std::uint64_t n = 0;
	stack9_stats([](void *to, const char *name, std::uint64_t count,
	    const char *) {
		if (std::strcmp(name, "left-out-readers") == 0)
			*static_cast<std::uint64_t *>(to) = count;
		return 0;
	}, &n);
	return n;
}

struct scene {
	scene()
	{
		BOOST_TEST_REQUIRE(stack9_read_apart(0) == 0);
		other.wait_for_sleep();
		BOOST_TEST(is_whole());
		reader = child_named("stack9-reader");
		BOOST_TEST_REQUIRE(reader > 0);
	}

	bool
	is_whole()
	{
		const stack9_thread td = other.thread();
		stack9_sample *s = nullptr;
		const int error = stack9_save(&td, STACK9_USER, nullptr, &s);
		const api::sample owned(s);
		why = s != nullptr ? s->user->reason : "";
		return error == 0 && s->user->depth > 2 &&
		    api::has(api::names_of(s->user), "read");
	}

	// Sends a signal that ends it, and waits until it has.
	void
	end_by(int signal) const
	{
		siginfo_t info;
		kill(reader, signal);
		BOOST_TEST(waitid(P_PID, static_cast<id_t>(reader), &info,
		    WEXITED | WNOWAIT) == 0);
	}

	const api::child other{api::child_waits};
	pid_t		reader = 0;
	std::string	why;
};

} // namespace

BOOST_AUTO_TEST_SUITE(reader_ends, *needs("ptrace"))

BOOST_FIXTURE_TEST_CASE(by_a_signal, scene,
    *description("FILES OF OTHER PROCESSES: If the child ends, another one is "
    "started for the next question."))
{
	for (const int signal : {SIGKILL, SIGSEGV}) {
		const std::uint64_t before = ends();
		end_by(signal);
		BOOST_TEST(is_whole(), why);
		BOOST_TEST(ends() == before + 1);
		BOOST_TEST(child_named("stack9-reader") != reader);
		reader = child_named("stack9-reader");
	}
}

BOOST_FIXTURE_TEST_CASE(by_a_stop, scene,
    *description("FILES OF OTHER PROCESSES: A child that somebody has stopped "
    "is ended within two seconds, and another one goes on."))
{
	using namespace std::chrono;
	siginfo_t info;
	kill(reader, SIGSTOP);
	BOOST_TEST(waitid(P_PID, static_cast<id_t>(reader), &info, WSTOPPED |
	    WNOWAIT) == 0);
	const auto begun = steady_clock::now();
	BOOST_TEST(is_whole(), why);
	BOOST_TEST((steady_clock::now() - begun < seconds(20)));
	BOOST_TEST(kill(reader, 0) == -1);
}

BOOST_AUTO_TEST_CASE(by_a_stop_while_it_works,
    *description("a wait for a stopped child ends after a second of it"))
{
	using namespace stack9::sandbox;
	int ends[2];
	BOOST_TEST_REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		raise(SIGSTOP);
		_exit(0);
	}
	channel c{stack9::unique_fd(ends[0])};
	const stack9::unique_fd kept(ends[1]);
	message m;
	stack9::unique_fd none;
	c.watch(pid);
	c.limit(60'000'000'000);
	BOOST_TEST(!c.receive(m, none, answer_max));
	BOOST_TEST(c.is_stopped());
	BOOST_TEST(!c.is_over());
	kill(pid, SIGKILL);
	status_of_child(pid);
}

BOOST_FIXTURE_TEST_CASE(not_by_others, scene, *needs("root") *
    description("FILES OF OTHER PROCESSES: The child of a root program is a "
    "user that no other process is, so that nobody else can signal it."))
{
	const std::string uids = status_value(reader, "Uid");
	BOOST_TEST(uids[0] != '0');
	BOOST_TEST(status_value(reader, "Groups").find_first_not_of(" ") ==
	    std::string::npos);
	for (const auto &each : std::filesystem::directory_iterator("/proc")) {
		const std::string name = each.path().filename();
		if (name.find_first_not_of("0123456789") != name.npos)
			continue;
		const pid_t pid = std::stoi(name);
		if (pid != reader && pid != child_named("stack9-starter"))
			BOOST_TEST(status_value(pid, "Uid") != uids);
	}
	const pid_t nobody = fork();
	if (nobody == 0)
		_exit(setresuid(65534, 65534, 65534) == 0 &&
		    kill(reader, SIGKILL) == -1 && errno == EPERM ? 0 : 1);
	BOOST_TEST(status_of_child(nobody) == 0);
}

BOOST_AUTO_TEST_CASE(an_id_that_is_in_use, *needs("root") *
    description("the kernel says whether another process is that user"))
{
	constexpr id_t id = 0x7abcdef1;
	int there[2];
	BOOST_TEST_REQUIRE(pipe(there) == 0);
	const auto tries = [] {
		const pid_t pid = fork();
		if (pid == 0)
			_exit(stack9::become_user_if_free(id) ?
			    getuid() == id : getuid() == 0 ? 2 : 3);
		return status_of_child(pid);
	};
	BOOST_TEST(tries() == 1);
	const pid_t holder = fork();
	if (holder == 0) {
		char c = 'x';
		close(there[0]);
		if (setresuid(id, id, id) != 0 || write(there[1], &c, 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(there[1]);
	char c;
	BOOST_TEST(read(there[0], &c, 1) == 1);
	close(there[0]);
	BOOST_TEST(tries() == 2);
	kill(holder, SIGKILL);
	status_of_child(holder);
	BOOST_TEST(tries() == 1);
}

BOOST_AUTO_TEST_CASE(a_namespace_without_such_users, *needs("root") *
    description("a process that cannot become another user stays root"))
{
	const pid_t pid = fork();
	if (pid == 0) {
		if (unshare(CLONE_NEWUSER) != 0)
			_exit(77);
		std::ofstream("/proc/self/uid_map") << "0 0 1\n";
		std::ofstream("/proc/self/gid_map") << "0 0 1\n";
		_exit(!stack9::become_user_of_its_own() &&
		    getuid() == 0 ? 0 : 1);
	}
	const int status = status_of_child(pid);
	BOOST_TEST((status == 0 || status == 77));
}

BOOST_AUTO_TEST_CASE(a_process_is_avoided,
    *description("FILES OF OTHER PROCESSES: It is not asked again for ten "
    "minutes about the process whose files crashed it."))
{
	using stack9::sandbox::starts;
	starts s;
	BOOST_TEST(!s.avoids(7, 1));
	s.avoid(7, 1000);
	BOOST_TEST(s.avoids(7, 1000 + 9 * starts::minute));
	BOOST_TEST(!s.avoids(8, 1000));
	BOOST_TEST(!s.avoids(7, 1000 + 10 * starts::minute));
	for (unsigned int i = 0; i < starts::most; i++)
		BOOST_TEST(s.take(starts::minute * 100));
	BOOST_TEST(!s.take(starts::minute * 101 - 1));
	BOOST_TEST(s.take(starts::minute * 101));
	BOOST_TEST(!s.take(starts::minute * 101));
	BOOST_TEST(s.take(starts::minute * 103));
	BOOST_TEST(s.take(starts::minute * 103));
	BOOST_TEST(!s.take(starts::minute * 103));
}

// The last one: no reader is left.
BOOST_FIXTURE_TEST_CASE(too_often, scene,
    *description("FILES OF OTHER PROCESSES: Eight may end within a minute, and "
    "one in each minute that follows."))
{
	std::uint64_t n = ends();
	for (; n < 20; n++) {
		end_by(SIGKILL);
		if (!is_whole())
			break;
		reader = child_named("stack9-reader");
	}
	BOOST_TEST(n == 8u);
	BOOST_TEST(why == "the process that reads files has ended too often: "
	    "it is started again in a minute");
}

BOOST_AUTO_TEST_SUITE_END()
