// Makes more events than find space while stackrecord is stopped, and counts
// those that its record has and those that it says were lost.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "lib/process.h"
#include "lib/text.h"
#include "made.h"
#include "require.h"

using boost::unit_test::description;

namespace {

// The events of a pipe of 8 MiB, many times.
constexpr unsigned long events = 400'000;

// A child that makes as many events as it is asked for.
class maker {
public:
	maker()
	{
		const lib::pipe_ends to = lib::make_pipe(),
		    from = lib::make_pipe();
		pid_ = fork();
		if (pid_ == 0) {
			lib::as_child();
			close(to.w);
			serve(to.r, from.w);
		}
		close(to.r);
		close(from.w);
		asked_ = to.w;
		done_ = from.r;
	}
	maker(const maker &) = delete;
	maker &operator=(const maker &) = delete;
	~maker()
	{
		lib::kill_and_reap(pid_);
		close(asked_);
		close(done_);
	}

	pid_t pid() const { return pid_; }

	// 's': all of them; 'o': one of another event.
	void
	make(char which) const
	{
		BOOST_REQUIRE(write(asked_, &which, 1) == 1);
		BOOST_REQUIRE(read(done_, &which, 1) == 1);
	}

private:
	[[noreturn]] static void
	serve(int asked, int done)
	{
		char which;
		while (read(asked, &which, 1) == 1) {
			for (unsigned long i = 0; which == 's' && i < events;
			    i++)
				getsid(0);
			if (which == 'o')
				getpgid(0);
			if (write(done, &which, 1) != 1)
				break;
		}
		_exit(0);
	}

	pid_t	pid_;
	int	asked_, done_;
};

unsigned long
lost_in(const std::string &text)
{
	return lib::number_before(text, "events lost");
}

nlohmann::json
report(const std::string &dir, const char *event)
{
	return nlohmann::json::parse(run({STACKREPORT, "-f", "json", "-e",
	    event, dir}).out, nullptr, false);
}

} // namespace

BOOST_AUTO_TEST_CASE(lost_events_are_told, *needs("root") * needs("bpf") *
    description("-e: Events that find no space between the kernel and "
    "stackrecord are counted as lost."))
{
	const made::directory dir;
	const maker of;
	const lib::pipe_ends told = lib::make_pipe();
	pid_t recorder = fork();
	if (recorder == 0)
		lib::become({STACKRECORD, "-F", "50", "-e", "syscall:getsid",
		    "-e", "syscall:getpgid", "-p", std::to_string(of.pid()),
		    "--record", dir.path()}, -1, -1, told.w);
	close(told.w);
	// The event that is watched last is recorded, so both are watched.
	do
		of.make('o');
	while (report(dir.path(), "syscall:getpgid").is_discarded());
	kill(recorder, SIGSTOP);
	int status;
	BOOST_REQUIRE(waitpid(recorder, &status, WUNTRACED) == recorder);
	of.make('s');
	// No event comes after those that are lost.
	kill(recorder, SIGINT);
	kill(recorder, SIGCONT);
	const std::string said = lib::read_all(told.r);
	close(told.r);
	BOOST_TEST(waitpid(recorder, &status, 0) == recorder);
	BOOST_TEST(lib::exit_of(status) == 0, said);
	const nlohmann::json seen = report(dir.path(), "syscall:getsid");
	BOOST_REQUIRE(!seen.is_discarded());
	const unsigned long kept = seen["total"]["events"].get<unsigned long>(),
	    lost = lost_in(seen["note"].get<std::string>());
	BOOST_TEST(kept > 0U);
	BOOST_TEST(lost > 0U);
	BOOST_TEST(kept + lost == events);
	BOOST_TEST(lost_in(said) == lost, said);
	const std::string text = run({STACKREPORT, "-e", "syscall:getsid",
	    dir.path()}).out;
	BOOST_TEST(lost_in(text) == lost, text);
}
