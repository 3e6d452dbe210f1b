// Defines one file of the functions that are named; it is compiled once for
// each PART.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names_cold.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

// Debug information in bulk, as any file of a C++ program has.
[[gnu::used]] unsigned long
bulk(const std::map<std::string, std::vector<std::string>> &all)
{
	unsigned long n = 0;
	for (const auto &[key, words] : all)
		for (const std::string &word : words)
			n += word.size() * key.size();
	return n;
}

// Inlined everywhere.
[[gnu::always_inline]] inline void
call_next(names_walk &w, unsigned number)
{
	if (--w.left == 0)
		w.leaf();
	else
		names_function(number + 1)(w);
}

} // namespace

template <unsigned Number>
[[gnu::noinline]] void
names_cold(names_walk &w)
{
	char room[8 + Number % 11 * 16];
	asm volatile("" : : "r"(room) : "memory");
	const unsigned long kept = w.sum;
	call_next(w, Number);
	w.sum = kept + Number;
}

namespace {

template <unsigned... Index>
constexpr std::array<names_call, sizeof...(Index)>
table_of(std::integer_sequence<unsigned, Index...>)
{
	return {names_cold<PART * names_of_part + Index>...};
}

constexpr auto table =
    table_of(std::make_integer_sequence<unsigned, names_of_part>());

const names_part told(PART, table.data());

} // namespace
