// Tests that records have the functions that programs in other languages say,
// for events that these count, although the programs have ended.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"
#include "lib/programs.h"
#include "lib/scratch.h"
#include "lib/text.h"
#include "require.h"

#include "check.h"
#include "counted_program.h"
#include "watched.h"

BOOST_AUTO_TEST_SUITE(languages_events_recorded)

namespace {

using boost::unit_test::description;
using words = std::vector<std::string>;

// A program of this test's, and the runtime that it needs.
struct written_in {
	const char	*language, *runtime, *source;
	const char	*event = "syscall:getsid";
	const char	*of = "|in_thread|";	// in all stacks of a run
};

constexpr written_in programs[] = {
	{"python", "/usr/bin/python3", COUNTED},
	{"php", "/usr/bin/php", COUNTED_PHP},
	{"ruby", "/usr/bin/ruby", COUNTED_RUBY},
	{"perl", "/usr/bin/perl", COUNTED_PERL},
	{"lua", "/usr/bin/lua5.3", COUNTED_LUA, "syscall:clock_gettime",
	    "|all_kinds|"},
	{"lua", "/usr/bin/lua5.4", COUNTED_LUA, "syscall:clock_gettime",
	    "|all_kinds|"},
};

// Records the events of a process until it is ended.
class recorder {
public:
	recorder(const std::string &dir, pid_t pid, const std::string &event,
	    const words &more)
	{
		words command{STACKRECORD, "-u", "-F", "20", "-e", event, "-p",
		    std::to_string(pid), "--record", dir};
		command.insert(command.end(), more.begin(), more.end());
		const lib::pipe_ends told = lib::make_pipe();
		pid_ = fork();
		if (pid_ == 0)
			lib::become(command, -1, -1, told.w);
		close(told.w);
		errors_ = told.r;
	}
	recorder(const recorder &) = delete;
	recorder &operator=(const recorder &) = delete;
	~recorder()
	{
		lib::kill_and_reap(pid_);
		close(errors_);
	}

	// Interrupts it, and gives what it says at the end.
	std::string
	end()
	{
		std::string text;
		char bytes[512];
		ssize_t n;
		kill(pid_, SIGINT);
		while ((n = read(errors_, bytes, sizeof bytes)) > 0)
			text.append(bytes, static_cast<std::size_t>(n));
		return text;
	}

private:
	pid_t	pid_ = -1;
	int	errors_ = -1;
};

nlohmann::json
report(const std::string &dir, const std::string &event)
{
	const std::string text = lib::output_of(std::string(STACKREPORT) +
	    " -f json -e " + event + " " + dir + " 2>/dev/null");
	return nlohmann::json::parse(text, nullptr, false);
}

std::string
text_of(const nlohmann::json &frame, const char *member)
{
	const auto at = frame.find(member);
	return at == frame.end() ? "" : at->is_string() ?
	    at->get<std::string>() : at->dump();
}

// The stacks of the functions of a language, as the programs say theirs.
stack_counts
recorded(const std::string &dir, const written_in &of)
{
	stack_counts all;
	const nlohmann::json r = report(dir, of.event);
	if (r.is_discarded())
		return all;
	for (const auto &stack : r["stacks"]) {
		std::string line;
		for (auto n = stack["frames"].rbegin();
		    n != stack["frames"].rend(); ++n) {
			const auto &f = r["frames"][n->get<std::size_t>()];
			if (text_of(f, "language") != of.language)
				continue;
			const std::string number = text_of(f, "line");
			line += (line.empty() ? "" : "|") +
			    text_of(f, "name") + "|" + text_of(f, "file") +
			    "|" + (number.empty() ? "0" : number);
		}
		all[line] += stack["events"].get<std::uint64_t>();
	}
	return all;
}

// A record that is being written has a function once the kernel reports them.
void
warm(counted_program &p, const std::string &dir, const written_in &of)
{
	using clock = std::chrono::steady_clock;
	for (const auto end = clock::now() + std::chrono::minutes(1);
	    clock::now() < end;) {
		p.ask("warm");
		for (const auto &[stack, n] : recorded(dir, of))
			if (!stack.empty())
				return;
	}
	BOOST_FAIL("no event that is recorded has functions");
}

// On a busy machine some find no space, and then it is known how many.
void
check_less(const stack_counts &said, const stack_counts &seen,
    std::uint64_t lost)
{
	std::uint64_t events = 0;
	for (const auto &[stack, n] : seen) {
		const auto at = said.find(stack);
		if (at == said.end() && stack.find("|?|") == stack.npos)
			continue;
		BOOST_TEST((at == said.end() || n <= at->second), n << " of " <<
		    stack);
		events += n;
	}
	BOOST_TEST(events + lost >= events_of(said));
}

void
check_record(const written_in &of, const words &more)
{
	const lib::scratch dir;
	stack_counts said;
	std::string last;
	{
		counted_program p({of.runtime, of.source});
		recorder r(dir.path(), p.pid(), of.event, more);
		warm(p, dir.path(), of);
		said = p.counts("run 100");
		last = r.end();
	}
	// The program is gone: names are of the time of the events.  A closure
	// of PHP that is gone before the reader meets it has none, but its
	// calls are counted.
	const stack_counts seen = recorded(dir.path(), of);
	if (const auto lost = lib::number_before(last, "events lost");
	    lost != 0)
		check_less(said, seen, lost);
	else if (of.source == std::string_view(COUNTED_PHP))
		check_gone(said, seen, "|all_kinds|", events_of(said));
	else
		check_equal(said, seen, of.of);
	BOOST_TEST(said.size() > 10u);
	BOOST_TEST(last.find("lacking language frames") != last.npos, last);
}

} // namespace

