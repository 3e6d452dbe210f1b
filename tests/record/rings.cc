// Directories of segments: their order, their limits, their owner.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>

#include "made.h"
#include "tools/record/ring.h"
#include "tools/record/writer.h"

using boost::unit_test::description;

namespace {

// Puts a segment of a thousand ticks or so.
void
put_segment(recording::writer &w, unsigned int ticks)
{
	w.begin(made::info());
	for (unsigned int n = 0; n < ticks; n++)
		BOOST_REQUIRE(w.put(made::tick(n)) == 0);
}

} // namespace

BOOST_AUTO_TEST_CASE(the_oldest_are_deleted, *description(
    "--max-size bounds the directory, and files of others stay"))
{
	const made::directory dir;
	const std::string other = dir.path() + "/notes-1.txt";
	std::ofstream(other) << std::string(100000, 'x');
	recording::ring ring;
	BOOST_REQUIRE(ring.open(dir.path()) == 0);
	recording::writer w(ring, {1 << 20, 0}, {64 << 10, 1000000});
	for (int i = 0; i < 40; i++)
		put_segment(w, 600);
	w.end();
	std::uintmax_t bytes = 0;
	for (const std::string &name : dir.segments())
		bytes += std::filesystem::file_size(dir.path() + "/" + name);
	BOOST_TEST(bytes <= 1U << 20);
	BOOST_TEST(bytes > 1U << 19);
	BOOST_TEST(dir.segments().back().starts_with("00000040-"));
	BOOST_TEST(std::filesystem::exists(other));
	for (const std::string &name : dir.segments())
		BOOST_TEST(made::read(dir.path() + "/" + name).what.complete ==
		    1);
}

BOOST_AUTO_TEST_CASE(old_ones_are_deleted, *description(
    "--max-age goes by the time when a file was written last"))
{
	const made::directory dir;
	recording::ring ring;
	BOOST_REQUIRE(ring.open(dir.path()) == 0);
	recording::writer w(ring, {0, 3600}, {});
	for (int i = 0; i < 3; i++)
		put_segment(w, 3);
	w.end();
	const timespec long_ago[2] = {{1000, 0}, {1000, 0}};
	for (int i = 0; i < 2; i++)
		BOOST_REQUIRE(utimensat(AT_FDCWD, (dir.path() + "/" +
		    dir.segments()[static_cast<std::size_t>(i)]).c_str(),
		    long_ago, 0) == 0);
	put_segment(w, 3);
	w.end();
	BOOST_TEST(dir.segments().size() == 2);
}

BOOST_AUTO_TEST_CASE(numbers_go_on, *description(
    "a recorder that begins again does not begin at 1"))
{
	const made::directory dir;
	for (int i = 0; i < 3; i++) {
		recording::ring ring;
		BOOST_REQUIRE(ring.open(dir.path()) == 0);
		recording::writer w(ring, {}, {});
		put_segment(w, 2);
	}
	const auto names = dir.segments();
	BOOST_REQUIRE(names.size() == 3);
	BOOST_TEST(names[2].starts_with("00000003-"));
	struct stat s;
	BOOST_REQUIRE(stat((dir.path() + "/" + names[0]).c_str(), &s) == 0);
	BOOST_TEST((s.st_mode & 0777) == 0600);
}

BOOST_AUTO_TEST_CASE(one_recorder_a_directory, *description(
    "two recorders do not delete each other's files"))
{
	const made::directory dir;
	recording::ring first, second;
	BOOST_TEST(first.open(dir.path()) == 0);
	BOOST_TEST(second.open(dir.path()) == EBUSY);
}
