// Looks at programs that have moved code of a file to memory of no file, or
// have put other code in its place.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "process/space.h"

#include "copier.h"
#include "require.h"

namespace {

namespace data = boost::unit_test::data;
using stack9::process::mapping;

// Gives the executable mappings that no file has.
std::vector<const mapping *>
anonymous_code(stack9_space &space)
{
	std::vector<const mapping *> all;
	space.each_mapping([&](const mapping &m) {
		if (m.executable && m.inode == 0 && m.path.find('[') ==
		    std::string::npos)
			all.push_back(&m);
	});
	return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(moved_text, *needs("ptrace"))

BOOST_DATA_TEST_CASE(code_that_was_moved_is_its_files, data::make({"plain",
    "no_fp", "one_segment", "stripped", "static", "static_pie",
    "debug_frame"}), name)
{
	child c({program(name), "moved"});
	BOOST_REQUIRE(c.says("ready"));
	const opened space(c.thread());
	BOOST_REQUIRE(space.error == 0);
	const auto code = anonymous_code(*space);
	BOOST_REQUIRE(code.size() == 1u);
	BOOST_TEST(code[0]->is_moved);
	BOOST_TEST(code[0]->path == program(name));
	stack9::user_copy copy;
	copy_thread(c.pid(), copy);
	const walk w = walk_of(*space, copy, c.thread());
	BOOST_TEST(w.is_whole());
	const auto names = names_of(*space, w);
	if (std::string(name) != "stripped")
		BOOST_TEST(has(names, {"inner", "middle", "outer", "main"}),
		    text(names));
	stack9::mapped_module m;
	BOOST_REQUIRE(stack9::space_module(*space, w.pcs.back(), m) == 0);
	BOOST_TEST(m.path == program(name));
	BOOST_TEST(m.vaddr != 0u);
	BOOST_TEST(stack9::space_renew(*space) == 0);
	BOOST_TEST(anonymous_code(*space) == code);
}

BOOST_AUTO_TEST_CASE(other_code_in_the_place_of_a_files_is_not_the_files)
{
	child c({program("plain"), "replaced", program("plugin.so")});
	BOOST_REQUIRE(c.says("ready"));
	const opened space(c.thread());
	BOOST_REQUIRE(space.error == 0);
	const auto code = anonymous_code(*space);
	BOOST_REQUIRE(code.size() == 1u);
	BOOST_TEST(!code[0]->is_moved);
	BOOST_TEST(code[0]->path == "");
	BOOST_TEST((code[0]->backing == nullptr));
}

BOOST_AUTO_TEST_SUITE_END()
