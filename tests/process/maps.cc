// Tests how /proc/TID/maps is read, line by line.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "process/maps.h"

using stack9::process::maps_line;
using stack9::process::next_line;
using stack9::process::path_of;

BOOST_AUTO_TEST_SUITE(maps)

BOOST_AUTO_TEST_CASE(a_line_is_taken_apart)
{
	std::string_view text =
	    "7f21a8157000-7f21a8179000 r-xp 00026000 fe:1a 320475"
	    "                     /usr/lib/a b\n"
	    "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0"
	    "                  [vsyscall]\n"
	    "7f21a8179000-7f21a817a000 rw-p 00000000 00:00 0 \n";
	maps_line l;
	bool deleted;
	BOOST_TEST(next_line(text, l));
	BOOST_TEST(l.start == 0x7f21a8157000);
	BOOST_TEST(l.end == 0x7f21a8179000);
	BOOST_TEST((l.readable && !l.writable && l.executable));
	BOOST_TEST(l.offset == 0x26000u);
	BOOST_TEST(l.major == 0xfeu);
	BOOST_TEST(l.minor == 0x1au);
	BOOST_TEST(l.inode == 320475u);
	BOOST_TEST(path_of(l, deleted) == "/usr/lib/a b");
	BOOST_TEST(!deleted);
	BOOST_TEST(next_line(text, l));
	BOOST_TEST(l.path == "[vsyscall]");
	BOOST_TEST((!l.readable && l.executable));
	BOOST_TEST(next_line(text, l));
	BOOST_TEST(l.path == "");
	BOOST_TEST((l.readable && l.writable && !l.executable));
	BOOST_TEST(!next_line(text, l));
}

BOOST_AUTO_TEST_CASE(what_the_kernel_adds_to_a_path_is_taken_off)
{
	maps_line l;
	bool deleted;
	l.inode = 5;
	l.path = "/tmp/a\\012b (deleted)";
	BOOST_TEST(path_of(l, deleted) == "/tmp/a\nb");
	BOOST_TEST(deleted);
	l.path = "/tmp/ (deleted) x";
	BOOST_TEST(path_of(l, deleted) == "/tmp/ (deleted) x");
	BOOST_TEST(!deleted);
	l.path = " (deleted)";
	BOOST_TEST(path_of(l, deleted) == " (deleted)");
}

BOOST_AUTO_TEST_CASE(only_the_end_of_a_path_that_nobody_can_open_is_kept)
{
	maps_line l;
	bool deleted;
	const std::string name = "/" + std::string(250, 'd');
	std::string path;
	for (int n = 0; n < 1000; n++)
		path += name;
	const std::string all = path + "/file (deleted)";
	l.inode = 5;
	l.path = all;
	const std::string end = path_of(l, deleted);
	BOOST_TEST(deleted);
	BOOST_TEST(end.size() <= 4096u);
	BOOST_TEST(end.size() > 3800u);
	BOOST_TEST(end.compare(0, name.size(), name) == 0);
	BOOST_TEST(end.compare(end.size() - 5, 5, "/file") == 0);
	const std::string no_name(5000, 'x');
	l.path = no_name;
	BOOST_TEST(path_of(l, deleted) == "");
}

BOOST_AUTO_TEST_CASE(what_is_no_line_is_none)
{
	for (const char *bad : {"", "\n", "x\n", "1000-\n", "1000-2000",
	    "2000-1000 rw-p 0 00:00 0\n", "1000-2000 rw-p 0 00:00\n",
	    "1000-2000 rw-p 0 00 00 0\n", "1000-2000rw-p 0 00:00 0\n"}) {
		std::string_view text = bad;
		maps_line l;
		BOOST_TEST(!next_line(text, l), bad);
		BOOST_TEST(text.empty());
	}
}

BOOST_AUTO_TEST_SUITE_END()
