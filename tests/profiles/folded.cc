// Tests folded stacks, parsed as flame graph programs do.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <sstream>

#include "model.h"
#include "tools/profiles/writers.h"

using boost::unit_test::description;

namespace {

std::vector<std::string>
lines_of(const std::string &text)
{
	std::istringstream in(text);
	std::vector<std::string> lines;
	for (std::string line; std::getline(in, line);)
		lines.push_back(line);
	return lines;
}

// The text before the last blank, and the number after it.
std::map<std::string, std::uint64_t>
parsed(const std::string &text)
{
	std::map<std::string, std::uint64_t> all;
	for (const std::string &line : lines_of(text)) {
		const auto blank = line.rfind(' ');
		BOOST_REQUIRE(blank != line.npos);
		const std::string number = line.substr(blank + 1);
		BOOST_REQUIRE(!number.empty());
		BOOST_REQUIRE(number.find_first_not_of("0123456789") ==
		    number.npos);
		BOOST_TEST(all.emplace(line.substr(0, blank),
		    std::stoull(number)).second, line << ": twice");
	}
	return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(folded)

BOOST_AUTO_TEST_CASE(lines, *description("comm;outer;inner weight, sorted"))
{
	BOOST_TEST(profiles::folded(small()) ==
	    "nginx;idle 20\n"
	    "nginx;main;parse 50\n"
	    "nginx;main;parse;scan 20\n"
	    "nginx;main;write;--;ksys_write 10\n");
}

BOOST_AUTO_TEST_CASE(marks, *description("_[k] kernel frames, _[i] inlined"))
{
	const auto all = parsed(profiles::folded(small(), true));
	BOOST_TEST(all.size() == 4u);
	BOOST_TEST(all.count("nginx;main;parse;scan_[i]") == 1u);
	BOOST_TEST(all.count("nginx;main;write;--;ksys_write_[k]") == 1u);
}

BOOST_AUTO_TEST_CASE(process_once,
    *description("a process that is a frame already is not there twice"))
{
	profiles::profile p;
	add_stack(p, {"p:nginx (17)", "u:main"}, 1, 3, "nginx", 17);
	add_stack(p, {"p:nginx (17)"}, 1, 4, "nginx", 17);
	add_stack(p, {}, 1, 5, "sh", 18);
	add_stack(p, {}, 1, 6);
	BOOST_TEST(profiles::folded(p) == "[no stack] 6\nnginx (17) 4\n"
	    "nginx (17);main 3\nsh 5\n");
}

BOOST_AUTO_TEST_CASE(nameless,
    *description("-f: A function without a name is written with its file, as "
    "[libx.so+0x1101], and so is not taken for one of another file."))
{
	profiles::profile p;
	for (const char *file : {"/usr/lib/libx.so", "/usr/lib/liby.so", "",
		 "[vdso]"}) {
		profiles::frame &f = p.frames.emplace_back();
		f.name = "0x1101";
		f.address = 0x1101;
		f.module = file;
		f.flags = tools::frame_in_file;
		p.stacks.push_back({{static_cast<std::uint32_t>(
		    p.frames.size() - 1)}, "", 0, 1, 1});
	}
	profiles::frame &kernel = p.frames.emplace_back();
	kernel.kind = profiles::frame_kind::kernel;
	kernel.name = "0xffffffff81000000";
	kernel.module = "vmlinux";
	p.stacks.push_back({{4}, "", 0, 1, 1});
	BOOST_TEST(profiles::folded(p) == "0x1101 1\n0xffffffff81000000 1\n"
	    "[libx.so+0x1101] 1\n[liby.so+0x1101] 1\n[vdso+0x1101] 1\n");
	for (const std::string &graph : {profiles::flame_graph(p),
		 profiles::flame_graph_html(p), profiles::speedscope(p)})
		for (const char *name : {"[libx.so+0x1101]",
			 "[liby.so+0x1101]"})
			BOOST_TEST(graph.find(name) != graph.npos, name);
	BOOST_TEST(profiles::json(p).find("\"name\":\"0x1101\",\"module\":"
	    "\"/usr/lib/libx.so\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(equal, *description("what reads the same is one line"))
{
	profiles::profile p;
	add_stack(p, {"u:a;b", "u:c"}, 1, 3);
	add_stack(p, {"u:a:b", "u:c"}, 1, 4);
	BOOST_TEST(profiles::folded(p) == "a:b;c 7\n");
}

BOOST_AUTO_TEST_CASE(any_name,
    *description("whatever is in a name, the line stays a line of as many "
    "frames, and the weights add up"))
{
	const auto p = nasty();
	const std::string text = profiles::folded(p);
	std::uint64_t sum = 0, expected = 0;
	for (const auto &[path, weight] : parsed(text)) {
		// comm, except one that is "", and four frames
		BOOST_TEST(std::count(path.begin(), path.end(), ';') ==
		    (path.compare(0, 10, "[unknown];") == 0 ? 3 : 4), path);
		sum += weight;
	}
	for (const auto &s : p.stacks)
		expected += s.weight;
	BOOST_TEST(sum == expected);
	for (const char c : text)
		BOOST_REQUIRE((c == '\n' ||
		    static_cast<unsigned char>(c) >= 0x20));
	BOOST_TEST(text.find("tab\\011here") != text.npos);
}

BOOST_AUTO_TEST_CASE(many_stacks, *description("and of 64,000 stacks"))
{
	std::uint64_t sum = 0;
	const auto all = parsed(profiles::folded(many(64000)));
	for (const auto &[path, weight] : all)
		sum += weight;
	BOOST_TEST(all.size() == 64000u);
	BOOST_TEST(sum == 1000000u);
}

BOOST_AUTO_TEST_SUITE_END()
