// Tests the formats of call frame information: rows of sections made by hand.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "cfi_section.h"

namespace bdata = boost::unit_test::data;
namespace u = stack9::unwind;
using made::bytes;

namespace {

// push fp; mov sp,fp: three rows.
const bytes prologue = {0x41, 0x0e, 16, 0x80 + u::register_fp, 2,
    0x43, 0x0d, u::register_fp};

void
check_prologue(const made::section &s)
{
	u::row r;

	BOOST_REQUIRE(made::row_at(s, 0, r) == u::found::yes);
	BOOST_TEST(r.cfa_register == u::register_sp);
	BOOST_TEST(r.cfa_offset == 8);
	BOOST_TEST(r.return_column == made::column);
	BOOST_TEST(made::place_of(r, made::column).what == u::place::offset);
	BOOST_TEST(made::place_of(r, made::column).number == -8);
	BOOST_TEST(made::place_of(r, u::register_fp).what ==
	    u::place::unspecified);
	BOOST_REQUIRE(made::row_at(s, 1, r) == u::found::yes);
	BOOST_TEST(r.cfa_offset == 16);
	BOOST_TEST(made::place_of(r, u::register_fp).number == -16);
	BOOST_REQUIRE(made::row_at(s, 3, r) == u::found::yes);
	BOOST_TEST(r.cfa_register == u::register_sp);
	BOOST_REQUIRE(made::row_at(s, 4, r) == u::found::yes);
	BOOST_TEST(r.cfa_register == u::register_fp);
	BOOST_TEST(r.cfa_offset == 16);
	BOOST_TEST(r.begin == made::function);
	BOOST_TEST(r.end == made::function + made::function_size);
	BOOST_TEST(!r.signal_frame);
	BOOST_TEST((made::row_at(s, made::function_size - 1, r) ==
	    u::found::yes));
	BOOST_TEST((made::row_at(s, made::function_size, r) == u::found::no));
	BOOST_TEST((made::row_at(s, ~std::uintptr_t{0}, r) == u::found::no));
}

} // namespace

BOOST_DATA_TEST_CASE(all_versions_and_both_sections_say_the_same,
    bdata::make({1, 3, 4}) * bdata::make({false, true}) *
    bdata::make({false, true}), version, debug_frame, wide)
{
	made::section s(debug_frame, wide);
	made::cie c;
	std::uint8_t encoding = 0x1b;

	c.version = version;
	if (debug_frame) {
		c.letters.clear();
		encoding = 0x04;
	}
	// Others before it are passed.
	const std::size_t other = s.add(made::cie());
	s.add(other, prologue, 0x1b, 0x900, 0x10);
	s.add(s.add(c), prologue, encoding);
	if (!debug_frame)
		s.end();
	check_prologue(s);
}

BOOST_DATA_TEST_CASE(every_encoding_of_pointers_is_known,
    bdata::make({0x00, 0x10, 0x20, 0x30, 0x50}) *
    bdata::make({0x00, 0x01, 0x02, 0x03, 0x04, 0x09, 0x0a, 0x0b, 0x0c}),
    base, format)
{
	const auto encoding = static_cast<std::uint8_t>(base | format);
	made::section s;
	made::cie c;

	if (base == 0x50 && format != 0)
		return;		// DW_EH_PE_aligned is never combined
	c.augmentation = {encoding};
	s.add(s.add(c), prologue, encoding);
	check_prologue(s);
}

BOOST_AUTO_TEST_CASE(a_pointer_to_a_pointer_is_refused)
{
	made::section s;
	made::cie c;
	u::row r;

	c.augmentation = {0x9b};
	s.add(s.add(c), prologue, 0x9b);
	BOOST_TEST((made::row_at(s, 0, r) == u::found::malformed));
}

