// Finds the same names by reading the file and by the table made of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "symbols/file_symbols.h"

#include <string>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <fmt/format.h>

#include "workshop.h"

using boost::unit_test::description;
using stack9::file_symbols;
namespace data = boost::unit_test::data;

namespace {

// "name start size", by whichever of the two.
std::string
found_by(file_symbols &s, std::uint64_t vaddr, file_symbols::found &how)
{
	std::uint32_t index = 0;
	stack9::symbol_name sym;
	how = s.find(vaddr, index, sym);
	if (how == file_symbols::found::no)
		return "none";
	if (how == file_symbols::found::in_file)
		return fmt::format("{} {:#x} {}", sym.name, vaddr - sym.offset,
		    sym.size);
	const auto &e = s.table().at(index);
	return fmt::format("{} {:#x} {}", s.table().name(e), e.start, e.size);
}

const std::string files[] = {HELD, "/proc/self/exe",
    "/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/x86_64-linux-gnu/libdw.so.1"};

} // namespace

BOOST_AUTO_TEST_SUITE(symbols_of_a_file)

BOOST_DATA_TEST_CASE(looks_and_the_table_agree, data::make(files), path)
{
	const stack9::unique_fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
	if (!fd) {
		BOOST_TEST_MESSAGE("not here: " << path);
		return;
	}
	stack9::symbol_section where;
	BOOST_REQUIRE(where.find(stack9::bytes{fd.get()}));
	const stack9::elf_table all(stack9::bytes{fd.get()}, where);
	BOOST_REQUIRE(all.size() != 0u);
	std::mutex lock;
	const std::uint32_t step = static_cast<std::uint32_t>(
	    all.size() / 50 + 1);
	unsigned int looked = 0;
	for (std::uint32_t i = 0; i < all.size(); i += step) {
		const auto &e = all.at(i);
		for (const std::uint64_t vaddr : {e.start, e.start + e.size / 2,
		    e.start + e.size, e.start - 1}) {
			file_symbols s(lock);
			s.open(fd.get());
			file_symbols::found how;
			const std::string by_look = found_by(s, vaddr, how);
			looked += how == file_symbols::found::in_file;
			std::string by_table;
			for (int n = 0; n < 6; n++)
				by_table = found_by(s, vaddr, how);
			BOOST_TEST((how != file_symbols::found::in_file));
			BOOST_TEST(by_look == by_table);
		}
	}
	BOOST_TEST(looked != 0u);
}

BOOST_AUTO_TEST_CASE(both_ways_of_making_a_table_agree)
{
	const stack9::unique_fd fd(open(HELD, O_RDONLY | O_CLOEXEC));
	const stack9::unique_elf elf = stack9::open_elf(fd.get());
	stack9::symbol_section where;
	BOOST_REQUIRE(where.find(stack9::bytes{fd.get()}));
	const stack9::elf_table one(fd.get(), elf.get());
	const stack9::elf_table other(stack9::bytes{fd.get()}, where);
	BOOST_REQUIRE(one.size() == other.size());
	BOOST_TEST(one.whole() == other.whole());
	for (std::uint32_t i = 0; i < one.size(); i++) {
		BOOST_TEST(one.name(one.at(i)) == other.name(other.at(i)));
		BOOST_TEST(one.at(i).start == other.at(i).start);
		BOOST_TEST(one.at(i).size == other.at(i).size);
		BOOST_TEST(one.at(i).outer == other.at(i).outer);
	}
}

BOOST_AUTO_TEST_SUITE_END()
