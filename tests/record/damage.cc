// Tests files that are cut, damaged or made by an enemy.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <limits>

#include "made.h"
#include "tools/record/framing.h"
#include "tools/record/identity.h"
#include "tools/record/limits.h"
#include "tools/record/messages.h"

using boost::unit_test::description;

namespace {

// The bytes of a tick that has this done to it, after a whole one.
template <class Spoil>
std::string
spoilt(Spoil spoil)
{
	std::string bytes;
	put_record(bytes, recording::record_type::segment,
	    encode(made::info()));
	put_record(bytes, recording::record_type::tick, encode(made::tick(0)));
	recording::tick t = made::tick(1);
	spoil(t);
	put_record(bytes, recording::record_type::tick, encode(t));
	return bytes;
}

template <class Spoil>
void
is_refused(Spoil spoil)
{
	const made::directory dir;
	const made::reading r = made::read(dir.file(spoilt(spoil)));
	BOOST_TEST(r.what.ticks == 1);
	BOOST_TEST(r.what.all_are_right);
	BOOST_TEST(r.complaints.size() == 1);
}

} // namespace

BOOST_AUTO_TEST_CASE(what_is_written_is_read, *description("round trip"))
{
	const made::directory dir;
	const made::reading r = made::read(dir.file(made::segment(40)));
	BOOST_TEST(r.error == 0);
	BOOST_TEST(r.what.ticks == 40);
	BOOST_TEST(r.what.all_are_right);
	BOOST_TEST(r.what.complete == 1);
	BOOST_TEST(r.complaints.empty());
}

BOOST_AUTO_TEST_CASE(files_may_be_joined, *description(
    "FILES: Files may be joined by cat(1)."))
{
	const made::directory dir;
	const made::reading r = made::read(dir.file(made::segment(3) +
	    made::segment(5) + made::segment(2)));
	BOOST_TEST(r.segments == 3);
	BOOST_TEST(r.ticks == 10);
	BOOST_TEST(r.what.all_are_right);
}

BOOST_AUTO_TEST_CASE(cut_at_every_byte, *description(
    "RECORDS: If a file ends within a record, only that record is lost."))
{
	const made::directory dir;
	const std::string whole = made::segment(12);
	const std::string path = dir.file(whole);
	unsigned int last = 12;
	for (std::size_t size = whole.size(); size-- > 0;) {
		std::filesystem::resize_file(path, size);
		const made::reading r = made::read(path);
		BOOST_REQUIRE(r.error == 0);
		BOOST_REQUIRE(r.complaints.empty());
		BOOST_REQUIRE(r.what.all_are_right);
		BOOST_REQUIRE(r.what.ticks <= last);
		BOOST_REQUIRE(last - r.what.ticks <= 1);
		BOOST_REQUIRE(r.what.complete == 0);
		last = r.what.ticks;
	}
	BOOST_TEST(last == 0);
}

BOOST_AUTO_TEST_CASE(every_bit_flipped, *description(
    "RECORDS: A record whose checksum is wrong ends its segment."))
{
	const made::directory dir;
	const std::string whole = made::segment(6);
	const std::string path = dir.file(whole);
	std::fstream file(path, std::ios::binary | std::ios::in |
	    std::ios::out);
	for (std::size_t bit = 0; bit < whole.size() * 8; bit++) {
		const auto at = static_cast<std::streamoff>(bit / 8);
		file.seekp(at).put(static_cast<char>(whole[bit / 8] ^
		    1 << bit % 8)).flush();
		const made::reading r = made::read(path);
		BOOST_REQUIRE(r.what.all_are_right);
		BOOST_REQUIRE(r.what.complete == 0);
		file.seekp(at).put(whole[bit / 8]).flush();
	}
	BOOST_TEST(made::read(path).what.ticks == 6);
}

BOOST_AUTO_TEST_CASE(a_segment_behind_damage_is_read, *description(
    "RECORDS: A segment that follows in the same file is read."))
{
	const made::directory dir;
	std::string first = made::segment(6);
	first[first.size() / 2] ^= 1;
	const made::reading r = made::read(dir.file(first +
	    std::string(3000, 'x') + made::segment(4)));
	BOOST_TEST(r.what.ticks == 4);
	BOOST_TEST(r.what.all_are_right);
	BOOST_TEST(r.what.complete == 1);
	BOOST_TEST(!r.complaints.empty());
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_record, *description(
    "RECORDS: A file that does not begin with a segment is refused at its "
    "first bytes."))
{
	const made::reading zeros = made::read("/dev/zero");
	BOOST_TEST(zeros.complaints.size() == 1U);
	BOOST_TEST(zeros.bytes == 0U);
	const made::directory dir;
	const std::string path = dir.file(std::string(100, 'x') +
	    made::segment(2));
	std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
	const made::reading sparse = made::read(path);
	BOOST_TEST(sparse.complaints.size() == 1U);
	BOOST_TEST(sparse.bytes == 0U);
	BOOST_TEST(sparse.ticks == 0U);
}

BOOST_AUTO_TEST_CASE(a_record_with_a_sparse_end, *description(
    "RECORDS: It is searched for in the next 128 MiB."))
{
	const made::directory dir;
	const std::string path = dir.file(made::segment(4));
	std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
	const made::reading r = made::read(path);
	BOOST_TEST(r.what.ticks == 4);
	BOOST_TEST(r.complaints.size() == 2U);
	BOOST_TEST(r.bytes < std::uint64_t{200} << 20);
}

