// Tests headers that claim millions of sections, segments and notes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "process/tables.h"
#include "symbols/image.h"

#include "hostile.h"

using boost::unit_test::description;

namespace {

elf_builder
small()
{
	elf_builder e;
	e.add(code_section());
	return e.function("function", 0x1000);
}

void
is_no_elf(const elf_builder &e)
{
	const counted left(left_out::headers);
	hostile h(e);
	BOOST_TEST(!h.file->is_elf());
	h.line(0x1000);
	BOOST_TEST(left.now() >= 1u);
	h.is_cheap();
}

} // namespace

BOOST_AUTO_TEST_SUITE(headers, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(many_sections, *description(
    "A file may have 16384 sections and 4096 segments."))
{
	elf_builder e = small();
	e.sections = 1 << 26;
	e.file_size = 8 * GiB;
	is_no_elf(e);
}

BOOST_AUTO_TEST_CASE(many_segments)
{
	elf_builder e = small();
	e.segments = 0x7fffffff;
	e.sections = 5;
	e.file_size = 200 * GiB;
	is_no_elf(e);
}

BOOST_AUTO_TEST_CASE(large_names_of_sections)
{
	elf_builder e = small();
	e.names_size = 3 * GiB;
	const counted left(left_out::headers);
	hostile h(e);
	BOOST_TEST(h.file->is_elf());
	BOOST_TEST(h.name(code_at) == "function");
	BOOST_TEST(h.line(code_at) == "");
	stack9::unwind::row r;
	auto *const t = stack9::process::tables::of(*h.file);
	BOOST_TEST((t->eh_frame_row(*h.file, code_at, r) !=
	    stack9::unwind::found::yes));
	BOOST_TEST((t->debug_frame_row(*h.file, code_at, r) !=
	    stack9::unwind::found::yes));
	BOOST_TEST(left.now() >= 3u);
	h.is_cheap();
}

BOOST_AUTO_TEST_CASE(many_notes)
{
	elf_builder e = small();
	for (std::uint64_t n = 1; n < 300; n++) {
		Elf64_Phdr p{};
		p.p_type = PT_NOTE;
		p.p_offset = n * 64 * KiB;
		p.p_filesz = 1 * GiB;
		p.p_align = 4;
		e.segment(p);
	}
	e.file_size = 8 * GiB;
	hostile h(e);
	BOOST_TEST(h.file->is_elf());
	BOOST_TEST(h.file->build_id().empty());
	BOOST_TEST(h.since.bytes_read() < 256 * KiB);
	// In this process the notes are read one by one.
	const cost reading;
	stack9::find_build_id(stack9::bytes{h.file->fd()}, {false, 0});
	BOOST_TEST(reading.bytes_read() < 256 * KiB);
}

BOOST_AUTO_TEST_SUITE_END()
