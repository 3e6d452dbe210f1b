// Runs stackcount and stacksnoop as people do, on programs that know what they
// did.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "paths.h"
#include "programs/tree.h"
#include "running.h"

BOOST_AUTO_TEST_SUITE(watch_programs)

namespace {

using boost::unit_test::description;
using words = std::vector<std::string>;

constexpr unsigned many = 64000;

// A line of folded stacks, counted by its way if it has one.
void
add_line(const std::string &line, std::map<unsigned, std::uint64_t> &all,
    std::uint64_t &others)
{
	const auto blank = line.rfind(' ');
	const std::uint64_t n = std::stoull(line.substr(blank + 1));
	std::istringstream frames(line.substr(0, blank));
	unsigned way = 0, level = 0;
	for (std::string f; std::getline(frames, f, ';');)
		if (f == "a" || f == "b")
			way |= static_cast<unsigned>(f == "b") << level++;
	if (level == tree_levels)
		all[way] += n;
	else
		others += n;
}

// The ways whose counts differ from the truth.
std::size_t
wrong_in(const std::string &folded, unsigned paths)
{
	std::map<unsigned, std::uint64_t> all;
	std::uint64_t others = 0;
	std::istringstream lines(folded);
	for (std::string line; std::getline(lines, line);)
		if (line.find(';') != line.npos)
			add_line(line, all, others);
	std::size_t wrong = others;
	for (unsigned way = 0; way < paths; way++)
		wrong += all[way] != tree_truth(way);
	return wrong;
}

// Reads the number before a word: "12 kept".
std::uint64_t
number_of(const std::string &text, const std::string &word)
{
	const auto at = text.find(" " + word);
	if (at == text.npos)
		return 0;
	auto begin = at;
	while (begin > 0 && std::isdigit(text[begin - 1]))
		begin--;
	return begin == at ? 0 : std::stoull(text.substr(begin, at - begin));
}

// Starts one that watches this program; the program begins when it does.  A
// program that nobody watches would wait.
struct watched {
	watched(words command, staged &p) : program(command)
	{
		BOOST_TEST_REQUIRE(program.says("Ctrl-C ends"), program.err);
		p.go();
		p.truth();
	}
	int
	end()
	{
		program.interrupt();
		return program.end();
	}

