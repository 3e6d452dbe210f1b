// Changes a task between its two readings.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9_coroutines.h>

#include "core/seam/second_reading.h"
#include "languages_asked/memory.h"
#include "found_tasks.h"
#include "python_program.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(task_moments)

namespace {

// A word of a task that is overwritten, once, before tasks are read again.
struct {
	const memory_of	*of;
	std::uint64_t	 at, word;
	int		 readings;
} meanwhile;

// Finds the word of a task that leads to its name: with that of another task
// there it has the other's name.
std::uint64_t
find_name_word(const memory_of &m, pid_t pid, std::uint64_t task,
    std::uint64_t other)
{
	all_tasks before, now;
	BOOST_REQUIRE_EQUAL(find(pid, before), 0);
	for (std::uint64_t at = 0; at < 22 * 8; at += 8) {
		const std::uint64_t was = m.word(task + at),
		    its = m.word(other + at);
		now.clear();
		m.write(task + at, &its, sizeof its);
		const int error = find(pid, now);
		m.write(task + at, &was, sizeof was);
		if (error == 0 && was != its && now.contains(task) &&
		    now.at(task).head != before.at(task).head &&
		    now.at(task).chain == before.at(task).chain)
			return at;
	}
	return 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(what_changed_meanwhile_is_read_again, *has_python() *
    needs("bpf") * boost::unit_test::description("ISSUE: tasks that no thread "
    "runs: each is of one moment"))
{
	const python_program p(pythons().front(), TASKS, {"7", "20"});
	const memory_of m(p.pid());
	all_tasks before, seen;
	BOOST_REQUIRE_EQUAL(find(p.pid(), before), 0);
	const std::uint64_t task = before.begin()->first,
	    other = before.rbegin()->first;
	const std::uint64_t at = find_name_word(m, p.pid(), task, other);
	BOOST_REQUIRE(at != 0u);
	const std::uint64_t was = m.word(task + at);
	meanwhile = {&m, task + at, m.word(other + at), 0};
	stack9::before_second_reading = [](pid_t, std::uint64_t) {
		if (meanwhile.readings++ == 0)
			meanwhile.of->write(meanwhile.at, &meanwhile.word,
			    sizeof meanwhile.word);
	};
	BOOST_TEST(find(p.pid(), seen) == 0);
	stack9::before_second_reading = nullptr;
	m.write(task + at, &was, sizeof was);
	BOOST_TEST(meanwhile.readings == 2);
	BOOST_TEST(seen.at(task).head != before.at(task).head);
	BOOST_TEST(seen.at(task).error == 0);
}

BOOST_AUTO_TEST_SUITE_END()
