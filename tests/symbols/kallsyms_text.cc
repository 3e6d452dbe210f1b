// Tests the text of /proc/kallsyms: what the kernel's own lookup would say,
// from fixtures, for what the machine at hand does not have.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>
#include <string>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "core/seam/record.h"
#include "symbols/kallsyms_table.h"

using boost::unit_test::description;
using stack9::kallsyms_table;

BOOST_AUTO_TEST_SUITE(kallsyms_text)

namespace {

kallsyms_table
table_of(std::string_view lines)
{
	kallsyms_table t;
	t.add(lines);
	t.finish();
	return t;
}

// As the kernel prints it.
std::string
name(const kallsyms_table &t, std::uintptr_t pc, bool return_address = false)
{
	stack9::symbol_name s;
	const int error = t.find(pc, return_address, s);
	if (error != 0)
		return fmt::format("errno {}", error);
	return fmt::format("{}+{:#x}/{:#x}{}", s.name, s.offset, s.size,
	    s.module[0] ? fmt::format(" [{}]", s.module) : "");
}

const std::string none = fmt::format("errno {}", ENOENT);

// Debian's kernels list data (CONFIG_KALLSYMS_ALL) and per-CPU symbols.
constexpr char small[] =
    "0000000000000000 A fixed_percpu_data\n"
    "0000000000000100 A cpu_hw_events\n"
    "ffffffff81000000 T _stext\n"
    "ffffffff81000000 T _text\n"
    "ffffffff81000100 t first\n"
    "ffffffff81000180 T second\n"
    "ffffffff81000200 T _etext\n"
    "ffffffff81800000 T _sinittext\n"
    "ffffffff81800040 t setup\n"
    "ffffffff81800100 T _einittext\n"
    "ffffffff81900000 D __start_notes\n";

constexpr char modules[] =
    "ffffffffc0a00040 t late\t[ext4]\n"
    "ffffffffc0a00000 t $x\t[ext4]\n"
    "ffffffffc0a00000 t early\t[ext4]\n"
    "ffffffffc0a00020 t .L12\t[ext4]\n"
    "ffffffffc0b00000 t other\t[a_module_name_that_is_as_long_as_they_get]\n"
    "ffffffffc0c00100 t bpf_prog_6deef7357e7b4530_two\t[bpf]\n"
    "ffffffffc0c00000 t bpf_prog_6deef7357e7b4530_one\t[bpf]\n"
    "ffffffffc0d00000 t ftrace_trampoline\t[__builtin__ftrace]\n";

} // namespace

BOOST_AUTO_TEST_CASE(of_aliases_the_first_in_the_files_order,
    *description("of the symbols at one address the first in the file's order"))
{
	BOOST_TEST(name(table_of(small), 0xffffffff81000010) ==
	    "_stext+0x10/0x100");
}

BOOST_AUTO_TEST_CASE(size_is_the_distance_to_the_next_address)
{
	const auto t = table_of(small);
	BOOST_TEST(name(t, 0xffffffff81000100) == "first+0x0/0x80");
	BOOST_TEST(name(t, 0xffffffff8100017f) == "first+0x7f/0x80");
	BOOST_TEST(name(t, 0xffffffff81000180) == "second+0x0/0x80");
}

BOOST_AUTO_TEST_CASE(return_address_looks_up_the_byte_before,
    *description("return_address: look up pc - 1, offset from pc"))
{
	const auto t = table_of(small);
	BOOST_TEST(name(t, 0xffffffff81000180, true) == "first+0x80/0x80");
	BOOST_TEST(name(t, 0xffffffff81000181, true) == "second+0x1/0x80");
	BOOST_TEST(name(t, 0xffffffff81000200, true) == "second+0x80/0x80");
}

BOOST_AUTO_TEST_CASE(nothing_behind_the_end_of_the_text)
{
	const auto t = table_of(small);
	BOOST_TEST(name(t, 0xffffffff81000200) == none);
	BOOST_TEST(name(t, 0xffffffff81000fff) == none);
	BOOST_TEST(name(t, 0xffffffff81800050) == "setup+0x10/0xc0");
	BOOST_TEST(name(t, 0xffffffff81800100) == none);
	BOOST_TEST(name(t, 0xffffffff81900004) == none);
	BOOST_TEST(name(t, 0xffffffff80ffffff) == none);
}

BOOST_AUTO_TEST_CASE(data_too_where_the_kernel_looks_it_up)
{
	const auto t = table_of(std::string(small) +
	    "ffffffff82000000 B _end\n");
	BOOST_TEST(name(t, 0xffffffff81900004) == "__start_notes+0x4/0x700000");
	BOOST_TEST(name(t, 0xffffffff82000000) == none);
}

BOOST_AUTO_TEST_CASE(per_cpu_addresses_name_nothing_and_hide_nothing)
{
	const auto t = table_of(small);
	BOOST_TEST(name(t, 0x108) == none);
	BOOST_TEST(!t.hidden());
	BOOST_TEST(!table_of("0000000000000000 A a\n0000000000000008 A b\n")
	    .hidden());
}

