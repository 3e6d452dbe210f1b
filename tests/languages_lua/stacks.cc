// Compares the functions that stack9 finds on stacks of Lua with those of
// debug.traceback().
//
// SPDX-License-Identifier: BSD-2-Clause
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stack9.h>

#include "languages_asked/asked.h"
#include "programs.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(lua_stacks)

using boost::unit_test::description;

namespace {

void
compare(const asked &p, const std::string &line)
{
	const lines theirs = p.build(line);
	const woven w = p.look("lua");
	BOOST_TEST(w.error == 0);
	BOOST_TEST(w.note == "");
	BOOST_REQUIRE_MESSAGE(w.functions == theirs, line << " of " <<
	    p.pid() << beside(w.functions, theirs) << "\n" <<
	    fmt::format("{}", fmt::join(w.native, " ")));
	BOOST_TEST(std::none_of(w.flags.begin(), w.flags.end(),
	    [](std::uint32_t f) { return f & STACK9_WRITTEN_GUESSED; }),
	    line << ' ' << beside(w.functions, theirs));
	BOOST_TEST(std::is_sorted(w.index.begin(), w.index.end()));
	// Functions of Lua replace the loop, a frame without a name, and those
	// of C replace nothing.
	for (std::size_t i = 0; i < w.functions.size(); i++) {
		const bool replaces = w.flags[i] & STACK9_WRITTEN_REPLACES;
		BOOST_TEST((!replaces || !w.functions[i].ends_with("\t\t0")));
		BOOST_TEST((!replaces || w.native.at(w.index[i]) == "" ||
		    w.native[w.index[i]] == "luaV_execute" ||
		    w.native[w.index[i]].starts_with("lj_")));
	}
}

// The programs that are here.
template <class F>
void
each_lua(F f)
{
	for (const std::string &lua : luas())
		BOOST_TEST_CONTEXT(lua)
			f(lua);
}

boost::unit_test::decorator::precondition
has_lua()
{
	return needs("lua", []() -> std::string {
		return !luas().empty() ? "" :
		    "there is no lua5.3, lua5.4 or luajit";
	});
}

} // namespace

BOOST_AUTO_TEST_CASE(each_kind_of_call, *has_lua() * description(
    "a function of Lua is shown as debug.traceback() shows it"))
{
	each_lua([](const std::string &lua) {
		const asked p({lua, "stacks.lua"}, FOLDER);
		for (const std::string &kind : p.build("kinds"))
			for (const char *const depth : {" 1", " 3"})
				BOOST_TEST_CONTEXT(kind) {
					compare(p, kind + depth);
					p.build("kinds");
				}
	});
}

BOOST_AUTO_TEST_CASE(generated_stacks, *has_lua() * description(
    "the stacks of generated programs are those of debug.traceback()"))
{
	each_lua([](const std::string &lua) {
		const asked p({lua, "stacks.lua"}, FOLDER);
		for (int seed = 1; seed <= rounds(1000, 100); seed++)
			compare(p, fmt::format("{} {}", seed, seed % 15));
	});
}

BOOST_AUTO_TEST_SUITE_END()
