// Tests damaged call frame information: it is never read past its ends, and
// never gone through without end.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <new>
#include <random>

#include <sys/mman.h>
#include <unistd.h>

#include "cfi_section.h"

namespace u = stack9::unwind;
using made::bytes;

namespace {

// Memory for a section that ends, or begins, where nothing can be read.
class fenced {
public:
	fenced()
	{
		const auto page = static_cast<std::size_t>(getpagesize());
		void *const at = mmap(nullptr, 3 * page, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED || mprotect(static_cast<char *>(at) + page,
		    page, PROT_READ | PROT_WRITE) != 0)
			throw std::bad_alloc();
		map_ = {static_cast<std::byte *>(at), 3 * page};
		inner_ = map_.subspan(page, page);
	}
	~fenced() { munmap(map_.data(), map_.size()); }
	fenced(const fenced &) = delete;
	fenced &operator=(const fenced &) = delete;

	std::span<const std::byte>
	at_end(std::span<const std::uint8_t> b)
	{
		const auto to = inner_.last(b.size());
		std::memcpy(to.data(), b.data(), b.size());
		return to;
	}

	std::span<const std::byte>
	at_start(std::span<const std::uint8_t> b)
	{
		const auto to = inner_.first(b.size());
		std::memcpy(to.data(), b.data(), b.size());
		return to;
	}

private:
	std::span<std::byte> map_, inner_;
};

// A bit of everything, and a header with a table after it.
bytes
rich_image(std::size_t &hdr)
{
	made::section s;
	made::cie c;

	c.letters = "zPLR";
	c.augmentation = {0x9b, 1, 2, 3, 4, 0x1b, 0x1b};
	const std::size_t cie = s.add(c);
	const std::size_t fde = s.add(cie, {0x41, 0x0e, 16, 0x86, 2, 0x0a,
	    0x02, 1, 0x0f, 3, 0x77, 8, 0x06, 0x10, 3, 2, 0x76, 0, 0x41, 0x0b,
	    0xc3, 0x2e, 0x80, 0x01, 0x41, 0x16, 3, 1, 0x50});
	s.end();
	hdr = s.all.size();
	s.all.add(bytes{1, 0x1b, 0x03, 0x3b});
	s.all.number(static_cast<std::int32_t>(-(hdr + 4)));
	s.all.number<std::uint32_t>(1);
	s.all.number(static_cast<std::int32_t>(made::function -
	    made::address - hdr));
	s.all.number(static_cast<std::int32_t>(fde - hdr));
	return s.all;
}

bool
is_inside(std::span<const std::byte> part, std::span<const std::byte> all)
{
	return part.empty() || (part.data() >= all.data() &&
	    part.data() + part.size() <= all.data() + all.size());
}

// Every way in, for some pcs; what a row points to is in the section.
void
look(std::span<const std::byte> all, std::size_t hdr)
{
	for (const bool debug_frame : {false, true})
		for (std::uintptr_t n = 0; n < 5; n++) {
			const u::cfi_section s = {all, made::address,
			    debug_frame, made::text, made::data};
			const std::uintptr_t pc = made::function + n;
			u::row rows[3];
			const u::found how[] = {
				u::row_by_search(s, pc, rows[0]),
				u::row_by_header(s, made::address + hdr, pc,
				    rows[1]),
				u::row_of_fde(s, n * 8, pc, rows[2]),
			};
			for (int i = 0; i < 3; i++)
				if (how[i] == u::found::yes && !is_inside(
				    rows[i].cfa_expression, all))
					BOOST_ERROR("outside");
		}
}

} // namespace

BOOST_AUTO_TEST_CASE(a_section_that_is_cut_anywhere_is_not_read_past_its_end)
{
	fenced fence;
	std::size_t hdr = 0;
	const bytes all = rich_image(hdr);

	for (std::size_t size = 0; size <= all.size(); size++)
		look(fence.at_end(std::span(all).first(size)), hdr);
	u::row r;
	BOOST_TEST((u::row_by_header({fence.at_end(all), made::address},
	    made::address + hdr, made::function, r) == u::found::yes));
}

BOOST_AUTO_TEST_CASE(any_byte_may_be_wrong)
{
	fenced fence;
	std::size_t hdr = 0;
	bytes all = rich_image(hdr);

	for (auto &byte : all) {
		const auto right = byte;
		for (const unsigned int wrong : {0x00, 0x01, 0x7f, 0x80, 0xff,
		    right ^ 0x01, right ^ 0x10, right ^ 0x80, right + 1,
		    right - 1, right ^ 0x40}) {
			byte = static_cast<std::uint8_t>(wrong);
			look(fence.at_end(all), hdr);
			look(fence.at_start(all), hdr);
		}
		byte = right;
	}
}

BOOST_AUTO_TEST_CASE(many_bytes_may_be_wrong)
{
	fenced fence;
	std::size_t hdr = 0;
	const bytes right = rich_image(hdr);
	std::mt19937 random(4711);

	for (int n = 0; n < 20000; n++) {
		bytes all = right;
		for (unsigned int k = 0; k <= random() % 8; k++)
			all[random() % all.size()] =
			    static_cast<std::uint8_t>(random());
		look(fence.at_end(all), hdr);
		look(fence.at_start(all), hdr);
	}
}

// Each would take hours if it took the square of its length.
BOOST_AUTO_TEST_CASE(the_time_it_takes_is_bounded,
    *boost::unit_test::timeout(60))
{
	constexpr std::size_t many = 1 << 20;
	u::row r;

	// States that are remembered and never come back.
	BOOST_TEST((made::row_at(made::simple(bytes(many, 0x0a)), 0, r) ==
	    u::found::malformed));
	// A register that is restored again and again from a long CIE.
	made::cie c;
	c.program.add(bytes(many, 0x2d));
	BOOST_TEST((made::row_at(made::simple(bytes(many, 0xc3), c), 0, r) ==
	    u::found::yes));
	// Functions that take turns with two CIEs of long augmentations, and
	// with two of long numbers.
	for (const bool letters : {true, false}) {
		made::section s;
		made::cie wild;
		if (letters)
			wild.letters.append(many, 'B');
		else
			wild.code_factor.assign(many, 0x80);
		const std::size_t cies[] = {s.add(wild), s.add(wild)};
		for (std::size_t n = 0; n < 100000; n++)
			s.add(cies[n % 2], {});
		s.end();
		made::row_at(s, 0, r);
	}
}

BOOST_AUTO_TEST_CASE(entries_that_point_to_themselves_are_malformed)
{
	made::section s;
	u::row r;

	const std::size_t cie = s.add(made::cie());
	const std::size_t fde = s.add(cie, {});
	const std::uint32_t back[] = {4, 0x7fffffff,
	    static_cast<std::uint32_t>(fde)};
	for (const std::uint32_t distance : back) {
		made::section wrong = s;
		std::memcpy(&wrong.all[fde + 4], &distance, 4);
		BOOST_TEST((u::row_of_fde(wrong.view(), fde, made::function,
		    r) == u::found::malformed));
	}
	BOOST_TEST((u::row_of_fde(s.view(), cie, made::function, r) ==
	    u::found::malformed));
	BOOST_TEST((u::row_of_fde(s.view(), fde, made::function, r) ==
	    u::found::yes));
}
