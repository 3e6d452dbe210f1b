// Reads the tables of compiled methods (nmethod.hpp, pcDesc.hpp,
// scopeDesc.cpp).  A table of addresses leads into packed descriptions of
// scopes, each of which has the offset of that of its caller.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "compiled.h"

#include "packed.h"

namespace stack9::languages::java {
namespace {

constexpr std::uint64_t pc_size = 16;
constexpr std::uint32_t largest_table = 64 << 20, most_methods = 1 << 20;
constexpr unsigned int most_inlined = 1024;

struct tables {
	std::uint64_t	pcs, pcs_end, scopes, methods;
};

bool
half_at(unwind::memory &m, std::uint64_t at, std::uint32_t &to) noexcept
{
	std::uint16_t half;
	if (!get(m, at, half))
		return false;
	to = half;
	return true;
}

// Up to JDK 22 the tables are in the blob, scopes first.  Later they are in
// memory of their own, scopes last, and since JDK 25 the methods are apart.
bool
find_methods(unwind::memory &m, const layout &l, const blob &b,
    std::uint64_t &to)
{
	std::uint32_t offset;
	if (l.mutable_data != none) {
		if (!m.word(b.at + l.mutable_data, to) ||
		    !get(m, b.at + l.relocation_size, offset))
			return false;
		to += (std::uint64_t{offset} + 7) & ~std::uint64_t{7};
		return true;
	}
	if (l.metadata == none)
		return false;
	if (l.immutable_data == none) {
		if (!get(m, b.at + l.metadata, offset))
			return false;
		to = b.at + offset;
		return true;
	}
	std::uint32_t data;
	if (!half_at(m, b.at + l.metadata, offset) ||
	    !get(m, b.at + l.blob_data, data))
		return false;
	to = b.at + data + offset;
	return true;
}

bool
find_tables(unwind::memory &m, const layout &l, const blob &b, tables &to)
{
	std::uint64_t base = b.at;
	std::uint32_t pcs, pcs_end, scopes = 0;
	const bool is_apart = l.immutable_data != none;
	if (is_apart && !m.word(b.at + l.immutable_data, base))
		return false;
	if (!get(m, b.at + l.scopes_pcs, pcs) || pcs > largest_table)
		return false;
	if (l.scopes_data_begin != none) {
		if (!m.word(b.at + l.scopes_data_begin, to.scopes))
			return false;
	} else {
		if (l.scopes_data == none ||
		    !get(m, b.at + l.scopes_data, scopes) ||
		    scopes > largest_table)
			return false;
		to.scopes = base + scopes;
	}
	if (is_apart)
		pcs_end = scopes;
	else if (l.dependencies == none ||
	    !get(m, b.at + l.dependencies, pcs_end))
		return false;
	to.pcs = base + pcs;
	to.pcs_end = base + pcs_end;
	return pcs < pcs_end && pcs_end <= largest_table &&
	    find_methods(m, l, b, to.methods);
}

// The first entry whose address is not below the pc's: the state of a method is
// noted for the address after an instruction.
bool
find_scope(unwind::memory &m, const tables &t, std::int64_t offset, bool exact,
    std::uint32_t &to)
{
	std::uint64_t first = 0, last = (t.pcs_end - t.pcs) / pc_size;
	std::int32_t entry[4];
	while (first < last) {
		const std::uint64_t middle = first + (last - first) / 2;
		if (!get(m, t.pcs + middle * pc_size, entry))
			return false;
		if (entry[0] < offset)
			first = middle + 1;
		else
			last = middle;
	}
	if (!get(m, t.pcs + first * pc_size, entry) ||
	    (!exact && entry[0] != offset) || entry[1] <= 0)
		return false;
	to = static_cast<std::uint32_t>(entry[1]);
	return true;
}

} // namespace

bool
scopes_of(unwind::memory &m, const layout &l, const blob &b, std::uint64_t pc,
    bool exact, std::vector<scope> &to)
{
	tables t;
	std::uint32_t at, before = UINT32_MAX;
	if (!find_tables(m, l, b, t) || !find_scope(m, t,
	    static_cast<std::int64_t>(pc - b.code), exact, at))
		return false;
	for (unsigned int n = 0; at != 0 && at < before && n < most_inlined;
	    n++) {
		packed s(m, l, t.scopes + at);
		before = at;
		at = s.number();
		const std::uint32_t index = s.number();
		const std::int32_t bytecode =
		    static_cast<std::int32_t>(s.number()) - 1;
		std::uint64_t method;
		if (s.failed() || index == 0 || index > most_methods ||
		    !m.word(t.methods + 8 * std::uint64_t{index - 1}, method))
			return false;
		to.push_back({method, bytecode});
	}
	return at == 0;
}

std::uint64_t
method_of(unwind::memory &m, const layout &l, const blob &b)
{
	std::uint64_t method;
	return m.word(b.at + l.compiled_method, method) ? method : 0;
}

std::uint64_t
original_pc(unwind::memory &m, const layout &l, const blob &b,
    std::uint64_t pc, std::uint64_t sp)
{
	bool is_handler = false;
	for (const std::uint32_t begin : {l.deopt_begin, l.deopt_mh_begin}) {
		std::uint64_t handler;
		is_handler |= begin != none && m.word(b.at + begin, handler) &&
		    handler == pc;
	}
	for (const std::uint32_t offset : {l.deopt, l.deopt_mh}) {
		std::int32_t handler;
		is_handler |= offset != none &&
		    get(m, b.at + offset, handler) && handler > 0 &&
		    b.at + static_cast<std::uint64_t>(handler) == pc;
	}
	std::int32_t kept;
	std::uint64_t original;
	return is_handler && l.original_pc != none &&
	    get(m, b.at + l.original_pc, kept) && kept >= 0 &&
	    static_cast<std::uint32_t>(kept) < b.frame_size &&
	    m.word(sp + static_cast<std::uint64_t>(kept), original) ?
	    original : pc;
}

} // namespace stack9::languages::java
