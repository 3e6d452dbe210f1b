// Tests files that are not what they should be: an end is wanted, no answer.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "core/seam/record.h"
#include "lib/text.h"
#include "symbols/file_lines.h"
#include "symbols/file_names.h"
#include "workshop.h"

namespace {

using bytes = std::string;

// The places where damage does something: headers, symbols, debug information.
struct parts {
	std::vector<std::pair<std::size_t, std::size_t>> all;

	explicit parts(const bytes &image)
	{
		Elf64_Ehdr eh;
		memcpy(&eh, image.data(), sizeof(eh));
		all.emplace_back(0, sizeof(eh) + eh.e_phnum * eh.e_phentsize);
		all.emplace_back(eh.e_shoff, eh.e_shnum * eh.e_shentsize);
		for (int i = 0; i < eh.e_shnum; i++) {
			Elf64_Shdr sh;
			memcpy(&sh, image.data() + eh.e_shoff +
			    i * sizeof(sh), sizeof(sh));
			if (sh.sh_type != SHT_NOBITS && sh.sh_size != 0 &&
			    (sh.sh_flags & SHF_EXECINSTR) == 0)
				all.emplace_back(sh.sh_offset, sh.sh_size);
		}
	}
};

template <class random> void
damage(bytes &image, const parts &where, random &r)
{
	static constexpr unsigned char nasty[] = {0, 1, 0x7f, 0x80, 0xff};
	for (int n = 1 + static_cast<int>(r() % 8); n > 0; n--) {
		const auto &[offset, size] = where.all[r() % where.all.size()];
		const std::size_t at = offset + r() % size;
		const std::size_t length = 1 + r() % 8;
		for (std::size_t i = at; i < at + length && i < image.size();
		    i++)
			image[i] = static_cast<char>(r() % 2 ? r() :
			    nasty[r() % sizeof(nasty)]);
	}
	if (r() % 16 == 0)
		image.resize(r() % image.size());
}

void
ask(const std::string &path, std::uint64_t middle)
{
	const auto f = open_file(path);
	auto &names = stack9::file_names::of(*f);
	auto &lines = stack9::file_lines::of(*f);
	for (std::uint64_t at : {std::uint64_t{0}, middle - 0x100, middle,
	    middle + 1, middle + 0x40, UINT64_MAX}) {
		stack9::function_name name;
		if (names.find(at, name))
			BOOST_REQUIRE(name.name.size() < stack9::name_max);
		std::size_t length = 0;
		const auto levels = lines.find(at, false);
		for (const auto &level : *levels)
			length += strlen(level.function) + strlen(level.file);
		BOOST_REQUIRE(length < 1 << 24);
	}
}

} // namespace

BOOST_AUTO_TEST_SUITE(damaged_files, *builds(CXX))

BOOST_AUTO_TEST_CASE(end_in_no_name_or_any)
{
	const workshop w;
	for (const char *flags : {"-gdwarf-5", "-gdwarf-4 -Wl,--build-id"}) {
		w.must(fmt::format(CXX " -O2 {} -o good " LEVELS, flags));
		const std::string good = lib::contents(w / "good");
		const std::uint64_t at = address_in(w / "good",
		    "mark_innermost");
		const parts where(good);
		std::mt19937 r(4711);
		for (int i = 0; i < 200; i++) {
			bytes bad = good;
			damage(bad, where, r);
			std::ofstream(w / "bad", std::ios::binary).write(
			    bad.data(), static_cast<long>(bad.size()));
			ask(w / "bad", at);
		}
	}
}

// While it is open: a mapped one would be a SIGBUS.
BOOST_AUTO_TEST_CASE(one_that_shrinks)
{
	const workshop w;
	w.must(CXX " -O2 -g -o held " LEVELS);
	const auto f = open_file(w / "held");
	BOOST_REQUIRE(truncate((w / "held").c_str(), 5000) == 0);
	stack9::function_name name;
	BOOST_TEST(!stack9::file_names::of(*f).find(0x1000, name));
	BOOST_TEST(stack9::file_lines::of(*f).find(0x1000, false)->empty());
}

BOOST_AUTO_TEST_SUITE_END()
