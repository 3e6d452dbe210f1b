// Tests that the tasks of asyncio have budgets, and that their ends are
// reported.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "budgets/budgets.h"
#include "lib/programs.h"
#include "python_program.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(task_budgets)

namespace {

namespace budgets = stack9::budgets;

// The counts of the last line of stackprint.
struct counts {
	std::size_t	tasks = 0, left_out = 0;
};

std::size_t
number_behind(const std::string &text, const std::string &name)
{
	const std::size_t at = text.find('"' + name + "\":");
	return at == text.npos ? 0 : std::strtoul(text.c_str() + at +
	    name.size() + 3, nullptr, 10);
}

counts
look_at(std::size_t tasks, std::size_t length)
{
	const python_program p(pythons().front(), MANY_TASKS,
	    {std::to_string(tasks), std::to_string(length)});
	const std::string last = lib::output_of(fmt::format(STACKPRINT
	    " --json -p {} 2>&1 | tail -n 1", p.pid()));
	const std::size_t at = last.find("\"left_out\":");
	return {number_behind(last, "coroutines"), at == last.npos ? 0 :
	    number_behind(last.substr(at), "coroutines")};
}

} // namespace

BOOST_AUTO_TEST_CASE(texts_have_a_budget, *has_python() * needs("bpf") *
    boost::unit_test::description("MACHINE: the tasks that are read have at "
    "most so many bytes of texts and frames, and the end of that is told"))
{
	constexpr std::size_t length = 1000, frames = 2 * 24;
	const counts few = look_at(100, length);
	BOOST_TEST(few.tasks == 100u);
	BOOST_TEST(few.left_out == 0u);
	const counts many = look_at(12000, length);
	BOOST_TEST(many.left_out == 1u);
	BOOST_TEST(many.tasks > budgets::python_task_text /
	    (length + 100 + frames) / 2);
	BOOST_TEST(many.tasks <= budgets::python_task_text / length + 1);
}

// Both budgets end then.
BOOST_AUTO_TEST_CASE(tasks_have_a_budget, *has_python() * needs("bpf") *
    needs("STACK9_LONG", [] {
	return long_run() ? "" :
	    "STACK9_LONG=1 makes 270,000 tasks";
    }) * boost::unit_test::description("MACHINE: so many tasks are read, and "
    "the end of that is told"))
{
	const counts all = look_at(budgets::python_tasks + 8000, 4);
	BOOST_TEST(all.left_out == 2u);
	BOOST_TEST(all.tasks > 100000u);
	BOOST_TEST(all.tasks <= budgets::python_tasks);
}

BOOST_AUTO_TEST_SUITE_END()