	running	program;
};

words
counting(const staged &p, const words &more)
{
	words all{STACKCOUNT, "-p", std::to_string(p.pid()), "-u"};
	all.insert(all.end(), more.begin(), more.end());
	all.push_back("syscall:getppid");
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_count_is_true, *needs("bpf")
    * description("stackcount: nothing is lost and nothing merged"))
{
	staged tree("tree", {std::to_string(many)});
	watched w(counting(tree, {"--fp", "-f", "folded"}), tree);
	BOOST_TEST(w.end() == 0, w.program.err);
	BOOST_TEST(wrong_in(w.program.out, many) == 0u);
	BOOST_TEST(number_of(w.program.err, "kept") == events_of(many));
	BOOST_TEST(number_of(w.program.err, "stacks,") +
	    number_of(w.program.err, "stacks\n") == many);
}

BOOST_AUTO_TEST_CASE(without_frame_pointers, *needs("bpf")
    * description("stackcount: user stacks without frame pointers"))
{
	staged tree("tree_lean", {"1000"});
	// There is room for copies of all stacks, even if the reader is late.
	watched w(counting(tree, {"--ring", "128M", "-f", "folded"}), tree);
	BOOST_TEST(w.end() == 0, w.program.err);
	BOOST_TEST(wrong_in(w.program.out, 1000) == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_not_kept_is_reported, *needs("bpf")
    * description("stackcount: --stacks, --ring; N events were not kept, for "
    "there was no room"))
{
	staged tree("tree", {std::to_string(many)});
	watched w(counting(tree, {"--fp", "--stacks", "100", "--ring", "4096",
	    "-f", "folded"}), tree);
	const int status = w.end();
	const std::uint64_t kept = number_of(w.program.err, "kept"),
	    lost = number_of(w.program.err, "without room"),
	    nested = number_of(w.program.err, "nested");
	BOOST_TEST(number_of(w.program.err, "events:") == events_of(many));
	BOOST_TEST(kept + lost + nested == events_of(many), w.program.err);
	BOOST_TEST(status == (lost == 0 ? 0 : 1));
}

BOOST_AUTO_TEST_CASE(a_command_is_watched_from_its_beginning, *needs("bpf")
    * description("stackcount: -- COMMAND; -c: so many events"))
{
	char file[] = "/tmp/stack9XXXXXX";
	close(mkstemp(file));
	running all({STACKCOUNT, "--fp", "-u", "-f", "json", "-o", file, "-q",
	    "syscall:getppid", "--", staged::path("deep"), "3", "500"});
	BOOST_TEST(all.end() == 0, all.err);
	BOOST_TEST(all.out == "ready \ndone 500\n");
	std::ifstream in(file);
	const auto j = nlohmann::json::parse(in, nullptr, false);
	unlink(file);
	BOOST_REQUIRE(!j.is_discarded());
	BOOST_TEST(j["total"]["events"] == 500);
	running some({STACKCOUNT, "--fp", "-u", "-c", "123", "-f", "folded",
	    "syscall:getppid", "--", staged::path("deep"), "3", "500"});
	some.end();
	BOOST_TEST(number_of(some.err, "events:") == 123u, some.err);
	BOOST_TEST(number_of(some.err, "kept") == 123u, some.err);
}

BOOST_AUTO_TEST_CASE(time_off_the_cpu, *needs("bpf") * watchable("offcpu")
    * description("stackcount offcpu: stacks weighted by microseconds "
    "blocked"))
{
	double worst = 1;
	// Again, if the machine took the CPU away beside a sleep.
	for (int tries = 3; worst >= 0.02 && tries > 0; tries--) {
		staged naps("naps", {"100"});
		watched w({STACKCOUNT, "-p", std::to_string(naps.pid()), "-u",
		    "--fp", "-f", "folded", "offcpu"}, naps);
		// 1: a stack is cut.  Where a function of the C library waits
		// that keeps something else in rbp, --fp may go round.
		const int status = w.end();
		BOOST_TEST(status <= 1, w.program.err + w.program.out);
		std::map<std::string, double> us;
		std::istringstream lines(w.program.out);
		for (std::string line; std::getline(lines, line);)
			for (const char *place : {"doze", "nap", "rest"})
				if (line.find(std::string(";") + place + ";") !=
				    line.npos)
					us[place] += std::stod(line.substr(
					    line.rfind(' ')));
		std::size_t i = 0;
		worst = 0;
		for (const char *place : {"doze", "nap", "rest"})
			worst = std::max(worst, std::abs(us[place] * 1e3 /
			    static_cast<double>(naps.truth()[2 * i++]) - 1));
	}
	BOOST_TEST(worst < 0.02);
}

namespace {

std::uint64_t
lost_in(const std::string &text)
{
	std::uint64_t sum = 0;
	for (auto at = text.find('['); at != text.npos;
	     at = text.find('[', at + 1)) {
		const std::string rest = text.substr(at + 1, 40);
		const auto events = rest.find(" event");
		if (std::isdigit(rest[0]) && events != rest.npos &&
		    rest.find("lost here") != rest.npos)
			sum += std::stoull(rest);
	}
	return sum;
}

std::uint64_t
reported_in(const std::string &text)
{
	std::uint64_t n = 0;
	for (auto at = text.find("syscall:getppid\n"); at != text.npos;
	     at = text.find("syscall:getppid\n", at + 1))
		n++;
	return n;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_event_as_it_happens, *needs("bpf")
    * description("stacksnoop: a stack per event: time, comm, pid/tid, CPU, "
    "stack"))
{
	running r({STACKSNOOP, "-u", "--fp", "syscall:getppid", "--",
	    staged::path("deep"), "3", "200"});
	BOOST_TEST(r.end() == 0, r.err);
	BOOST_TEST(reported_in(r.out) == 200u, r.out.substr(0, 500));
	BOOST_TEST(r.out.find("TIME(s)") != r.out.npos);
	BOOST_TEST(r.out.find(" deep ") != r.out.npos);
	BOOST_TEST(r.out.find("descend") != r.out.npos);
}

BOOST_AUTO_TEST_CASE(a_reader_that_stops, *needs("bpf")
    * description("stacksnoop: what was lost is counted in the stream; it "
    "survives a reader that is slow or stops"))
{
	staged tree("tree", {"20000"});
	watched w({STACKSNOOP, "-u", "--fp", "--ring", "65536", "-p",
	    std::to_string(tree.pid()), "syscall:getppid"}, tree);
	BOOST_TEST(w.end() == 1, w.program.err);	// no reader until now
	const std::uint64_t told = reported_in(w.program.out),
	    lost = lost_in(w.program.out);
	BOOST_TEST(told > 0u);
	BOOST_TEST(lost > 0u);
	const std::string &said = w.program.out;	// the last line
	BOOST_TEST(number_of(said, "events:") == events_of(20000));
	BOOST_TEST(number_of(said, "kept") == told);
	BOOST_TEST(lost <= number_of(said, "without room"));
	BOOST_TEST(told + number_of(said, "without room") +
	    number_of(said, "nested") == events_of(20000));
}

BOOST_AUTO_TEST_CASE(what_there_is_not, *needs("bpf")
    * description("EXIT STATUS: no such event; a sentence with what helps"))
{
	for (const char *program : {STACKCOUNT, STACKSNOOP}) {
		running r({program, "t:sched:sched_swich"});
		BOOST_TEST(r.end() > 1);
		BOOST_TEST(r.err.find("sched_switch") != r.err.npos, r.err);
	}
}

// The stacks are unwound when they are collected.
BOOST_AUTO_TEST_CASE(stacks_that_are_cut_are_reported, *needs("bpf") * copied()
    * description("OUTPUT: truncated: events that were kept with stacks that "
    "are cut.  EXIT STATUS: 1: some stacks are truncated"))
{
	for (const char *const format : {"text", "folded", "json"}) {
		staged wide("wide_lean", {"1100", "9"});
		watched w(counting(wide, {"-f", format}), wide);
		BOOST_TEST(w.end() == 1);
		const std::string all = w.program.out + w.program.err;
		BOOST_TEST(all.find(", 9 truncated") != all.npos, all);
		BOOST_TEST(all.find("[user stack truncated]") != all.npos);
		BOOST_TEST(all.find("512 KiB") != all.npos, w.program.err);
	}
}

BOOST_AUTO_TEST_SUITE_END()