BOOST_AUTO_TEST_CASE(records_have_the_functions_of_events, *needs("root") *
    needs("bpf") * description("--name-later: The functions that a runtime of "
    "a language names are named at once, too."))
{
	for (const written_in &of : programs)
		for (const words &more : {words{}, words{"--name-later"}})
			if (access(of.runtime, X_OK) == 0)
				BOOST_TEST_CONTEXT(of.language << " " <<
				    more.size())
					check_record(of, more);
}

BOOST_AUTO_TEST_CASE(a_program_that_has_ended_has_its_functions, *needs("bpf") *
    description("DESCRIPTION: Their names are read when they are met first, "
    "from the process itself."))
{
	for (const written_in &of : programs) {
		if (access(of.runtime, X_OK) != 0)
			continue;
		std::optional<counted_program> p(std::in_place,
		    std::vector<std::string>{of.runtime, of.source});
		watched w(of.event, p->pid(), of.language);
		w.warm(*p, "warm");
		const stack_counts said = w.run(*p, "run 100");
		w.stop();
		p.reset();
		BOOST_TEST_CONTEXT(of.language)
			check_equal(said, w.count(), of.of);
	}
}

// A round has fifty.  The programs know the process when these are read.
BOOST_AUTO_TEST_CASE(a_few_events_have_functions, *needs("bpf") * description(
    "DESCRIPTION: a limit of 64 events at most, unless their process is "
    "named"))
{
	for (const written_in &of : programs) {
		if (access(of.runtime, X_OK) != 0)
			continue;
		counted_program p({of.runtime, of.source});
		p.ask("warm");
		watched w(of.event, p.pid(), of.language, "", 0, 64);
		p.ask("warm");
		while (events_of(w.count()) < 50)
			continue;
		p.ask("warm");
		stack_counts named = w.count();
		named.erase("");
		BOOST_TEST(w.tally().events == 64u, of.language);
		BOOST_TEST(events_of(named) > 0u, of.language);
	}
}

BOOST_AUTO_TEST_SUITE_END()
