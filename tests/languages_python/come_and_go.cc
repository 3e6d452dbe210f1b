// Checks that the functions of a thread are its own where another one had its
// thread pointer before.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <string>

#include <stack9.h>

#include "languages_asked/asked.h"
#include "python_program.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_SUITE(come_and_go)

namespace {

int
hold(void *to, const stack9_sample *s)
{
	auto &held = *static_cast<stack9_sample **>(to);
	if (held == nullptr)
		held = stack9_sample_hold(s);
	return 0;
}

// The library forgets what it knows of a process with the last sample of it.
class held_sample {
public:
	explicit held_sample(pid_t pid)
	{
		const stack9_thread td{pid, pid, 0};
		stack9_each(&td, STACK9_USER, nullptr, hold, &held_);
	}
	held_sample(const held_sample &) = delete;
	held_sample &operator=(const held_sample &) = delete;
	~held_sample() { stack9_sample_close(held_); }

private:
	stack9_sample	*held_ = nullptr;
};

bool
runs(const asked &p, const std::string &said)
{
	const std::size_t tab = said.find('\t');
	const std::string name = said.substr(0, tab + 1);
	const pid_t tid = std::stoi(said.substr(tab + 1));
	for (int looks = 0; looks < 1000; looks++) {
		const woven w = p.look("python", tid);
		if (w.functions.empty())
			continue;	// it is on its way
		if (w.functions[0].starts_with(name))
			return true;
		if (w.functions[0].starts_with("f"))
			return false;	// of another one
	}
	return false;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_thread_has_its_own_functions, *has_python() *
    needs("bpf") * SAYS("LANGUAGES: the functions of a thread are its own, "
    "though another one had its place before"))
{
	constexpr int rounds = 12;
	for (const std::string &python : pythons()) {
		const asked p({python, SOURCES "/come_and_go.py"}, SOURCES);
		p.build("");
		const held_sample held(p.pid());
		int right = 0;
		for (int n = 0; n < rounds; n++)
			right += runs(p, p.build("").front());
		BOOST_TEST_CONTEXT(python)
			BOOST_TEST(right == rounds);
	}
}

BOOST_AUTO_TEST_CASE(a_program_has_its_own_functions, *has_python() *
    needs("bpf") * SAYS("LANGUAGES: the functions are those of the program "
    "that a process runs now, after execve(2), too"))
{
	for (const std::string &python : pythons()) {
		const asked p({python, SOURCES "/come_and_go.py"}, SOURCES);
		p.build("");
		const held_sample held(p.pid());
		for (int n = 0; n < 3; n++) {
			BOOST_TEST_CONTEXT(python)
				BOOST_TEST(runs(p, p.build("").front()));
			p.build("exec");
		}
	}
}

BOOST_AUTO_TEST_SUITE_END()
