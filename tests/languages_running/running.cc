// Captures programs of languages while they run, and compares each pair of
// neighbouring functions with the calls that the programs have.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <stack9.h>
#include <stack9_frames.h>

#include "lib/process.h"
#include "lib/programs.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(languages_running)

namespace {

using boost::unit_test::description;
using words = std::vector<std::string>;

// The functions f0 to f6 call two of them each; f0 is called from outside.
constexpr int functions = 7;

bool
calls(int caller, int callee)
{
	return callee == (2 * caller + 1) % functions ||
	    callee == (2 * caller + 2) % functions;
}

// The number of a function; -1: another one.
int
number_of(std::string_view name)
{
	if (name.starts_with("block in ") || name.size() < 2 ||
	    name[name.size() - 2] != 'f' ||
	    (name.size() > 2 && name[name.size() - 3] != ':' &&
	    name[name.size() - 3] != '.' && name[name.size() - 3] != '#'))
		return -1;
	const int n = name.back() - '0';
	return n >= 0 && n < functions ? n : -1;
}

struct captures {
	std::string	language;
	unsigned int	stacks = 0, frames = 0, flagged = 0, none = 0,
			refused = 0;
	unsigned int	wrong = 0, guessed_wrong = 0;
	std::string	first_wrong{};

	explicit captures(const char *l) : language(l) {}
};

bool
is_possible(const captures &c, const stack9_stack &s)
{
	int inner = -1;
	for (std::uint32_t i = 0; i < s.written_count; i++) {
		const stack9_written &w = s.written[i];
		const int n = number_of(w.name);
		if (c.language != w.language || n < 0)
			continue;
		if (inner >= 0 && !calls(n, inner))
			return false;
		inner = n;
	}
	return inner <= 0;
}

std::string
text_of(const stack9_stack &s)
{
	std::string text;
	for (std::uint32_t i = 0; i < s.written_count; i++)
		text += std::string(s.written[i].name) + ":" +
		    std::to_string(s.written[i].line) + " " +
		    std::to_string(s.written[i].flags) + " at " +
		    std::to_string(s.written[i].index) + "\n";
	return text;
}

int
take(void *arg, const stack9_sample *s)
{
	captures &c = *static_cast<captures *>(arg);
	const stack9_stack &u = *s->user;
	unsigned int its = 0;
	bool flagged = false;
	if (s->state != 'R')
		return 0;
	if (u.error != 0) {
		c.refused++;
		return 0;
	}
	for (std::uint32_t i = 0; i < u.written_count; i++) {
		its += number_of(u.written[i].name) >= 0;
		flagged |= (u.written[i].flags & STACK9_WRITTEN_GUESSED) != 0;
	}
	c.none += its == 0;
	if (its == 0)
		return 0;
	c.stacks++;
	c.frames += its;
	c.flagged += flagged;
	if (is_possible(c, u))
		return 0;
	(flagged ? c.guessed_wrong : c.wrong)++;
	if (c.first_wrong.empty())
		c.first_wrong = text_of(u);
	return 0;
}

// The program says that it is ready, and runs.
void
check(const char *language, const words &program)
{
	const lib::piped p = lib::start_piped(program);
	BOOST_REQUIRE(p.pid > 0);
	char line[6];
	ssize_t n = 0;
	for (ssize_t got; n < 6 && (got = read(p.output, line + n,
	    sizeof line - static_cast<std::size_t>(n))) > 0;)
		n += got;
	captures c(language);
	const auto wanted = static_cast<unsigned int>(rounds(10000, 300));
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	const stack9_thread td{p.pid, p.pid, 0};
	for (unsigned int passes = 0; n == 6 && c.stacks < wanted &&
	    passes < 20 * wanted; passes++)
		stack9_each(&td, STACK9_USER, &o, take, &c);
	pid_t pid = p.pid;
	lib::kill_and_reap(pid);
	close(p.input);
	close(p.output);
	std::printf("# %s: %u stacks of %u functions, %u flagged, %u of them "
	    "impossible, %u without, %u refused, %u wrong\n",
	    program[0].c_str(), c.stacks, c.frames, c.flagged, c.guessed_wrong,
	    c.none, c.refused, c.wrong);
	BOOST_TEST_CONTEXT(program[0] << '\n' << c.first_wrong) {
		BOOST_TEST(c.stacks >= wanted);
		BOOST_TEST(c.wrong == 0u);
		// How many depends on how long the machine takes to read.
		BOOST_TEST(c.guessed_wrong < c.stacks);
		BOOST_TEST(c.frames > 3 * c.stacks);
	}
}

#define	SAYS	"ISSUE: 10,000 captures of running threads: every frame in " \
	"the program's call graph, order possible; those flagged, counted"

// One of each that is here.
void
check_all(const char *language, const char *usual, const char *variable,
    const words &after)
{
	for (const std::string &each : lib::runnable(usual, variable)) {
		words all{each};
		all.insert(all.end(), after.begin(), after.end());
		check(language, all);
	}
}

boost::unit_test::decorator::precondition
has(const char *what, const char *usual, const char *variable)
{
	return needs(what, [=] {
		return lib::runnable(usual, variable).empty() ?
		    "it is not here" : "";
	});
}

} // namespace

BOOST_AUTO_TEST_CASE(of_php, *has("php", "/usr/bin/php", "STACK9_PHPS") *
    needs("bpf") * description(SAYS))
{
	check_all("php", "/usr/bin/php", "STACK9_PHPS",
	    {SOURCES "/running.php"});
}

BOOST_AUTO_TEST_CASE(of_perl, *has("perl", "/usr/bin/perl", "STACK9_PERLS") *
    needs("bpf") * description(SAYS))
{
	check_all("perl", "/usr/bin/perl", "STACK9_PERLS",
	    {SOURCES "/running.pl"});
}

BOOST_AUTO_TEST_CASE(of_ruby, *has("ruby", "/usr/bin/ruby", "STACK9_RUBIES") *
    needs("bpf") * description(SAYS))
{
	check_all("ruby", "/usr/bin/ruby", "STACK9_RUBIES",
	    {SOURCES "/running.rb"});
}

BOOST_AUTO_TEST_CASE(of_lua, *has("lua", "/usr/bin/lua5.4:/usr/bin/lua5.3",
    "STACK9_LUAS") * needs("bpf") * description(SAYS))
{
	check_all("lua", "/usr/bin/lua5.4:/usr/bin/lua5.3", "STACK9_LUAS",
	    {SOURCES "/running.lua"});
}

BOOST_AUTO_TEST_CASE(of_node, *has("node", "/usr/bin/node", "STACK9_NODES") *
    needs("bpf") * description(SAYS))
{
	check_all("javascript", "/usr/bin/node", "STACK9_NODES",
	    {SOURCES "/running.js"});
}

BOOST_AUTO_TEST_CASE(of_java, *needs("java", [] {
	return lib::runnable("/usr/bin/java", "STACK9_JAVAS").empty() ||
	    access(CLASSES "/Running.class", R_OK) != 0 ?
	    "there is no java, or was no javac" : "";
    }) * needs("bpf") * description(SAYS))
{
	check_all("java", "/usr/bin/java", "STACK9_JAVAS",
	    {"-cp", CLASSES, "Running"});
}

BOOST_AUTO_TEST_SUITE_END()
