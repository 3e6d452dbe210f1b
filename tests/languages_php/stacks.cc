// Compares the functions that stack9 finds on stacks of PHP with those of
// debug_backtrace().
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stack9.h>

#include "languages_asked/asked.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(php_stacks)

using boost::unit_test::description;

namespace {

// STACK9_PHP names another one than PATH has.
lines
php_with(const lines &settings)
{
	const char *const php = getenv("STACK9_PHP");
	lines command{php != nullptr ? php : "php", "-d", "memory_limit=-1"};
	for (const std::string &s : settings) {
		command.push_back("-d");
		command.push_back(s);
	}
	command.push_back("stacks.php");
	return command;
}

boost::unit_test::decorator::precondition
has_opcache()
{
	return has("php", "-r",
	    "exit(extension_loaded(\"Zend OPcache\") ? 0 : 1);");
}

// Each call of the loop has its functions, and nothing but the loop is
// replaced. A call whose function has been left, and now destroys what that
// had, has none.
void
check_places(const woven &w)
{
	std::vector<std::uint32_t> loops, replaced;
	for (std::uint32_t i = 0; i < w.native.size(); i++)
		if (w.native[i] == "execute_ex")
			loops.push_back(i);
	for (std::size_t i = 0; i < w.index.size(); i++)
		if (w.index[i] < w.native.size() &&
		    (w.flags[i] & STACK9_WRITTEN_REPLACES) != 0 &&
		    (replaced.empty() || replaced.back() != w.index[i]))
			replaced.push_back(w.index[i]);
	BOOST_TEST(std::includes(loops.begin(), loops.end(), replaced.begin(),
	    replaced.end()));
	BOOST_TEST(loops.size() - replaced.size() <= static_cast<std::size_t>(
	    std::count_if(w.functions.begin(), w.functions.end(),
	    [](const std::string &f) {
		return f.starts_with("Ending->__destruct\t");
	})));
	BOOST_TEST(!replaced.empty());
}

void
compare(const asked &p, const std::string &line, bool is_made = false)
{
	const lines theirs = p.build(line);
	const woven w = p.look("php");
	BOOST_TEST(w.error == 0);
	BOOST_TEST(w.note == "");
	BOOST_REQUIRE_MESSAGE(w.functions == theirs, line << " of " <<
	    p.pid() << beside(w.functions, theirs) << "\n" << w.why << ' ' <<
	    fmt::format("{}", fmt::join(w.native, " ")));
	BOOST_TEST(std::none_of(w.flags.begin(), w.flags.end(),
	    [](std::uint32_t f) { return f & STACK9_WRITTEN_GUESSED; }), line);
	BOOST_TEST(w.why == STACK9_WHY_NONE, line);
	if (!is_made)
		BOOST_TEST_CONTEXT(line)
			check_places(w);
}

// With code that the JIT has made, of each function or of what runs often.
void
compare_made(const char *jit)
{
	const asked p(php_with({"opcache.enable_cli=1",
	    "opcache.jit_buffer_size=64M", std::string("opcache.jit=") + jit,
	    "opcache.jit_hot_func=2", "opcache.jit_hot_loop=2",
	    "opcache.jit_hot_return=2"}), FOLDER);
	for (const std::string &kind : p.build("kinds"))
		for (int i = 0; i < 3; i++) {
			compare(p, kind + " 2", true);
			p.build("kinds");
		}
	for (int seed = 1; seed <= rounds(1000, 50); seed++)
		compare(p, fmt::format("{} {}", seed, seed % 40), true);
}

} // namespace

BOOST_AUTO_TEST_CASE(each_kind_of_call, *has("php") * description(
    "a function of PHP is shown as debug_backtrace() shows it"))
{
	const asked p(php_with({}), FOLDER);
	for (const std::string &kind : p.build("kinds"))
		for (const char *const depth : {" 1", " 3"})
			BOOST_TEST_CONTEXT(kind) {
				compare(p, kind + depth);
				p.build("kinds");
			}
}

BOOST_AUTO_TEST_CASE(generated_stacks, *has("php") * description(
    "the stacks of generated programs are those of debug_backtrace()"))
{
	const asked p(php_with({}), FOLDER);
	for (int seed = 1; seed <= rounds(1000, 100); seed++)
		compare(p, fmt::format("{} {}", seed, seed % 40));
}

BOOST_AUTO_TEST_CASE(made_functions, *has_opcache() * description(
    "the functions that PHP's JIT has compiled"))
{
	compare_made("function");
}

BOOST_AUTO_TEST_CASE(made_traces, *has_opcache() * description(
    "the traces that PHP's JIT has compiled"))
{
	compare_made("tracing");
}

BOOST_AUTO_TEST_SUITE_END()