BOOST_AUTO_TEST_CASE(numbers_that_refer_to_nothing, *description(
    "what a tick refers to has to be there"))
{
	using recording::tick;
	is_refused([](tick &t) { t.frames[0].module = 99; });
	is_refused([](tick &t) {	// and no stack has it
		t.frames.push_back(t.frames[0]);
		t.frames.back().module = 99;
	});
	is_refused([](tick &t) { t.stacks[0].frames[0] = 99; });
	is_refused([](tick &t) { t.stacks[0].frames[0] = 0; });
	is_refused([](tick &t) { t.stacks[0].id[3] ^= 1; });
	is_refused([](tick &t) { t.threads.push_back({1, 99, 1, "x"}); });
	is_refused([](tick &t) { t.bases.push_back({99, 1, 1}); });
	is_refused([](tick &t) { t.bases.push_back({1, 99, 1}); });
	is_refused([](tick &t) { t.names.push_back({99, "x"}); });
	is_refused([](tick &t) { t.gone.push_back(99); });
	is_refused([](tick &t) { t.changes[0].thread = 99; });
	is_refused([](tick &t) { t.changes[0].now.kernel = 99; });
	is_refused([](tick &t) { t.changes[0].now.user = 99; });
	is_refused([](tick &t) { t.changes[0].now.wait = 1; });
	is_refused([](tick &t) { t.counts.push_back({1, 1, 0, 0, 1, 0}); });
	is_refused([](tick &t) {
		t.events.push_back({"e", false});
		t.counts.push_back({1, 99, 0, 0, 1, 0});
	});
	is_refused([](tick &t) {
		t.events.push_back({"e", false});
		t.counts.push_back({1, 1, 99, 0, 1, 0});
	});
	is_refused([](tick &t) { t.boot_ns = 1; });
	is_refused([](tick &t) { t.boot_ns = ~std::uint64_t{0}; });
	is_refused([](tick &t) {
		t.wall_minus_boot = std::numeric_limits<std::int64_t>::max();
	});
	is_refused([](tick &t) { t.changes[0].now.cpu = 1 << 21; });
	is_refused([](tick &t) { t.frames[0].name.assign(1 << 20, 'x'); });
}

// The distance from one number to the next goes round all that there are.
BOOST_AUTO_TEST_CASE(threads_that_do_not_ascend, *description(
    "changed: the numbers of threads ascend"))
{
	using recording::tick;
	const auto has_changed = [](tick &t, std::uint32_t thread) {
		t.changes.insert(t.changes.begin(), t.changes[0]);
		t.changes[0].thread = thread;
	};
	is_refused([&](tick &t) { has_changed(t, t.changes[0].thread); });
	is_refused([&](tick &t) { has_changed(t, t.changes[0].thread + 1); });
	const made::directory dir;
	BOOST_TEST(made::read(dir.file(spoilt([&](tick &t) {
		has_changed(t, t.changes[0].thread - 1);
	}))).ticks == 2u);
}

// The rest of it is right: its frames are there, and so is its name.
BOOST_AUTO_TEST_CASE(a_deep_stack, *description(
    "a file of an enemy takes no more memory than the limits say"))
{
	using recording::most_frames_of_stack;
	const auto has_frames = [](std::size_t many) {
		return [=](recording::tick &t) {
			const recording::module of{"/usr/bin/made", "\x04\x05",
			    false, false};
			recording::stack &s = t.stacks[0];
			s.frames.assign(many, 2);
			s.id = identity_of(s, {{}, identity_of(t.frames[0],
			    &of)});
		};
	};
	const made::directory dir;
	BOOST_TEST(made::read(dir.file(spoilt(has_frames(
	    most_frames_of_stack)))).ticks == 2u);
	is_refused(has_frames(most_frames_of_stack + 1));
}

// The rest of it is right.
BOOST_AUTO_TEST_CASE(the_first_record, *description(
    "a file begins with what its segment is"))
{
	const made::directory dir;
	for (const auto type : {recording::record_type::segment,
	    recording::record_type::tick, recording::record_type::end}) {
		std::string bytes;
		recording::segment_info info;
		put_record(bytes, type, encode(made::info()));
		BOOST_TEST(recording::read_info(dir.file(bytes), info) ==
		    (type == recording::record_type::segment ? 0 : EINVAL));
	}
}

BOOST_AUTO_TEST_CASE(long_lists_are_refused, *description(
    "a file of an enemy takes no more memory than the limits say"))
{
	const made::directory dir;
	std::string head;
	put_record(head, recording::record_type::segment,
	    encode(made::info()));
	// Two bytes in the file are a frame of a hundred in memory.
	std::string frames;
	for (std::size_t i = 0; i <= recording::most_entries; i++)
		frames += {'\x12', '\0'};
	std::string bytes = head;
	put_record(bytes, recording::record_type::tick, frames);
	made::reading r = made::read(dir.file(bytes));
	BOOST_TEST(r.what.ticks == 0);
	BOOST_TEST(r.complaints.size() == 1);
	// A length that is not there.
	bytes = head + std::string("S9R\2\xff\xff\xff\xff", 8) +
	    std::string(100, 'x');
	r = made::read(dir.file(bytes));
	BOOST_TEST(r.complaints.size() == 1);
	// No record at all.
	r = made::read(dir.file("#!/bin/sh\n"));
	BOOST_TEST(r.complaints.size() == 1);
	BOOST_TEST(made::read(dir.file("")).complaints.empty());
	BOOST_TEST(made::read(dir.path() + "/none").error == ENOENT);
}