BOOST_AUTO_TEST_CASE(the_letters_of_an_augmentation_may_stand_in_any_order)
{
	made::cie c;

	c.letters = "zPLR";
	for (const std::uint8_t personality : {0x00, 0x03, 0x9b, 0x1b, 0x0c}) {
		c.augmentation = {personality};
		c.augmentation.formatted(personality, 0x1234);
		c.augmentation.add(bytes{0x1b, 0x1b});
		check_prologue(made::simple(prologue, c));
	}
	c.letters = "zRBLGP";
	c.augmentation = {0x1b, 0x1b, 0xff};
	check_prologue(made::simple(prologue, c));
}

BOOST_AUTO_TEST_CASE(a_letter_s_marks_the_frames_of_signals)
{
	made::cie c;
	c.letters = "zRS";
	BOOST_TEST(made::row_of({}, 0, c).signal_frame);
	BOOST_TEST(!made::row_of({}).signal_frame);
}

BOOST_AUTO_TEST_CASE(a_letter_that_is_not_known_is_refused)
{
	made::cie c;
	u::row r;
	c.letters = "zQR";
	BOOST_TEST((made::row_at(made::simple(prologue, c), 0, r) ==
	    u::found::malformed));
}

BOOST_AUTO_TEST_CASE(a_return_address_in_no_register_of_the_cpus_is_refused)
{
	made::cie c;
	u::row r;
	c.version = 3;
	for (const std::uint64_t column : {std::uint64_t{u::register_count},
	    std::uint64_t{127}, (std::uint64_t{1} << 32) + made::column}) {
		c.return_column = column;
		BOOST_TEST((made::row_at(made::simple(prologue, c), 0, r) ==
		    u::found::malformed));
	}
}

BOOST_AUTO_TEST_CASE(numbers_may_be_padded_but_not_without_end)
{
	made::cie c;
	u::row r;
	c.code_factor.assign(12, 0x80);
	c.code_factor.front() = 0x81;
	c.code_factor.push_back(0);
	check_prologue(made::simple(prologue, c));
	c.code_factor.insert(c.code_factor.begin() + 1, 20, 0x80);
	BOOST_TEST((made::row_at(made::simple(prologue, c), 0, r) ==
	    u::found::malformed));
}

BOOST_AUTO_TEST_CASE(an_augmentation_of_the_first_compilers_is_passed)
{
	made::section s;
	made::cie c;

	c.letters = "eh";
	s.add(s.add(c), prologue, 0x00);
	check_prologue(s);
}

BOOST_AUTO_TEST_CASE(a_cie_that_is_not_known_hides_its_own_functions_only)
{
	made::section s;
	made::cie unknown;
	u::row r;

	unknown.version = 9;
	s.add(s.add(unknown), prologue, 0x1b, made::function + 0x800);
	s.add(s.add(made::cie()), prologue);
	check_prologue(made::simple(prologue));
	BOOST_TEST((made::row_at(s, 0, r) == u::found::yes));
	BOOST_TEST((made::row_at(s, 0x800, r) == u::found::malformed));
}

namespace {

struct image {
	bytes		all;
	std::size_t	hdr;	// offset

	u::found
	look(std::uintptr_t pc, u::row &r) const
	{
		return u::row_by_header({std::as_bytes(std::span(all)),
		    made::address}, made::address + hdr, pc, r);
	}
};

// Functions of 0x20 bytes each 0x40, whose CFA offsets are 8, 16, 24 ...
image
with_table(std::uint8_t encoding, unsigned int functions)
{
	made::section s;
	const std::size_t cie = s.add(made::cie());
	std::vector<std::size_t> fdes;

	for (unsigned int n = 0; n < functions; n++)
		fdes.push_back(s.add(cie, bytes{0x0e}.uleb(8 * (n + 1)), 0x1b,
		    made::function + 0x40 * n, 0x20));
	s.end();
	image i{s.all, s.all.size()};
	const std::uint8_t count = encoding == 0xff ? 0xff : 0x03;
	i.all.add(bytes{1, 0x1b, count, encoding});
	i.all.number(static_cast<std::int32_t>(-(i.hdr + 4)));
	if (count == 0xff)
		return i;
	i.all.number<std::uint32_t>(functions);
	for (unsigned int n = 0; n < functions; n++)
		for (const std::uintptr_t to : {made::function + 0x40 * n,
		    made::address + fdes[n]}) {
			const std::uintptr_t at = made::address + i.all.size();
			const int base = encoding & 0x70;
			i.all.formatted(encoding, to - (base == 0x10 ? at :
			    base == 0x30 ? made::address + i.hdr : 0));
		}
	return i;
}

} // namespace

