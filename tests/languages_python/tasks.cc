// Compares the tasks of asyncio that stack9 finds, with their chains of awaits,
// with those that the program says of itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <map>
#include <string>

#include <fmt/format.h>

#include <stack9.h>
#include <stack9_coroutines.h>
#include <stack9_frames.h>

#include "languages_asked/memory.h"
#include "lib/process.h"
#include "lib/programs.h"
#include "found_tasks.h"
#include "python_program.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_SUITE(tasks)

namespace {

all_tasks
said_by(const python_program &p)
{
	all_tasks all;
	task *now = nullptr;
	for (const std::string &line : p.lines())
		if (line.starts_with("task ")) {
			now = &all[std::stoull(line.substr(5))];
			now->head = line;
		} else {
			now->chain.push_back(line);
		}
	return all;
}

// No layout of 3.15 has been compared.
bool
has_tasks(const std::string &python)
{
	return lib::output_of(python + " -c 'import sys;"
	    "print(sys.version_info < (3, 15))'").starts_with("True");
}

} // namespace

BOOST_AUTO_TEST_CASE(each_is_as_python_says, *has_python() * needs("bpf") *
    SAYS("ISSUE: asyncio: the chain of awaits, and tasks that no thread runs"))
{
	for (const std::string &python : pythons()) {
		if (!has_tasks(python))
			continue;
		std::size_t compared = 0;
		for (const int seed : {1, 5000}) {
			const python_program p(python, TASKS,
			    {std::to_string(seed), "1000"});
			const all_tasks said = said_by(p);
			all_tasks seen;
			BOOST_TEST_CONTEXT(python)
				BOOST_REQUIRE_EQUAL(find(p.pid(), seen), 0);
			BOOST_TEST(said.size() == 1005u);
			BOOST_TEST(seen.size() == said.size());
			for (const auto &[id, t] : said) {
				compared += t.chain.size();
				if (seen[id].head == t.head &&
				    seen[id].chain == t.chain)
					continue;
				BOOST_TEST_CONTEXT(python << '\n' << t.head) {
					BOOST_TEST(seen[id].head == t.head);
					BOOST_REQUIRE_EQUAL_COLLECTIONS(
					    seen[id].chain.begin(),
					    seen[id].chain.end(),
					    t.chain.begin(), t.chain.end());
				}
			}
		}
		BOOST_TEST(compared > 10000u);
	}
}

BOOST_AUTO_TEST_CASE(a_task_that_is_waited_for, *has_python() * needs("bpf") *
    SAYS("waits_for: the id of the task that it waits for, or 0"))
{
	for (const std::string &python : pythons()) {
		if (!has_tasks(python))
			continue;
		const python_program p(python, TASKS, {"1", "100"});
		all_tasks seen;
		std::size_t waiting = 0;
		BOOST_REQUIRE_EQUAL(find(p.pid(), seen), 0);
		for (const auto &[id, t] : seen) {
			const bool waits = t.head.ends_with("wait_for Task");
			waiting += waits;
			BOOST_TEST((t.waits_for != 0) == waits);
			if (waits)
				BOOST_TEST(seen[t.waits_for].head.find(
				    " first ") != std::string::npos);
		}
		BOOST_TEST(waiting > 3u);
	}
}

BOOST_AUTO_TEST_CASE(without_the_flag_there_are_none, *has_python() *
    needs("bpf") * SAYS("the tasks of asyncio are found with "
    "STACK9_SAVE_LANGUAGES only"))
{
	const python_program p(pythons().front(), TASKS, {"1", "10"});
	all_tasks seen;
	BOOST_TEST(find(p.pid(), seen, 0) == ENOENT);
	BOOST_TEST(seen.empty());
	const lib::child c;
	BOOST_TEST(find(c.pid(), seen) == ENOENT);
}

BOOST_AUTO_TEST_CASE(by_a_space_of_the_process, *has_python() * needs("bpf") *
    SAYS("With a space of the process it is not asked again which files it "
    "has mapped."))
{
	const python_program p(pythons().front(), TASKS, {"1", "10"});
	const stack9_thread td{p.pid(), p.pid(), 0};
	stack9_space *right = nullptr, *empty = nullptr;
	BOOST_REQUIRE_EQUAL(stack9_space_open(&td, &right), 0);
	BOOST_REQUIRE_EQUAL(stack9_space_open_build_ids(nullptr, 0, &empty),
	    0);
	all_tasks asked, known, none;
	BOOST_TEST(find(p.pid(), asked) == 0);
	BOOST_TEST(find(p.pid(), known, STACK9_SAVE_LANGUAGES, right) == 0);
	BOOST_TEST(known.size() == asked.size());
	BOOST_TEST(known.size() > 10u);
	// Nothing is found where the space knows no file of Python's.
	BOOST_TEST(find(p.pid(), none, STACK9_SAVE_LANGUAGES, empty) ==
	    ENOENT);
	stack9_space_close(right);
	stack9_space_close(empty);
}

