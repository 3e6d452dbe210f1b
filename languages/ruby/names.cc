// Finds the table of identifiers' names, ruby_global_symbols, and the variables
// of classes that hold their names (symbol.c, variable.c, class.c).
//
// The table is a variable of the runtime that is not exported.  It is
// recognized by the names in it: each has the symbol that it belongs to beside
// it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names.h"

#include <array>

namespace stack9::languages::ruby {
namespace {

constexpr std::uint64_t names_of_part = 512, last_operator = 170,
    most_names = 1 << 28;
// The most that are looked at for the names of one stack.
constexpr unsigned int most_tables = 1 << 10, most_variables = 1 << 15,
    most_different = 1 << 14;

// Operators are numbers below those of all others, whose kind is in the low
// bits.
std::uint64_t
number_of(std::uint64_t id) noexcept
{
	return id > last_operator ? id >> 4 : id;
}

} // namespace

names::names(unwind::memory &m, const loaded &where, const places &p,
    const layout &l) noexcept
    : m_(m), where_(where), places_(p), l_(l), tables_left_(most_tables),
      variables_left_(most_variables), names_left_(most_different)
{
}

// A symbol is a number, or an object that has it.
bool
names::has_name(const table &t, std::uint64_t number, std::uint64_t id,
    std::string &to)
{
	constexpr std::uint64_t symbol_id_at = 32;
	std::uint64_t part, string, symbol, its;
	values v;
	if (number == 0 || number > t.last ||
	    !read_value(m_, t.parts, number / names_of_part, part) ||
	    !read_array(m_, l_, part, v) ||
	    !read_value(m_, v, number % names_of_part * 2, string) ||
	    !read_value(m_, v, number % names_of_part * 2 + 1, symbol) ||
	    !read_string(m_, l_, string, to))
		return false;
	if ((symbol & 0xff) == 0xc)
		its = symbol >> 8;
	else if (object o; !read_object(m_, symbol, o) ||
	    !m_.word(symbol + symbol_id_at, its))
		return false;
	return id == 0 ? number_of(its) == number : its == id;
}

bool
names::is_table(std::uint64_t at, std::uint64_t last, std::uint64_t strings,
    std::uint64_t all)
{
	table t;
	std::string text;
	t.last = last;
	if (last <= last_operator || last >= most_names || strings < 4096 ||
	    strings % 8 != 0 || all < 4096 || all % 8 != 0)
		return false;
	tables_left_ -= tables_left_ > 0;
	if (!read_array(m_, l_, all, t.parts) ||
	    t.parts.count <= last / names_of_part ||
	    !has_name(t, last, 0, text))
		return false;
	places_.names = at - where_.bias;
	table_ = t;
	return true;
}

// Pages that the program has not touched cannot be read.  The table may begin
// in one page and end in the next.
bool
names::look_through(std::uint64_t at, std::uint64_t size)
{
	constexpr std::uint64_t page = 4096, of_table = 3;
	std::array<std::uint64_t, page / 8 + of_table - 1> words{};
	const std::uint64_t end = at + size;
	for (std::uint64_t next; at < end && tables_left_ > 0; at = next) {
		next = (at & ~(page - 1)) + page;
		if (next < at)
			break;
		const std::uint64_t here = (next - at) / 8;
		const bool has_next = m_.read(next, &words[here],
		    8 * (of_table - 1));
		if (!m_.read(at, words.data(), 8 * here))
			continue;
		const std::uint64_t n = here + (has_next ? of_table - 1 : 0);
		for (std::uint64_t i = 0; i + 2 < n && tables_left_ > 0; i++)
			if (is_table(at + 8 * i, words[i], words[i + 1],
			    words[i + 2]))
				return true;
	}
	return false;
}

bool
names::find_table()
{
	if (has_looked_)
		return table_.last != 0;
	has_looked_ = true;
	const std::uint64_t hint = places_.names + where_.bias;
	std::uint64_t words[3];
	if (hint != where_.bias && m_.read(hint, words, sizeof words) &&
	    is_table(hint, words[0], words[1], words[2]))
		return true;
	return look_through((places_.data + where_.bias + 7) &
	    ~std::uint64_t{7}, places_.data_size);
}

const std::string &
names::of_identifier(std::uint64_t id)
{
	const auto [known, is_new] = identifiers_.try_emplace(id);
	if (!is_new || names_left_ == 0)
		return known->second;
	names_left_--;
	if (!find_table() || !has_name(table_, number_of(id), id,
	    known->second))
		known->second.clear();
	return known->second;
}

// Up to 3.1 the names of classes are among their variables: a table of hash,
// identifier and value, in which the hash of one that was taken out is ~0.
bool
names::variable_of(const object &c, const char *name, std::uint64_t &to)
{
	constexpr std::uint64_t part_at = 24, its_table = 8, first_at = 32,
	    entries_at = 48, entry_size = 24;
	std::uint64_t part, all, range[2], entries, entry[3];
	if (!m_.word(c.at + part_at, part) || part == 0 ||
	    !m_.word(part + its_table, all) || all == 0 ||
	    !m_.read(all + first_at, range, sizeof range) ||
	    !m_.word(all + entries_at, entries))
		return false;
	for (std::uint64_t i = range[0]; i < range[1] && variables_left_ > 0;
	    i++, variables_left_--) {
		if (!m_.read(entries + i * entry_size, entry, sizeof entry))
			return false;
		if (entry[0] != ~std::uint64_t{} &&
		    of_identifier(entry[1]) == name) {
			to = entry[2];
			return true;
		}
	}
	return false;
}

// A name that contains that of no anonymous class.
bool
names::path_of(const object &c, std::string &to)
{
	std::uint64_t string;
	std::uint8_t bits;
	if (c.what() != kind::class_ && c.what() != kind::module)
		return false;
	if (l_.class_table != 0)
		return variable_of(c, "__classpath__", string) &&
		    read_string(m_, l_, string, to) && !to.empty();
	return m_.read(c.at + l_.class_has_name, &bits, sizeof bits) &&
	    (bits & 1) != 0 && m_.word(c.at + l_.class_path, string) &&
	    read_string(m_, l_, string, to) && !to.empty();
}

bool
names::object_of(const object &singleton, std::uint64_t &to)
{
	return l_.class_table != 0 ? variable_of(singleton, "__attached__",
	    to) : m_.word(singleton.at + l_.class_of, to);
}

std::string
names::make_prefix(std::uint64_t at)
{
	object c, its;
	std::uint64_t value;
	std::string path;
	if (!read_object(m_, at, c))
		return {};
	if (c.what() != kind::class_ || !c.is_singleton())
		return path_of(c, path) ? path + '#' : std::string();
	return object_of(c, value) && read_object(m_, value, its) &&
	    path_of(its, path) ? path + '.' : std::string();
}

const std::string &
names::of_class(std::uint64_t at)
{
	const auto [known, is_new] = classes_.try_emplace(at);
	if (is_new && names_left_ > 0) {
		names_left_--;
		known->second = make_prefix(at);
	}
	return known->second;
}

std::string
names::of_function(const method &its)
{
	const std::string &name = of_identifier(its.name);
	return name.empty() ? name : of_class(its.owner) + name;
}

} // namespace stack9::languages::ruby
