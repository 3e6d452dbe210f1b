// Reads any bytes as /proc/kallsyms, in blocks of any size, and compares what
// the table says with a search through the lines as they are.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/seam/record.h"
#include "symbols/kallsyms_table.h"

namespace {

[[noreturn]] void
fail(const char *why)
{
	std::fprintf(stderr, "kallsyms: %s\n", why);
	std::abort();
}

// The sixteen digits of what may be a line's address.
std::uint64_t
address(std::string_view line)
{
	char digits[17] = {};
	line.copy(digits, 16);
	return std::strtoull(digits, nullptr, 16);
}

void
look_up(const stack9::kallsyms_table &t, std::string_view text,
    std::uintptr_t pc, bool return_address)
{
	stack9::symbol_name s;
	std::memset(&s, 'x', sizeof(s));
	if (t.find(pc, return_address, s) != 0)
		return;
	const std::size_t n = strnlen(s.name, sizeof(s.name));
	if (n == 0 || n == sizeof(s.name) ||
	    strnlen(s.module, sizeof(s.module)) == sizeof(s.module))
		fail("a name without an end");
	if (s.size == 0 || s.offset - return_address >= s.size)
		fail("an offset past the size");
	if (text.find({s.name, n}) == text.npos)
		fail("a name that is not in the text");
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	if (size < 1)
		return 0;
	const std::string_view text(reinterpret_cast<const char *>(data + 1),
	    size - 1);
	const std::size_t block = 1 + data[0];
	stack9::kallsyms_table t;
	for (std::size_t at = 0, end = 0; end < text.size();) {
		end = std::min(text.size(), end + block);
		at += t.add(text.substr(at, end - at));
	}
	t.finish();
	stack9::kallsyms_table whole;
	whole.add(text);
	whole.finish();
	if (whole.size() != t.size() || whole.hidden() != t.hidden())
		fail("blocks make a difference");
	for (std::size_t at = 0; at < text.size();) {
		const std::uint64_t start = address(text.substr(at));
		for (std::uint64_t pc : {start, start + 1, start - 1})
			for (bool return_address : {false, true})
				look_up(t, text, pc, return_address);
		at = std::min(text.size(), text.find('\n', at)) + 1;
	}
	return 0;
}
