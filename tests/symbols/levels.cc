// Compares lines and inlined calls with what the source says of itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "levels.h"

#include <fstream>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "symbols/file_lines.h"

// The line at which a source says that a thing is.
int
line_of(const std::string &thing, const char *path)
{
	std::ifstream source(path);
	std::string line;
	for (int n = 1; std::getline(source, line); n++)
		if (line.ends_with("// line: " + thing))
			return n;
	return -1;
}

std::string
base_name(const std::string &path)
{
	return path.substr(path.rfind('/') + 1);
}

std::vector<std::string>
levels_at(stack9::process::file &f, std::uint64_t vaddr)
{
	std::vector<std::string> said;
	const auto levels = stack9::file_lines::of(f).find(vaddr, false);
	for (const stack9::source_level &l : *levels)
		said.push_back(fmt::format("{} {}:{}{}", l.function,
		    base_name(l.file), l.line, l.inlined ? " inlined" : ""));
	return said;
}

void
check_levels(const std::string &path, std::string marks)
{
	if (marks.empty())
		marks = path;
	const auto f = open_file(path);
	const auto said = levels_at(*f, address_in(marks, "mark_innermost"));
	const std::vector<std::string> expected = {
		fmt::format("_ZN6levels9innermostEi levels.cc:{} inlined",
		    line_of("innermost")),
		fmt::format("_ZNK6levels5thing6middleEv levels.cc:{} inlined",
		    line_of("middle")),
		fmt::format("_ZN6levels9outermostEi levels.cc:{}",
		    line_of("outermost")),
	};
	BOOST_TEST(said == expected, boost::test_tools::per_element());
	BOOST_TEST(levels_at(*f, address_in(marks, "mark_plain")) ==
	    std::vector{fmt::format("plain levels.cc:{}", line_of("plain"))});
	BOOST_TEST(levels_at(*f, 1).empty());
}
