// Compares the functions that stack9 finds on stacks of Perl with those of
// caller().
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/syscall.h>

#include <stack9.h>

#include "languages_asked/asked.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(perl_stacks)

using boost::unit_test::description;

namespace {

// STACK9_PERL names another one than PATH has.
lines
command()
{
	const char *const perl = getenv("STACK9_PERL");
	return {perl != nullptr ? perl : "perl", "stacks.pl"};
}

// Nothing but the loop is replaced.
void
check_places(const woven &w)
{
	BOOST_TEST(!w.index.empty());
	for (const std::uint32_t at : w.index)
		BOOST_TEST((at < w.native.size() &&
		    w.native[at] == "Perl_runops_standard"));
}

void
compare(const asked &p, const std::string &line)
{
	const lines theirs = p.build(line);
	const woven w = p.look("perl");
	BOOST_TEST(w.error == 0);
	BOOST_TEST(w.note == "");
	BOOST_REQUIRE_MESSAGE(w.functions == theirs, line << " of " <<
	    p.pid() << beside(w.functions, theirs) << "\n" <<
	    fmt::format("{}", fmt::join(w.native, " ")));
	BOOST_TEST(std::none_of(w.flags.begin(), w.flags.end(),
	    [](std::uint32_t f) { return f & STACK9_WRITTEN_GUESSED; }),
	    line << ' ' << fmt::format("{}", fmt::join(w.native, " ")) <<
	    beside(w.functions, theirs));
	BOOST_TEST_CONTEXT(line)
		check_places(w);
}

// Kernels may lack the file; then it is taken to be so.
void
wait_until_asleep(const std::filesystem::path &task, bool by_time)
{
	const std::string call = fmt::format("{} ", by_time ?
	    SYS_clock_nanosleep : SYS_read);
	const auto last = std::chrono::steady_clock::now() +
	    std::chrono::minutes(1);
	std::string line;
	do {
		std::ifstream f(task / "syscall");
		if (!std::getline(f, line))
			return;
	} while (!line.starts_with(call) &&
	    std::chrono::steady_clock::now() < last);
}

} // namespace

BOOST_AUTO_TEST_CASE(each_kind_of_call, *has("perl") * description(
    "a function of Perl is shown as caller() shows it"))
{
	const asked p(command(), FOLDER);
	for (const std::string &kind : p.build("kinds"))
		for (const char *const depth : {" 1", " 3"})
			BOOST_TEST_CONTEXT(kind) {
				compare(p, kind + depth);
				p.build("kinds");
			}
}

BOOST_AUTO_TEST_CASE(generated_stacks, *has("perl") * description(
    "the stacks of generated programs are those of caller()"))
{
	const asked p(command(), FOLDER);
	for (int seed = 1; seed <= rounds(1000, 100); seed++)
		compare(p, fmt::format("{} {}", seed, seed % 40));
}

// A thread has an interpreter of its own, and runs a sub that C has called.
BOOST_AUTO_TEST_CASE(threads_of_perl, *has("perl", "-e", "use threads") *
    description("each thread has the frames of its own interpreter"))
{
	const asked p({"perl", "threads.pl"}, FOLDER);
	p.build("");
	std::map<std::size_t, int> depths;
	for (const auto &task : std::filesystem::directory_iterator(
	    fmt::format("/proc/{}/task", p.pid()))) {
		const pid_t tid = std::stoi(task.path().filename());
		wait_until_asleep(task.path(), tid != p.pid());
		const woven w = p.look("perl", tid);
		BOOST_REQUIRE(!w.functions.empty());
		BOOST_TEST(std::none_of(w.flags.begin(), w.flags.end(),
		    [](std::uint32_t f) {
			return f & STACK9_WRITTEN_GUESSED;
		}));
		if (tid == p.pid()) {
			const lines main{"main::asking\tthreads.pl\t6",
			    "main::RUNTIME\tthreads.pl\t10"};
			BOOST_TEST(w.functions == main,
			    boost::test_tools::per_element());
			continue;
		}
		depths[static_cast<std::size_t>(std::count(
		    w.functions.begin(), w.functions.end(),
		    "main::working\tthreads.pl\t7"))]++;
		BOOST_TEST(w.functions.back() == "(eval)\tthreads.pl\t8");
	}
	const std::map<std::size_t, int> all{{2, 1}, {3, 1}, {4, 1}};
	BOOST_TEST((depths == all));
}

BOOST_AUTO_TEST_SUITE_END()
