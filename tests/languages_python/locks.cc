// Compares what threads of Python wait for with what the program says.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <stack9.h>
#include <stack9_waits.h>

#include "languages_asked/waits_of.h"
#include "lib/programs.h"
#include "python_program.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_SUITE(locks)

namespace {

struct wait {
	std::string	kind, object;
	std::uint64_t	address = 0;	// 0: the program has not said it
	pid_t		owner = 0;
};
using waits = std::map<pid_t, wait>;

bool
is_same(const wait &said, const wait &seen)
{
	return said.kind == seen.kind && said.object == seen.object &&
	    said.owner == seen.owner &&
	    (said.address == 0 || said.address == seen.address);
}

std::ostream &
operator<<(std::ostream &to, const wait &w)
{
	return to << w.kind << ": " << w.object << ' ' << std::hex <<
	    w.address << std::dec << " of " << w.owner;
}

waits
said_by(const python_program &p)
{
	waits all;
	for (const std::string &line : p.lines()) {
		std::istringstream from(line.substr(5));
		std::string tid, address, owner;
		wait w;
		std::getline(from, tid, '|');
		std::getline(from, w.kind, '|');
		std::getline(from, address, '|');
		std::getline(from, owner, '|');
		std::getline(from, w.object);
		w.address = std::strtoull(address.c_str(), nullptr, 16);
		w.owner = std::stoi(owner);
		all[std::stoi(tid)] = w;
	}
	return all;
}

int
note(void *to, const stack9_wait *w)
{
	wait &its = (*static_cast<waits *>(to))[w->sample->thread.tid];
	its = {stack9_wait_text(w->kind), w->object, w->address,
	    w->holders == 1 ? w->holder[0].thread.tid : 0};
	return 0;
}

// A thread that has begun may still be on its way to where it will wait.
void
compare(const python_program &p)
{
	const waits said = said_by(p);
	waits seen;
	const auto is_known = [&](const auto &one) {
		return is_same(one.second, seen[one.first]);
	};
	BOOST_TEST(said.size() >= 23u);
	for (int looks = 0; looks < 200; looks++) {
		seen.clear();
		waits_of(p.pid(), note, &seen);
		for (const auto &[tid, w] : said)
			BOOST_TEST((seen[tid].owner == 0 ||
			    seen[tid].owner == w.owner));
		if (std::all_of(said.begin(), said.end(), is_known))
			return;
	}
	for (const auto &one : said)
		BOOST_TEST(is_known(one), one.second << " is said of tid " <<
		    one.first << ", and seen was " << seen[one.first]);
}

std::size_t
deadlocks_in(const std::string &text)
{
	std::size_t n = 0;
	for (std::size_t at = 0; (at = text.find("deadlock of 2 threads", at))
	    != text.npos; at++)
		n++;
	return n;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_threads_of_python_wait_for_is_said, *has_python() *
    needs("bpf") * SAYS("A Lock does not record who has it, and an RLock "
    "does."))
{
	for (const std::string &python : pythons())
		BOOST_TEST_CONTEXT(python)
			compare(python_program(python, LOCKS));
}

BOOST_AUTO_TEST_CASE(a_deadlock_of_python_is_said, *has_python() *
    needs("bpf") * SAYS("WAITS: a circle of threads that wait for each other's "
    "RLocks, or for RLocks and mutexes, is a deadlock"))
{
	const python_program p(pythons().front(), LOCKS);
	compare(p);
	const std::string text = lib::output_of(fmt::format(STACKPRINT
	    " --why -p {} 2>/dev/null", p.pid()));
	BOOST_TEST_INFO(text);
	BOOST_TEST(deadlocks_in(text) == 2u);
	BOOST_TEST_INFO(text);
	BOOST_TEST(text.find("lock: threading.RLock") != text.npos);
}

BOOST_AUTO_TEST_CASE(a_deadlock_is_in_a_dump_of_the_process, *has_python() *
    needs("bpf") * SAYS("CORES: the owner of an RLock is known in a core, too"))
{
	// The files of another root are not where a core says.
	if (pythons().front() != "/usr/bin/python3")
		return;
	std::optional<python_program> p(std::in_place, pythons().front(),
	    LOCKS);
	compare(*p);
	const std::string core = fmt::format("/tmp/stack9-locks-{}", p->pid());
	lib::output_of(fmt::format(STACKPRINT " --dump {} {} 2>&1", core,
	    p->pid()));
	p.reset();
	const std::string text = lib::output_of(fmt::format(STACKPRINT
	    " --why --core {0} 2>&1; rm -f {0}", core));
	BOOST_TEST_INFO(text);
	BOOST_TEST(deadlocks_in(text) == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
