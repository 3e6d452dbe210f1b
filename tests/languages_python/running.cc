// Captures threads of Python that run, and compares each pair of neighbouring
// functions with the calls that the program has.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <stack9.h>

#include "python_program.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(running)

namespace {

struct captures {
	// "CALLER LINE CALLEE", and the names in them.
	std::set<std::string> edges, names;
	unsigned int	stacks = 0, flagged = 0, frames = 0, on_cpu = 0,
			refused = 0, wrong = 0;
	std::string	first_wrong;
};

bool
is_made(const stack9_written &w)
{
	return w.file == std::string_view("made.py");
}

std::string
text_of(const stack9_stack &s)
{
	std::string text;
	for (std::uint32_t i = 0; i < s.written_count; i++)
		text += fmt::format("{} {}:{} {}\n", s.written[i].name,
		    s.written[i].file, s.written[i].line,
		    s.written[i].flags);
	return text;
}

// The functions of made.py lie above run(), and that above those of threading.
// Up to 3.11 a list is made by a function of its own.
bool
is_possible(const captures &c, const stack9_stack &s)
{
	std::vector<const stack9_written *> made;
	std::uint32_t i = 0;
	for (; i < s.written_count && is_made(s.written[i]); i++)
		if (!std::string_view(s.written[i].name).ends_with(
		    "<listcomp>"))
			made.push_back(&s.written[i]);
	if (i == s.written_count ||
	    s.written[i].name != std::string_view("run"))
		return false;
	for (; i < s.written_count; i++)
		if (is_made(s.written[i]))
			return false;
	for (std::size_t n = 0; n < made.size(); n++)
		if (!c.names.contains(made[n]->name))
			return false;
	for (std::size_t n = 1; n < made.size(); n++)
		if (!c.edges.contains(fmt::format("{} {} {}",
		    made[n]->name, made[n]->line, made[n - 1]->name)))
			return false;
	return true;
}

int
take_running(void *arg, const stack9_sample *s)
{
	captures &c = *static_cast<captures *>(arg);
	const stack9_stack &u = *s->user;
	if (s->thread.tid == s->thread.pid)
		return 0;
	if (u.error != 0 || u.written_count == 0) {
		c.refused++;
		return 0;
	}
	bool flagged = false;
	for (std::uint32_t i = 0; i < u.written_count; i++)
		flagged |= (u.written[i].flags & STACK9_WRITTEN_GUESSED) != 0;
	c.stacks++;
	c.frames += u.written_count;
	c.on_cpu += s->state == 'R';
	c.flagged += flagged;
	if (flagged || is_possible(c, u))
		return 0;
	if (c.wrong++ == 0)
		c.first_wrong = text_of(u);
	return 0;
}

// STACK9_CAPTURES sets how many stacks are taken of each Python.
unsigned int
wanted()
{
	const char *const n = std::getenv("STACK9_CAPTURES");
	return n != nullptr ? static_cast<unsigned int>(std::stoul(n)) :
	    static_cast<unsigned int>(rounds(10000, 300));
}

} // namespace

BOOST_AUTO_TEST_CASE(each_pair_is_a_call, *has_python() * needs("bpf") *
    boost::unit_test::description("ISSUE: 10,000 captures of running threads: "
    "every frame in the program's call graph, order possible; those flagged, "
    "counted"))
{
	for (const std::string &python : pythons()) {
		const python_program p(python, RUNNING, {"5", "4"});
		captures c;
		for (const std::string &line : p.lines()) {
			const std::string edge = line.substr(5);
			c.edges.insert(edge);
			c.names.insert(edge.substr(0, edge.find(' ')));
			c.names.insert(edge.substr(edge.rfind(' ') + 1));
		}
		stack9_save_options o{};
		o.size = sizeof o;
		o.flags = STACK9_SAVE_LANGUAGES;
		const stack9_thread td{p.pid(), p.pid(), 0};
		unsigned int passes = 0;
		for (; c.stacks < wanted() && passes < 20 * wanted(); passes++)
			stack9_each(&td, STACK9_USER, &o, take_running, &c);
		std::printf("# %s: %u stacks of %u frames, %u on a CPU, %u "
		    "flagged, %u refused, %u wrong\n", python.c_str(),
		    c.stacks, c.frames, c.on_cpu, c.flagged, c.refused,
		    c.wrong);
		BOOST_TEST_CONTEXT(python << '\n' << c.first_wrong) {
			BOOST_TEST(c.stacks >= wanted());
			BOOST_TEST(c.wrong == 0u);
			BOOST_TEST(c.frames > 4 * c.stacks);
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
