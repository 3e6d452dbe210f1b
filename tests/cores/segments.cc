// Tests the segments of small cores as elfutils reads them: it takes each to
// begin and to end with a page.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include <elf.h>

#include <cores/kept_pages.h>
#include <cores/write_core.h>

BOOST_AUTO_TEST_SUITE(segments)

namespace {

using namespace stack9::cores;

// Each byte says where it is.
std::uint8_t
byte_of(std::uint64_t address)
{
	return static_cast<std::uint8_t>(address >> 8 ^ address);
}

class memory final : public core_bytes {
	ssize_t
	read(const contents &, std::uint64_t from, void *to, std::size_t size)
	    noexcept override
	{
		for (std::size_t n = 0; n < size; n++)
			static_cast<std::uint8_t *>(to)[n] = byte_of(from + n);
		return static_cast<ssize_t>(size);
	}
};

// Reads as elfutils does: in the first segment that has the address.
template <class Ehdr, class Phdr>
int
read_by_pages(const std::string &core, std::uint64_t address)
{
	constexpr std::uint64_t page = kept_pages::page_size;
	Ehdr h;
	std::memcpy(&h, core.data(), sizeof h);
	for (unsigned n = 0; n < h.e_phnum; n++) {
		Phdr p;
		std::memcpy(&p, core.data() + h.e_phoff + n * sizeof p,
		    sizeof p);
		const std::uint64_t start = p.p_vaddr & ~(page - 1),
		    end = (p.p_vaddr + p.p_memsz + page - 1) & ~(page - 1),
		    at = p.p_offset + address - start;
		if (p.p_type == PT_LOAD && address >= start && address < end)
			return at < core.size() ? static_cast<std::uint8_t>(
			    core[at]) : -1;
	}
	return -1;
}

// A stack that begins with a page, and before it what somebody else has read.
std::string
core_of(contents &c)
{
	constexpr std::uint64_t start = 0x10000, end = 0x20000,
	    before = 0x14e00, stack = 0x15000, size = 0x1300;
	c.segments = {{start, end, 0, end - start, PF_R | PF_W, 0}};
	kept_pages pages(std::make_unique<memory>());
	pages.keep(c, before, stack - before);
	pages.keep(c, stack, size);
	return small_core(c, pages);
}

template <class Ehdr, class Phdr>
void
read_stack(contents c)
{
	const std::string core = core_of(c);
	for (std::uint64_t at = 0x15000; at < 0x16300; at += 8)
		BOOST_TEST_REQUIRE((read_by_pages<Ehdr, Phdr>(core, at)) ==
		    byte_of(at));
}

} // namespace

BOOST_AUTO_TEST_CASE(a_stack_behind_what_was_read_begins_with_a_page)
{
	contents c;
	c.about.machine = EM_X86_64;
	read_stack<Elf64_Ehdr, Elf64_Phdr>(c);
	c.about.machine = EM_386;
	c.about.is_32 = 1;
	read_stack<Elf32_Ehdr, Elf32_Phdr>(c);
}

BOOST_AUTO_TEST_SUITE_END()
