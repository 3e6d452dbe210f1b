// Tests stack(9), "Tracing".
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <string>
#include <vector>

#define	KTR
#define	KTR_COMPILE	0x6
#include <stack9.h>
#include <stack9/sys/stack.h>

#include "fake_symbols.h"

using boost::unit_test::description;

namespace {

struct record {
	unsigned int	mask;
	std::string	file;
	int		line;
	std::string	text;
};

struct listening {
	std::vector<record> records;

	listening()
	{
		static const std::string name(100, 'n');
		static const fake::symbol table[] = {
			{0x1000, 0x100, "alpha"}, {0x2000, 1, name.c_str()}};
		fake::symbols(table);
		stack9_set_ktr([](void *arg, unsigned int mask,
		    const char *file, int line, const char *text) {
			static_cast<listening *>(arg)->records.push_back(
			    {mask, file, line, text});
		}, this);
	}
	~listening() { stack9_set_ktr(nullptr, nullptr); }

	std::string
	text() const
	{
		std::string all;
		for (const record &r : records)
			all += r.text + "|";
		return all;
	}
};

struct stack
counted(int depth)
{
	struct stack st{};
	for (int i = 1; i <= depth; i++)
		stack_put(&st, static_cast<vm_offset_t>(i));
	return st;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(ktr, listening)

BOOST_AUTO_TEST_CASE(cheap, *description(
    "If cheap is not 0 there are up to three records of six bare program "
    "counters each"))
{
	const std::string expected[] = {
		"#0 0 0 0 0 0 0|",
		"#0 0x1 0x2 0x3 0x4 0x5 0x6|",
		"#1 0x7 0 0 0 0 0|",
		"#1 0x7 0x8 0x9 0xa 0xb 0xc|",
		"#2 0xd 0 0 0 0 0|",
		"#2 0xd 0xe 0xf 0x10 0x11 0x12|",
	};
	const struct {
		int		depth;
		std::string	text;
	} cases[] = {
		{0, expected[0]},
		{6, expected[1]},
		{7, expected[1] + expected[2]},
		{12, expected[1] + expected[3]},
		{13, expected[1] + expected[3] + expected[4]},
		{18, expected[1] + expected[3] + expected[5]},
	};
	for (const auto &c : cases) {
		records.clear();
		const struct stack st = counted(c.depth);
		stack_ktr(4, "f.c", 7, &st, 0, 1);
		BOOST_TEST(text() == c.text);
	}
}

BOOST_AUTO_TEST_CASE(cheap_longest, *description(
    "If cheap is not 0 there are up to three records of six bare program "
    "counters each: of the longest too"))
{
	struct stack st{};
	for (int i = 0; i < 6; i++)
		stack_put(&st, ~vm_offset_t{0});
	stack_ktr(4, "f.c", 7, &st, 0, 1);
	std::string expected = "#0";
	for (int i = 0; i < 6; i++)
		expected += " 0xffffffffffffffff";
	BOOST_TEST(text() == expected + "|");
}

BOOST_AUTO_TEST_CASE(named, *description(
    "Otherwise there is a record for each of the first depth frames, or for "
    "all of them if depth is 0"))
{
	struct stack st{};
	stack_put(&st, 0x1001);
	stack_put(&st, 0x2000);
	stack_put(&st, 0);
	const std::string first = "#0 0x1001 at alpha+0x1|";
	const std::string all = first + "#1 0x2000 at " +
	    std::string(100, 'n') + "+0|#2 0 at ??+0|";
	const struct {
		unsigned int	depth;
		std::string	text;
	} cases[] = {{0, all}, {1, first}, {3, all}, {4, all}, {~0u, all}};
	for (const auto &c : cases) {
		records.clear();
		stack_ktr(4, "f.c", 7, &st, c.depth, 0);
		BOOST_TEST(text() == c.text);
		records.clear();
		stack_ktr(4, "f.c", 7, &st, c.depth);
		BOOST_TEST(text() == c.text);
	}
}

BOOST_AUTO_TEST_CASE(ctrstack, *description(
    "CTRSTACK() calls stack_ktr() with the file and line of the macro call, "
    "and it makes records only for a mask that is in KTR_COMPILE"))
{
	const struct stack st = counted(2);
	CTRSTACK(2, &st, 1, 0); const int line = __LINE__;
	CTRSTACK(4, &st, 0);
	CTRSTACK(1, &st, 0, 0);
	CTRSTACK(8, &st, 0);
	BOOST_REQUIRE(records.size() == 3u);
	BOOST_TEST(records[0].mask == 2u);
	BOOST_TEST(records[0].file == __FILE__);
	BOOST_TEST(records[0].line == line);
	BOOST_TEST(records[0].text == "#0 0x1 at ??+0");
	BOOST_TEST(records[1].mask == 4u);
	BOOST_TEST(records[2].text == "#1 0x2 at ??+0");
}

BOOST_AUTO_TEST_CASE(nobody_listens, *description(
    "stack_ktr() makes records for the function that stack9_set_ktr() sets; "
    "without such a function it does nothing"))
{
	stack9_set_ktr(nullptr, nullptr);
	const struct stack st = counted(18);
	stack_ktr(4, "f.c", 7, &st, 0, 1);
	stack_ktr(4, "f.c", 7, &st, 0, 0);
	BOOST_TEST(records.empty());
}

BOOST_AUTO_TEST_SUITE_END()