BOOST_AUTO_TEST_CASE(modules_and_their_names,
    *description("/proc/kallsyms, modules and BPF programs too"))
{
	const auto t = table_of(modules);
	BOOST_TEST(name(t, 0xffffffffc0a00030) == "early+0x30/0x40 [ext4]");
	BOOST_TEST(name(t, 0xffffffffc0b00008) == "other+0x8/0x1000 "
	    "[a_module_name_that_is_as_long_as_they_get]");
	BOOST_TEST(name(t, 0xffffffffc0c00010) ==
	    "bpf_prog_6deef7357e7b4530_one+0x10/0x100 [bpf]");
	BOOST_TEST(name(t, 0xffffffffc0d00020) ==
	    "ftrace_trampoline+0x20/0x1000 [__builtin__ftrace]");
}

BOOST_AUTO_TEST_CASE(the_last_of_a_module_ends_with_its_page)
{
	const auto t = table_of(modules);
	BOOST_TEST(name(t, 0xffffffffc0a00fff) == "late+0xfbf/0xfc0 [ext4]");
	BOOST_TEST(name(t, 0xffffffffc0a01000) == none);
	BOOST_TEST(name(t, 0xffffffffc0c40000) ==
	    "bpf_prog_6deef7357e7b4530_two+0x3ff00/0xfff00 [bpf]");
	BOOST_TEST(name(table_of("ffffffffffffff00 t end\t[m]\n"),
	    UINTPTR_MAX) == "end+0xff/0x100 [m]");
}

BOOST_AUTO_TEST_CASE(marks_of_the_assembler_are_passed_over)
{
	const auto t = table_of(modules);
	BOOST_TEST(name(t, 0xffffffffc0a00000) == "early+0x0/0x40 [ext4]");
	BOOST_TEST(t.size() == 6);
}

BOOST_AUTO_TEST_CASE(zero_addresses_are_reported_as_hidden,
    *description("EPERM: hidden from this caller"))
{
	BOOST_TEST(table_of("0000000000000000 T _stext\n"
	    "0000000000000000 t first\n").hidden());
	BOOST_TEST(!table_of("").hidden());
	BOOST_TEST(!table_of(small).hidden());
}

BOOST_AUTO_TEST_CASE(lines_that_are_none_are_skipped)
{
	const auto t = table_of("\n"
	    "garbage\n"
	    "ffffffff81000000\n"
	    "ffffffff81000000 \n"
	    "ffffffff81000000 T\n"
	    "ffffffff81000000 T \n"
	    "ffffffff81000000  T two_blanks\n"
	    "fffffffff81000000 T seventeen_digits\n"
	    "ffffffff81000000 t bad_owner\text4\n"
	    "ffffffff81000000 t no_owner\t[]\n"
	    "ffffffff81000000 t \t[ext4]\n"
	    "FFFFFFFF81000000 t capitals\n"
	    "ffffffff81000000 t good\n");
	BOOST_TEST(t.size() == 1);
	BOOST_TEST(name(t, 0xffffffff81000001) == "good+0x1/0x1000");
}

BOOST_AUTO_TEST_CASE(a_line_that_has_not_ended_is_left_for_the_next_block)
{
	kallsyms_table t;
	const std::string all = small;
	for (std::size_t at = 0, end = 0; at < all.size();) {
		end = std::min(all.size(), end + 7);
		at += t.add(std::string_view(all).substr(at, end - at));
	}
	t.finish();
	BOOST_TEST(t.size() == table_of(small).size());
	BOOST_TEST(name(t, 0xffffffff81000110) == "first+0x10/0x80");
}

BOOST_AUTO_TEST_CASE(very_long_names_are_cut,
    *description("STACK9_NAME_MAX: longest name, with its NUL"))
{
	const std::string longest(5000, 'n');
	stack9::symbol_name s;
	const auto t = table_of("ffffffff81000000 t " + longest + "\t[" +
	    longest + "]\nffffffff81000010 t next\n");
	BOOST_REQUIRE(t.find(0xffffffff81000004, false, s) == 0);
	BOOST_TEST(s.name == std::string(stack9::name_max - 1, 'n'));
	BOOST_TEST(s.module == std::string(sizeof(s.module) - 1, 'n'));
}

BOOST_AUTO_TEST_CASE(on_failure_sym_is_untouched)
{
	stack9::symbol_name s, before;
	memset(&s, 0x5a, sizeof(s));
	before = s;
	const std::uintptr_t pc = 0xffffffff81000200;
	BOOST_TEST(table_of(small).find(pc, false, s) == ENOENT);
	BOOST_TEST(table_of("").find(pc, true, s) == ENOENT);
	BOOST_TEST(memcmp(&s, &before, sizeof(s)) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
