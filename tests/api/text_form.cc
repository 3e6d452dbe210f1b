// Tests the form of stack9_text(3): what is a stack, and what is wrong.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <string>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "text_help.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(text_form)

namespace {

using texts::read, texts::space_of, texts::text_of;

const std::string head = "stack9 1\nthread 5 5 9 S a\\\\\\012b\n";

} // namespace

BOOST_AUTO_TEST_CASE(one_after_the_other, *description(
    "A text may have one stack after the other."))
{
	const api::space by = space_of({});
	const std::string first = head + "user\nn f+0x1 [m]\nend complete\n",
	    second = "# said\n\nstack9 1\nuser\nnone on-cpu\n";
	std::string all = first + second;
	api::sample s;
	std::size_t used = 0;
	BOOST_TEST_REQUIRE(read(by, all, s, &used) == 0, stack9_reason());
	BOOST_TEST(std::string(s->comm) == "a\\\nb");
	BOOST_TEST(api::names_of(s->user)[0] == "f");
	all.erase(0, used);
	BOOST_TEST_REQUIRE(read(by, all, s, &used) == 0, stack9_reason());
	BOOST_TEST(s->user->error == EAGAIN);
	BOOST_TEST(s->user->why == STACK9_WHY_ON_CPU);
	all.erase(0, used);
	BOOST_TEST(read(by, all, s) == ENOENT);
}

BOOST_AUTO_TEST_CASE(names_between_places, *description(
    "A frame that has a name and no place: one of the kernel, of a JIT, or of "
    "a file without a build-id."))
{
	const api::space by = space_of({});
	const std::string at = "p 1234abcd 0x1000 /x\n";
	const std::string text = head + "user\n" + at +
	    "n py::a b+0x12 [jit]\nn ?\n" + at + "end unwind dropped 3 "
	    "guessed\n";
	api::sample s;
	BOOST_TEST_REQUIRE(read(by, text, s) == 0, stack9_reason());
	BOOST_TEST(s->user->depth == 4u);
	BOOST_TEST(s->user->dropped == 3u);
	BOOST_TEST(s->user->flags == STACK9_STACK_GUESSED);
	const auto names = api::names_of(s->user);
	BOOST_TEST(names[1] == "py::a b");
	BOOST_TEST(names[2] == "");
	BOOST_TEST(text_of(s.get()) == text);
	const api::sample held(stack9_sample_hold(s.get()));
	BOOST_TEST(text_of(held.get()) == text);
}

BOOST_AUTO_TEST_CASE(wrong_lines, *description(
    "has the number of the line, and what is wrong."))
{
	const api::space by = space_of({});
	const std::pair<std::string, const char *> all[] = {
	    {"stack9 2\n", "line 1: "},
	    {head + "user\nq 1\nend complete\n", "line 4: "},
	    {head + "user\np 12 0x1 /x\nend complete\n", "line 4: the build"},
	    {head + "user\np 1234 1 /x\nend complete\n", "line 4: the addr"},
	    {head + "user\np 12zz 0x1 /x\nend complete\n", "line 4: a numb"},
	    {head + "user\np 1234 0x800000000000 /x\n", "line 4: the addr"},
	    {head + "user\np 1234 0x1 /x\\9\nend complete\n", "line 4: "},
	    {head + "user\nend complete\n", "line 4: end"},
	    {head + "user\nn f\nend sometime\n", "line 5: "},
	    {head + "user\nn f\n", "line 4: the side"},
	    {head + "user\nn f\nend complete\nuser\n", "line 6: "},
	    {head + "kernel\np 1234 0x1 /x\nend complete\n", "line 4: a pl"},
	    {head, "line 2: the stack"},
	    {head + "user\nnone complete\n", "line 4: "},
	    {head + "user\nn " + std::string(9000, 'f') + "\n", "line 4: it"},
	};
	for (const auto &[text, what] : all) {
		api::sample s;
		BOOST_TEST(read(by, text, s) == EINVAL, text);
		BOOST_TEST(std::string(stack9_reason()).starts_with(what),
		    text << stack9_reason());
	}
}

// Every cut of a text is a stack, or wrong, and never complete.
BOOST_AUTO_TEST_CASE(cut_texts, *description(
    "says that its outermost frame is there."))
{
	const api::space by = space_of({});
	const std::string text = head + "kernel\nn k+0x1\nend complete\nuser\n"
	    "p 1234abcd 0x40 /x y\nn f\nend complete\n";
	for (std::size_t n = 0; n + 1 < text.size(); n++) {
		api::sample s;
		const int error = read(by, text.substr(0, n), s);
		BOOST_TEST((error == EINVAL || error == ENOENT ||
		    s->user == nullptr), n);
	}
}

BOOST_AUTO_TEST_CASE(room, *description("A space has room for 4096 files."))
{
	const api::space by = space_of({});
	std::string text = head + "user\n";
	for (int i = 0; i < 4096; i++)
		text += "p " + std::to_string(100000 + i) + " 0x1 /x\n";
	api::sample s;
	BOOST_TEST(read(by, text + "end complete\n", s) == 0);
	BOOST_TEST(s->user->depth == 4096u);
	BOOST_TEST(read(by, text + "p 123456 0x1 /x\nend complete\n", s) ==
	    ENOSPC);
}

BOOST_AUTO_TEST_SUITE_END()
