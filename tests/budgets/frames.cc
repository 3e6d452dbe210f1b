// Tests unwind information that claims gigabytes, or takes for ever to run.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <memory>

#include <boost/test/unit_test.hpp>

#include "process/frame_index.h"
#include "process/elf_parts.h"
#include "process/tables.h"

#include "cfi_section.h"
#include "hostile.h"

using boost::unit_test::description;
namespace u = stack9::unwind;
using made::bytes;

namespace {

std::string
text_of(const bytes &b)
{
	return {reinterpret_cast<const char *>(b.data()), b.size()};
}

made::cie
plain_cie()
{
	made::cie c;
	c.letters = "";
	c.augmentation = {};
	return c;
}

// .debug_frame with one function of that program.
std::string
one_function(const bytes &program, std::uintptr_t size)
{
	made::section s(true);
	s.add(s.add(plain_cie()), program, 0x04, made::function, size);
	return text_of(s.all);
}

u::found
debug_row(stack9::process::file &f, std::uint64_t at)
{
	u::row r;
	return stack9::process::tables::of(f)->debug_frame_row(f, at, r);
}

elf_builder
with_frames(made_section s)
{
	elf_builder e;
	e.add(code_section());
	return e.add(std::move(s));
}

} // namespace

BOOST_AUTO_TEST_SUITE(frames, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(one_that_says_the_truth_has_a_row)
{
	const std::string all = one_function({0x41, 0x0e, 16}, 256);
	hostile h(with_frames({".debug_frame", SHT_PROGBITS, all}));
	BOOST_TEST((debug_row(*h.file, made::function) == u::found::yes));
	hostile p(with_frames({".debug_frame", SHT_PROGBITS, packed(all), 0, 0,
	    SHF_COMPRESSED}));
	BOOST_TEST((debug_row(*p.file, made::function) == u::found::yes));
}

BOOST_AUTO_TEST_CASE(the_bound_of_256_mib_holds, *description(
    "A file's unwind information may have 256 MiB."))
{
	using stack9::process::may_read;
	constexpr auto bound = stack9::budgets::unwind_info;
	BOOST_TEST(bound == 256 * MiB);
	BOOST_TEST(may_read(-1, 0, bound, bound));
	BOOST_TEST(!may_read(-1, 0, bound + 1, bound));
	{
		const budgets_by twice(2);
		BOOST_TEST(may_read(-1, 0, 2 * bound, bound));
		BOOST_TEST(!may_read(-1, 0, 2 * bound + 1, bound));
	}
	const budgets_by any(std::numeric_limits<float>::infinity());
	BOOST_TEST(may_read(-1, 0, UINT64_MAX, bound));
}

BOOST_AUTO_TEST_CASE(nor_what_is_behind_the_end, *description(
    "A part of a file that is larger than 64 KiB is read only if a quarter of "
    "it is not a hole."))
{
	using stack9::process::may_read;
	constexpr auto bound = stack9::budgets::unwind_info;
	const std::unique_ptr<std::FILE, int (*)(std::FILE *)> f(
	    std::tmpfile(), std::fclose);
	BOOST_REQUIRE(f != nullptr);
	const std::string all(MiB, 'x');	// no hole in it
	BOOST_REQUIRE(std::fwrite(all.data(), 1, MiB, f.get()) == MiB);
	BOOST_REQUIRE(std::fflush(f.get()) == 0);
	BOOST_TEST(may_read(fileno(f.get()), 0, 4 * MiB, bound));
	BOOST_TEST(!may_read(fileno(f.get()), 0, 8 * MiB, bound));
	BOOST_TEST(!may_read(fileno(f.get()), MiB, MiB, bound));
}

// The same function again and again.
static std::string
many_functions(std::size_t n)
{
	std::string all;
	for (std::size_t i = 0; i < n; i++)
		all += one_function({0x41}, 256);
	return all;
}

BOOST_AUTO_TEST_CASE(a_huge_debug_frame_is_not_read, *description(
    "A file's .debug_frame may have 32 MiB."))
{
	const counted left(left_out::unwind_tables);
	const std::size_t size = one_function({0x41}, 256).size();
	hostile h(with_frames({".debug_frame", SHT_PROGBITS,
	    many_functions(32 * MiB / size + 1)}));
	BOOST_TEST((debug_row(*h.file, made::function) == u::found::no));
	BOOST_TEST(left.now() == 1u);
	h.is_cheap();
	hostile less(with_frames({".debug_frame", SHT_PROGBITS,
	    many_functions(MiB / size)}));
	BOOST_TEST((debug_row(*less.file, made::function) == u::found::yes));
	BOOST_TEST(left.now() == 1u);
}

BOOST_AUTO_TEST_CASE(functions_without_a_table_are_few, *description(
    "A section without the linker's table may have 2 million functions."))
{
	using stack9::process::frame_index;
	const std::string all = many_functions(33);
	u::cfi_section section;
	section.bytes = {reinterpret_cast<const std::byte *>(all.data()),
	    all.size()};
	section.debug_frame = true;
	BOOST_TEST(stack9::budgets::indexed_functions == 2 * MiB);
	BOOST_TEST(!frame_index(section).is_beyond());
	const budgets_by less(1.0f / (1 << 16));	// 32 of them
	BOOST_TEST(frame_index(section).is_beyond());
}

BOOST_AUTO_TEST_CASE(a_hole_is_not_read, *description(
    "A part of a file that is larger than 64 KiB is read only if a quarter of "
    "it is not a hole."))
{
	const counted left(left_out::unwind_tables);
	const std::string all = one_function({0x41, 0x0e, 16}, 256);
	hostile h(with_frames({".debug_frame", SHT_PROGBITS, all, 0,
	    200 * MiB}));
	for (std::uintptr_t n = 0; n < 100; n++)
		BOOST_TEST((debug_row(*h.file, made::function + n) ==
		    u::found::no));
	BOOST_TEST(left.now() == 1u);
	h.is_cheap();
}

BOOST_AUTO_TEST_CASE(what_a_compressed_section_becomes_is_looked_at_before)
{
	const counted left(left_out::unwind_tables);
	std::string all = one_function({0x41, 0x0e, 16}, 256);
	all.resize(64 * MiB);
	hostile h(with_frames({".debug_frame", SHT_PROGBITS, packed(all), 0, 0,
	    SHF_COMPRESSED}));
	BOOST_TEST((debug_row(*h.file, made::function) == u::found::no));
	BOOST_TEST(left.now() == 1u);
	h.is_cheap();
}

BOOST_AUTO_TEST_CASE(a_long_program_is_not_run, *description(
    "The program of one function may have 256 KiB."))
{
	const counted left(left_out::unwind_programs);
	// Not zeros: the file system could leave them out.
	hostile h(with_frames({".debug_frame", SHT_PROGBITS,
	    one_function(bytes(300 * KiB, 0x2d), 1 << 20)}));
	for (std::uintptr_t n = 0; n < 100; n++)
		BOOST_TEST((debug_row(*h.file, made::function + n) ==
		    u::found::malformed));
	BOOST_TEST(left.now() == 100u);
}

// One long program, and how often a row of it is computed before the file has
// had its part.
class long_frames {
public:
	long_frames()
	{
		for (int n = 0; n < 5000; n++)
			program_.add(bytes{0x41, 0x0e,
			    static_cast<std::uint8_t>(8 + n % 8 * 8)});
		file_ = std::make_unique<hostile>(with_frames({".debug_frame",
		    SHT_PROGBITS, one_function(program_, 1 << 20)}));
	}

	stack9::process::file &file() { return *file_->file; }

	std::uint64_t
	bytes_until_refused()
	{
		u::found how = u::found::yes;
		std::uint64_t read = 0;
		for (; how == u::found::yes && read < 100000; read++)
			how = debug_row(file(), made::function);
		BOOST_TEST((how == u::found::malformed));
		return read * program_.size();
	}

private:
	bytes				program_;
	std::unique_ptr<hostile>	file_;
};

// The program is read once for all of its rows, and after that only so often.
BOOST_AUTO_TEST_CASE(a_program_is_not_read_for_each_pc)
{
	const counted left(left_out::unwind_programs);
	long_frames f;
	auto *const t = stack9::process::tables::of(f.file());
	u::rule r;
	BOOST_TEST(!t->known_rule(made::function, r));
	BOOST_TEST((debug_row(f.file(), made::function) == u::found::yes));
	for (std::uintptr_t n = 0; n < 5000; n++) {
		BOOST_REQUIRE(t->known_rule(made::function + n, r));
		BOOST_REQUIRE(r.cfa() == (n == 0 ? 8 : 8 + (n - 1) % 8 * 8));
	}
	BOOST_TEST(!t->known_rule(made::function + (1 << 20), r));
	BOOST_TEST(f.bytes_until_refused() < 2 *
	    stack9::budgets::long_rereading);
	BOOST_TEST(left.now() == 1u);
}

BOOST_AUTO_TEST_CASE(all_files_have_so_much_read_together, *description(
    "Long programs that are run again for each frame may have 16 MiB of a "
    "file, and 128 MiB of all files in a minute."))
{
	std::uint64_t all = 0, of_one = 0;
	for (int n = 0; n < 10; n++)
		all += of_one = long_frames().bytes_until_refused();
	BOOST_TEST(of_one < 1 * MiB);
	BOOST_TEST(all < 129 * MiB);
}

// Each of them had the rest of the program read.
BOOST_AUTO_TEST_CASE(remembered_states_do_not_multiply_the_work)
{
	bytes program(30, 0x0a);
	program.add(bytes(1 << 20, 0x2d));
	u::row r;
	BOOST_TEST((made::row_at(made::simple(program), 0, r) ==
	    u::found::malformed));
	program.assign(8, 0x0a);
	program.add(bytes(500, 0x2d));
	BOOST_TEST((made::row_at(made::simple(program), 0, r) ==
	    u::found::yes));
}

BOOST_AUTO_TEST_CASE(a_header_without_a_table_is_not_searched_for_each_pc)
{
	made::section s;
	const std::size_t cie = s.add(made::cie());
	for (std::uintptr_t n = 0; n < 20000; n++)
		s.add(cie, {0x41, 0x0e, 16}, 0x1b,
		    made::function + 16 * n, 16);
	s.end();
	bytes header{1, 0x1b, 0xff, 0xff};
	header.number(static_cast<std::int32_t>(-(s.all.size() + 4)));
	elf_builder e;
	e.add(code_section());
	e.add({".eh_frame", SHT_PROGBITS, text_of(s.all.add(header)),
	    made::address});
	hostile h(e);
	auto *const t = stack9::process::tables::of(*h.file);
	u::row r;
	for (std::uintptr_t n = 0; n < 20000; n++)
		BOOST_REQUIRE((t->eh_frame_row(*h.file,
		    made::function + 16 * n + 3, r) == u::found::yes));
}

BOOST_AUTO_TEST_SUITE_END()
