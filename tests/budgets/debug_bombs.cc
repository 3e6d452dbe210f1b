// Writes DWARF 4, and unwind information, by hand.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "debug_bombs.h"

#include "cfi_section.h"

namespace {

constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;

enum : std::uint8_t {
	unit = 1, function, inlined, unit_of_ranges,	// abbreviations
};

// Each of them has children.
std::string
abbreviations()
{
	const unsigned char all[] = {
		unit, 0x11, 1, 0x10, 0x17, 0x11, 0x01, 0x12, 0x06, 0, 0,
		function, 0x2e, 1, 0x11, 0x01, 0x12, 0x06, 0, 0,
		inlined, 0x1d, 1, 0x31, 0x13, 0x11, 0x01, 0x12, 0x06, 0, 0,
		unit_of_ranges, 0x11, 1, 0x55, 0x17, 0, 0,
		0,
	};
	return {reinterpret_cast<const char *>(all), sizeof all};
}

std::string
header(const std::string &behind)
{
	blob b;
	b.number(static_cast<std::uint32_t>(7 + behind.size()));
	b.number<std::uint16_t>(4).number<std::uint32_t>(0);
	return b + '\x08' + behind;
}

// A unit, and a function in it, that cover the code.
blob
unit_at(std::uint64_t at)
{
	blob b;
	b.number<std::uint8_t>(unit).number<std::uint32_t>(0).number(at)
	    .number<std::uint32_t>(4096);
	b.number<std::uint8_t>(function).number(at)
	    .number<std::uint32_t>(4096);
	return b;
}

blob
inlined_at(std::uint64_t at, std::uint32_t origin)
{
	blob b;
	b.number<std::uint8_t>(inlined).number(origin).number(at)
	    .number<std::uint32_t>(4096);
	return b;
}

std::vector<made_section>
debug(const std::string &info, const std::string &abbrev = abbreviations())
{
	return {{".debug_info", SHT_PROGBITS, info},
	    {".debug_abbrev", SHT_PROGBITS, abbrev}};
}

std::vector<made_section>
with_lines(std::uint64_t at, const std::string &lines, std::uint64_t flags)
{
	std::vector<made_section> all = debug(header(unit_at(at) +
	    std::string(2, '\0')));
	all.push_back({".debug_line", SHT_PROGBITS, lines, 0, 0, flags});
	return all;
}

std::string
line_table(std::uint64_t at, std::uint64_t directories,
    const std::string &program)
{
	blob rest, all;
	const unsigned char fixed[] = {1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0,
	    0, 0, 1, 0, 0, 1};
	rest.append(reinterpret_cast<const char *>(fixed), sizeof fixed);
	for (std::uint64_t i = 0; i < directories; i++)
		rest.text("d");
	rest.number<std::uint8_t>(0);
	rest.text("a.c").append(3, '\0');
	rest.number<std::uint8_t>(0);
	blob begin;
	begin.append("\0\x09\x02", 3);
	begin.number(at);
	const std::string code = begin + program + std::string("\0\1\1", 3);
	all.number(static_cast<std::uint32_t>(6 + rest.size() +
	    code.size()));
	all.number<std::uint16_t>(4);
	all.number(static_cast<std::uint32_t>(rest.size()));
	return all + rest + code;
}

std::string
nested(std::uint64_t at, std::size_t levels)
{
	std::string all = unit_at(at);
	for (std::size_t i = 0; i < levels; i++)
		all += inlined_at(at, 11);
	return header(all + std::string(levels + 2, '\0'));
}

// One that is a copy of itself.
std::string
cycle(std::uint64_t at)
{
	const std::string begin = unit_at(at);
	const auto self = static_cast<std::uint32_t>(11 + begin.size());
	return header(begin + inlined_at(at, self) + std::string(3, '\0'));
}

// Units that all have the same 64 KiB of ranges.
std::vector<made_section>
shared_ranges(std::uint64_t at, int units)
{
	blob one, ranges;
	one.number<std::uint8_t>(unit_of_ranges).number<std::uint32_t>(0);
	std::string info;
	for (int i = 0; i < units; i++)
		info += header(one + std::string(1, '\0'));
	for (std::uint64_t i = 0; i < 4096; i++)
		ranges.number(at + 64 * i).number(at + 64 * i + 64);
	ranges.append(16, '\0');
	std::vector<made_section> all = debug(info);
	all.push_back({".debug_ranges", SHT_PROGBITS, ranges});
	return all;
}

std::string
as_text(const made::section &s)
{
	return {reinterpret_cast<const char *>(s.all.data()), s.all.size()};
}

// DW_CFA_def_cfa_expression with DW_OP_skip to itself.
std::string
endless_expression(std::uint64_t at)
{
	made::section s(true);
	made::cie c;
	c.letters = "";
	c.augmentation = {};
	s.add(s.add(c), {0x0f, 3, 0x2f, 0xfd, 0xff}, 0x04, at, 4096);
	return as_text(s);
}

// One function, described again and again.
std::string
many_entries(std::uint64_t at, std::size_t bytes)
{
	made::section s(true);
	made::cie c;
	c.letters = "";
	c.augmentation = {};
	const auto common = s.add(c);
	while (s.all.size() < bytes)
		s.add(common, {0x41, 0x0e, 16}, 0x04, at, 4096);
	return as_text(s);
}

std::string
repeated(const std::string &one, std::size_t times)
{
	std::string all;
	for (std::size_t i = 0; i < times; i++)
		all += one;
	return all;
}

} // namespace

std::vector<std::vector<made_section>>
debug_bombs(std::uint64_t at)
{
	const std::string rows(4 * MiB, '\x20');
	const std::string same = abbreviations();
	return {
	    with_lines(at, line_table(at, 0, rows), 0),
	    with_lines(at, packed(line_table(at, 0, rows)), SHF_COMPRESSED),
	    with_lines(at, line_table(at, 1 << 20, ""), 0),
	    debug(nested(at, 60'000)),
	    debug(cycle(at)),
	    shared_ranges(at, 4096),
	    debug(header(unit_at(at) + std::string(2, '\0')),
		repeated(same.substr(0, same.size() - 1), 32768) + '\0'),
	    {{".debug_frame", SHT_PROGBITS, endless_expression(at)}},
	    {{".debug_frame", SHT_PROGBITS, many_entries(at, 1 * MiB)}},
	    {{".gnu_debuglink", SHT_PROGBITS,
		blob().text("../../../../../../../../dev/zero").pad(4)
		.number<std::uint32_t>(1)}},
	};
}
