// Tests symbol tables that claim gigabytes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "symbols/elf_table.h"
#include "symbols/symbol_section.h"

#include "hostile.h"

using boost::unit_test::description;

namespace {

// .symtab and .strtab, the one or the other with a hole after it.
elf_builder
with_hole(std::uint64_t symbols, std::uint64_t names, std::uint16_t machine)
{
	elf_builder e(machine);
	Elf64_Sym s[2]{};
	s[1].st_name = 1;
	s[1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
	s[1].st_shndx = 1;
	s[1].st_value = code_at;
	s[1].st_size = 16;
	e.add(code_section());
	e.add({".symtab", SHT_SYMTAB, std::string(
	    reinterpret_cast<const char *>(s), sizeof s), 0, symbols, 0,
	    ".strtab", sizeof s[0]});
	return e.add({".strtab", SHT_STRTAB, std::string("\0function\0", 10),
	    0, names});
}

} // namespace

BOOST_AUTO_TEST_SUITE(symbol_tables, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_file_that_says_the_truth_is_named)
{
	hostile h(with_hole(0, 0, EM_X86_64));
	BOOST_TEST(h.name(code_at + 4) == "function");
	BOOST_TEST(h.name(code_at + 16) == "");
}

BOOST_AUTO_TEST_CASE(symbols_of_3_gb_that_are_a_hole_are_left_out,
    *description(
    "A file's symbols may have 256 MiB, and their names 1 GiB."))
{
	const counted left(left_out::symbol_tables);
	hostile h(with_hole(3 * GiB, 0, EM_X86_64));
	for (int n = 0; n < 20; n++)
		BOOST_TEST(h.name(code_at + 4) == "");
	BOOST_TEST(left.now() == 1u);
	h.is_cheap();
}

BOOST_AUTO_TEST_CASE(names_of_6_gb_that_are_a_hole_are_left_out)
{
	const counted left(left_out::symbol_tables);
	hostile h(with_hole(0, 6 * GiB, EM_X86_64));
	for (std::uint64_t n = 0; n < 20; n++)
		BOOST_TEST(h.name(code_at + n) == "");
	BOOST_TEST(left.now() == 1u);
	h.is_cheap();
}

// The caller's own modules are read by libelf, and so are those of the other
// class.
BOOST_AUTO_TEST_CASE(a_table_by_libelf_is_bounded_in_the_same_way)
{
	const counted left(left_out::symbol_tables);
	for (const auto &e : {with_hole(3 * GiB, 0, EM_X86_64),
	    with_hole(0, 6 * GiB, EM_X86_64)}) {
		hostile h(e);
		BOOST_TEST(stack9::elf_table(h.file->fd(),
		    h.file->elf()).size() == 0u);
		h.is_cheap();
	}
	BOOST_TEST(left.now() == 2u);
}

BOOST_AUTO_TEST_CASE(a_hole_within_a_table_is_no_harm)
{
	hostile h(with_hole(40 * KiB, 40 * KiB, EM_X86_64));
	BOOST_TEST(h.name(code_at + 4) == "function");
}

BOOST_AUTO_TEST_CASE(what_all_files_keep_is_bounded, *description(
    "All that is kept of files may have 8 GiB."))
{
	const counted left(left_out::symbol_tables);
	const budgets_by little(1e-7f);		// 858 bytes
	elf_builder e;
	e.add(code_section());
	Elf64_Sym s{};
	std::string all(reinterpret_cast<const char *>(&s), sizeof s);
	for (std::uint64_t n = 0; n < 100; n++) {
		s.st_name = 1;
		s.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
		s.st_shndx = 1;
		s.st_value = code_at + n;
		s.st_size = 1;
		all.append(reinterpret_cast<const char *>(&s), sizeof s);
	}
	const lib::scratch dir;
	e.add({".symtab", SHT_SYMTAB, all, 0, 0, 0, ".strtab", sizeof s});
	e.add({".strtab", SHT_STRTAB, std::string("\0f\0", 3)});
	e.write(dir / "f");
	const stack9::unique_fd fd(open((dir / "f").c_str(), O_RDONLY));
	stack9::symbol_section where;
	BOOST_REQUIRE(where.find(stack9::bytes{fd.get()}));
	BOOST_TEST(stack9::elf_table(stack9::bytes{fd.get()},
	    where).size() == 0u);
	BOOST_TEST(left.now() == 1u);
	const budgets_by enough(1);
	BOOST_TEST(stack9::elf_table(stack9::bytes{fd.get()},
	    where).size() == 100u);
}

// Functions one in the other: an address after all of them would be looked for
// in each.
BOOST_AUTO_TEST_CASE(nested_functions_are_not_followed_without_end)
{
	constexpr std::uint64_t many = 200000;
	Elf64_Sym s{};
	std::string all(reinterpret_cast<const char *>(&s), sizeof s);
	s.st_name = 1;
	s.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
	s.st_shndx = 1;
	for (std::uint64_t n = 0; n < many; n++) {
		s.st_value = code_at + n;
		s.st_size = 2 * (many - n);
		all.append(reinterpret_cast<const char *>(&s), sizeof s);
	}
	elf_builder e;
	e.add(code_section());
	e.add({".symtab", SHT_SYMTAB, all, 0, 0, 0, ".strtab", sizeof s});
	e.add({".strtab", SHT_STRTAB, std::string("\0f\0", 3)});
	hostile h(e);
	for (std::uint64_t n = 0; n < 20000; n++)
		h.name(code_at + many + n);
	BOOST_TEST(h.name(code_at + 10) == "f");
}

BOOST_AUTO_TEST_SUITE_END()