BOOST_DATA_TEST_CASE(a_table_of_any_encoding_finds_each_function,
    bdata::make({0x3b, 0x03, 0x0b, 0x1b, 0x3a, 0x02, 0x00, 0x04, 0x3c, 0x10,
    0x01, 0xff}) * bdata::make({0, 1, 2, 3, 7, 64}), encoding, functions)
{
	const image i = with_table(static_cast<std::uint8_t>(encoding),
	    static_cast<unsigned int>(functions));
	u::row r;

	for (int n = 0; n < functions; n++) {
		const std::uintptr_t pc = made::function +
		    0x40 * static_cast<std::uintptr_t>(n);
		for (const std::uintptr_t offset : {0x00, 0x1f}) {
			BOOST_REQUIRE(i.look(pc + offset, r) ==
			    u::found::yes);
			BOOST_TEST(r.cfa_offset == 8 * (n + 1));
		}
		BOOST_TEST((i.look(pc + 0x20, r) == u::found::no));
		BOOST_TEST((i.look(pc - 1, r) == u::found::no));
	}
	for (const std::uintptr_t pc : {std::uintptr_t{0}, made::function - 1,
	    std::uintptr_t{1} << 40, ~std::uintptr_t{0}})
		BOOST_TEST((i.look(pc, r) == u::found::no));
}

BOOST_AUTO_TEST_CASE(a_header_that_is_elsewhere_or_too_long_is_malformed)
{
	image i = with_table(0x3b, 3);
	u::row r;

	for (const std::size_t hdr : {i.all.size(), i.all.size() - 3,
	    std::size_t{0} - 4, std::size_t{1} << 40}) {
		const image other{i.all, hdr};
		BOOST_TEST((other.look(made::function, r) ==
		    u::found::malformed));
	}
	for (const std::uint32_t count : {4u, 0x20000000u, 0xffffffffu}) {
		std::memcpy(&i.all[i.hdr + 8], &count, 4);
		BOOST_TEST((i.look(made::function, r) ==
		    u::found::malformed));
	}
}

BOOST_DATA_TEST_CASE(a_table_gives_the_functions_that_may_cover_a_stretch,
    bdata::make({0x3b, 0x03, 0x1b, 0x3a, 0x04}) * bdata::make({0, 1, 3, 64}),
    encoding, functions)
{
	const image i = with_table(static_cast<std::uint8_t>(encoding),
	    static_cast<unsigned int>(functions));
	const u::cfi_section s{std::as_bytes(std::span(i.all)), made::address};
	const auto begin = [](int n) { return made::function + 0x40 * n; };

	for (auto from = begin(-1); from < begin(5); from += 0x10)
		for (auto to = from + 1; to < begin(6); to += 0x1f) {
			std::vector<std::uintptr_t> right, told;
			for (int n = 0; n < functions; n++)
				if (begin(n) < to && (n + 1 == functions ||
				    begin(n + 1) > from))
					right.push_back(begin(n));
			std::size_t many = 0;
			BOOST_TEST(u::fdes_by_header(s, made::address + i.hdr,
			    from, to, {}, many) == right.empty());
			BOOST_TEST(many == right.size());
			std::vector<u::fde_place> all(right.size() + 1);
			BOOST_TEST(u::fdes_by_header(s, made::address + i.hdr,
			    from, to, all, many));
			for (std::size_t n = 0; n < many; n++)
				told.push_back(all[n].begin);
			BOOST_TEST(told == right);
		}
}