// How often a text is in another one.
std::size_t
count_of(const std::string &what, const std::string &in)
{
	std::size_t n = 0;
	for (std::size_t at = 0; (at = in.find(what, at)) != in.npos; at++)
		n++;
	return n;
}

BOOST_AUTO_TEST_CASE(the_program_prints_them, *has_python() * needs("bpf") *
    SAYS("stackprint -p prints tasks beside threads, in JSON and of a small "
    "core, too"))
{
	const python_program p(pythons().front(), TASKS, {"3", "20"});
	const std::string program = STACKPRINT " ", all = " 2>&1",
	    pid = std::to_string(p.pid()), core = "/tmp/stack9-tasks-" + pid;
	all_tasks seen;
	BOOST_REQUIRE_EQUAL(find(p.pid(), seen), 0);
	const std::string text = lib::output_of(program + "-p " + pid + all);
	BOOST_TEST(count_of("\ntask ", text) == seen.size());
	BOOST_TEST(count_of("task first  ", text) == 1u);
	BOOST_TEST(count_of("  wait_for Task first\n", text) > 0u);
	const std::string json = lib::output_of(program + "--json -p " + pid +
	    all);
	BOOST_TEST(count_of("\"name\":\"wait_asleep\"", json) ==
	    count_of("  wait_asleep ", text));
	BOOST_TEST(count_of("\"coroutines_of\":\"asyncio\"", json) ==
	    seen.size());
	lib::output_of(program + "--dump " + core + " " + pid + all);
	// The files are where the program's root is.
	const std::string of_core = lib::output_of(program +
	    "--sysroot /proc/" + pid + "/root --core " + core + "; rm -f " +
	    core);
	BOOST_TEST(count_of("\ntask ", of_core) == seen.size());
	const std::string native = lib::output_of(program + "--native -p " +
	    pid + all);
	BOOST_TEST(count_of("\ntask ", native) == 0u);
}

// Words of the heap are overwritten while the program sleeps.
BOOST_AUTO_TEST_CASE(a_hostile_heap, *has_python() * needs("bpf") *
    SAYS("ISSUE: hostile heaps: bounded, said"))
{
	const python_program p(pythons().front(), TASKS, {"7", "100"});
	const memory_of m(p.pid());
	const auto regions = m.writable();
	all_tasks whole;
	std::size_t differ = 0;
	BOOST_REQUIRE_EQUAL(find(p.pid(), whole), 0);
	unsigned int random = 1;
	const auto next = [&](std::size_t n) {
		random = random * 1103515245 + 12345;
		return (random >> 8) % n;
	};
	std::vector<std::uint64_t> ids;
	for (const auto &[id, t] : whole)
		ids.push_back(id);
	for (int round = 0; round < rounds(400, 100); round++) {
		std::vector<std::pair<std::uint64_t, std::uint64_t>> old;
		for (int n = 0; n < 20; n++) {
			// It is in a task, or where one of its words leads.
			std::uint64_t at = ids[next(ids.size())] +
			    8 * next(22);
			if (const std::uint64_t to = m.word(at);
			    next(2) == 0 && to % 8 == 0 && to > 4096 &&
			    std::any_of(regions.begin(), regions.end(),
			    [=](const auto &r) { return to >= r.first &&
			    to + 256 < r.second; }))
				at = to + 8 * next(20);
			const std::uint64_t wild[] = {0, 1, ~0ull, at, ids[0],
			    0xdeadbeef000, m.word(ids[next(ids.size())])};
			const std::uint64_t word = wild[next(7)];
			old.emplace_back(at, m.word(at));
			m.write(at, &word, sizeof word);
		}
		all_tasks now;
		const std::uint64_t begin = lib::boot_ns();
		const int error = find(p.pid(), now);
		BOOST_TEST(lib::boot_ns() - begin < 5'000'000'000u);
		BOOST_TEST((error == 0 || error == ENOENT));
		differ += now.size() != whole.size();
		for (auto o = old.rbegin(); o != old.rend(); ++o)
			m.write(o->first, &o->second, sizeof o->second);
	}
	BOOST_TEST(differ > 0u);
	all_tasks again;
	BOOST_TEST(find(p.pid(), again) == 0);
	BOOST_TEST(again.size() == whole.size());
}

BOOST_AUTO_TEST_SUITE_END()
