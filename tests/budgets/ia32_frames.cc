// Tests 32-bit files whose unwind information is large or wrong.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <fstream>

#include <unistd.h>

#include "arch/described.h"
#include "remote/step_in_file.h"

#include "hostile.h"

namespace remote = stack9::remote;
using stack9::unwind::outcome;

BOOST_AUTO_TEST_SUITE(ia32_frames, *boost::unit_test::timeout(120))

namespace {

constexpr std::uint32_t code_size = 0x1000;

class zeros final : public stack9::unwind::memory {
public:
	bool
	read(std::uintptr_t, void *to, std::size_t size) noexcept override
	{
		std::memset(to, 1, size);
		return true;
	}
};

// .eh_frame of one function with that program.
blob
frames(const std::string &program)
{
	blob b;
	b.number<std::uint32_t>(16).number<std::uint32_t>(0);
	b += std::string("\1\0\1\x7c\x08\x0c\x04\x04\x88\x01\0\0", 12);
	const auto length = static_cast<std::uint32_t>(12 + program.size());
	b.number(length);
	b.number(static_cast<std::uint32_t>(b.size()));
	b.number(static_cast<std::uint32_t>(code_at)).number(code_size);
	b += program;
	b.number<std::uint32_t>(0);
	return b;
}

struct narrow_file {
	std::string	frames;
	std::uint64_t	frames_size = 0;	// claimed; 0: that of frames
	bool		sections = true;
	std::uint64_t	file_size = 0;

	void write(const std::string &path) const;
};

void
narrow_file::write(const std::string &path) const
{
	const std::string names("\0.eh_frame\0.shstrtab\0", 21);
	Elf32_Ehdr e{};
	Elf32_Phdr p{};
	Elf32_Shdr s[3]{};
	blob all;
	const std::uint32_t at = sizeof e + sizeof p + sizeof s + 32;
	std::memcpy(e.e_ident, ELFMAG, SELFMAG);
	e.e_ident[EI_CLASS] = ELFCLASS32;
	e.e_ident[EI_DATA] = ELFDATA2LSB;
	e.e_ident[EI_VERSION] = EV_CURRENT;
	e.e_type = ET_EXEC;
	e.e_machine = EM_386;
	e.e_version = EV_CURRENT;
	e.e_ehsize = sizeof e;
	e.e_phoff = sizeof e;
	e.e_phentsize = sizeof p;
	e.e_phnum = 1;
	e.e_shoff = sections ? sizeof e + sizeof p : 0;
	e.e_shentsize = sizeof s[0];
	e.e_shnum = sections ? 3 : 0;
	e.e_shstrndx = sections ? 2 : 0;
	p.p_type = PT_GNU_EH_FRAME;
	p.p_offset = p.p_vaddr = at - 32;
	p.p_filesz = 12;
	s[1].sh_name = 1;
	s[1].sh_type = SHT_PROGBITS;
	s[1].sh_addr = s[1].sh_offset = at;
	s[1].sh_size = static_cast<std::uint32_t>(frames_size != 0 ?
	    frames_size : frames.size());
	s[2].sh_name = 11;
	s[2].sh_type = SHT_STRTAB;
	s[2].sh_offset = static_cast<std::uint32_t>(at + frames.size());
	s[2].sh_size = static_cast<std::uint32_t>(names.size());
	all.number(e).number(p).number(s[0]).number(s[1]).number(s[2]);
	// .eh_frame_hdr without a table
	all.number<std::uint32_t>(0xffff1b01).number<std::uint32_t>(28);
	all.pad(1).resize(at);
	all += frames + names;
	std::ofstream(path, std::ios::binary) << all;
	BOOST_REQUIRE(truncate(path.c_str(), static_cast<off_t>(std::max({
	    std::uint64_t{all.size()}, std::uint64_t{at} + frames_size,
	    file_size}))) == 0);
}

outcome
step(const narrow_file &n, std::uint64_t times = 1)
{
	const lib::scratch dir;
	n.write(dir / "narrow");
	const auto f = opened(dir / "narrow");
	BOOST_REQUIRE(f->is_elf());
	const cost since;
	outcome how = outcome::no_info;
	for (std::uint64_t i = 0; i < times; i++) {
		zeros words;
		stack9::arch::ia32::registers r;
		r.set(stack9::arch::ia32::registers::sp, 0x8000);
		r.set(stack9::arch::ia32::registers::pc, code_at);
		how = remote::step_in_file<stack9::arch::ia32>(*f, code_at + i,
		    words, r);
	}
	BOOST_TEST(since.bytes_read() < 8 * MiB);
	BOOST_TEST(since.memory() < 8 * MiB);
	return how;
}

} // namespace

BOOST_AUTO_TEST_CASE(one_that_says_the_truth_has_a_row)
{
	BOOST_TEST((step({frames("")}) == outcome::stepped));
}

BOOST_AUTO_TEST_CASE(a_hole_is_not_read)
{
	const counted left(left_out::unwind_tables);
	BOOST_TEST((step({frames(""), 3 * GiB}, 100) == outcome::no_info));
	BOOST_TEST(left.now() == 1u);
}

// It remembers a hundred thousand states.
BOOST_AUTO_TEST_CASE(a_long_program_is_not_run_to_its_end)
{
	BOOST_TEST((step({frames(std::string(100 * KiB, 0x0a))}, 100) ==
	    outcome::malformed));
}

BOOST_AUTO_TEST_CASE(a_file_without_sections_is_not_read_whole)
{
	BOOST_TEST((step({frames(""), 0, false, 8 * GiB}, 100) ==
	    outcome::no_info));
}

BOOST_AUTO_TEST_SUITE_END()
