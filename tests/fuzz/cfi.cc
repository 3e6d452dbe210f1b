// Reads any bytes as call frame information: nothing is read outside of them,
// what a row points to is in them, and each row can be stepped by.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "unwind/cfi.h"
#include "unwind/full.h"

namespace {

using namespace stack9::unwind;

constexpr std::uintptr_t address = 0x1000, function = 0x2000;

[[noreturn]] void
fail(const char *why)
{
	std::fprintf(stderr, "cfi: %s\n", why);
	std::abort();
}

// Each word holds an address a little above its own.
class slope final : public memory {
public:
	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		const std::uintptr_t word = from + 0x40;
		if (size > sizeof word || from > 0x100000)
			return false;
		std::memcpy(to, &word, size);
		return true;
	}
};

class check {
public:
	check(const cfi_section &s, std::uintptr_t pc) : section_(s), pc_(pc) {}

	void
	row_found(found how, const row &r) const
	{
		if (how != found::yes)
			return;
		if (pc_ - r.begin >= r.end - r.begin)
			fail("a row of another function");
		inside(r.cfa_expression);
		for (const place &p : r.places)
			if (p.what == place::expression ||
			    p.what == place::value_expression)
				inside(p.bytes());
		ruled(r);
		step(r);
	}

private:
	void
	inside(std::span<const std::byte> part) const
	{
		const auto all = section_.bytes;
		if (!part.empty() && (part.data() < all.data() ||
		    part.data() + part.size() > all.data() + all.size()))
			fail("an expression outside the section");
	}

	void
	ruled(const row &r) const
	{
		const rule u = rule_of_row(r, pc_);
		const bool simple = u.kind() == kind::sp ||
		    u.kind() == kind::fp;
		if (u.kind() == kind::none || u.kind() == kind::absent)
			fail("no rule");
		if (simple && r.cfa_register >= 0 &&
		    static_cast<std::uintptr_t>(r.cfa_offset) != u.cfa())
			fail("a rule that says something else");
	}

	static void
	step(const row &r)
	{
		slope words;
		registers regs;
		for (int n = 0; n < register_count; n++)
			if (n % 4 != 1)
				regs.set(n, 0x8000);
		const std::uintptr_t sp = regs.sp();
		if (full_step(r, words, regs) == outcome::stepped &&
		    !r.signal_frame && sp >= regs.sp())
			fail("a stack that does not grow");
	}

	const cfi_section &section_;
	const std::uintptr_t pc_;
};

} // namespace

// The first byte says where the header is, and which section it is.
extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	if (size < 2)
		return 0;
	// The copy is a block of its own: ASan guards both ends.
	const std::vector<std::uint8_t> copy(data + 2, data + size);
	const cfi_section s = {std::as_bytes(std::span(copy)), address,
	    (data[0] & 1) != 0, 0x1800, 0x1c00};
	const std::uintptr_t hdr = address + data[1] * 4u;
	for (std::uintptr_t pc = function - 1; pc < function + 8; pc++) {
		const check c(s, pc);
		row r{};
		c.row_found(row_by_search(s, pc, r), r);
		r = {};
		c.row_found(row_by_header(s, hdr, pc, r), r);
		r = {};
		c.row_found(row_of_fde(s, hdr - address, pc, r), r);
	}
	return 0;
}
