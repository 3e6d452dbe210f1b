// Reads the fields of messages, each into a variable of its type.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <protozero/pbf_reader.hpp>

#include "fields.h"
#include "limits.h"
#include "model.h"

namespace recording {

using protozero::pbf_reader;
using field::tag;

struct wrong : std::runtime_error {
	using std::runtime_error::runtime_error;
};

// protozero believes that a field has the type that it is read as.
inline pbf_reader &
checked(pbf_reader &from, protozero::pbf_wire_type type)
{
	if (!from.has_wire_type(type))
		throw wrong("a field has another type");
	return from;
}

inline std::uint64_t
unsigned_of(pbf_reader &from)
{
	return checked(from, protozero::pbf_wire_type::varint).get_uint64();
}

inline protozero::data_view
view_of(pbf_reader &from)
{
	return checked(from, protozero::pbf_wire_type::length_delimited)
	    .get_view();
}

// Overloads of store() take a value of each type from a field.
inline void
store(pbf_reader &from, std::string &to)
{
	const protozero::data_view view = view_of(from);
	if (view.size() > most_text)
		throw wrong("a text is too long");
	to.assign(view.data(), view.size());
}

template <class Number>
Number
narrowed(std::uint64_t value)
{
	if (value > static_cast<std::uint64_t>(
	    std::numeric_limits<Number>::max()))
		throw wrong("a number is too large");
	return static_cast<Number>(value);
}

template <class Number>
std::enable_if_t<std::is_unsigned_v<Number>>
store(pbf_reader &from, Number &to)
{
	to = narrowed<Number>(unsigned_of(from));
}

template <class Number>
std::enable_if_t<std::is_signed_v<Number>>
store(pbf_reader &from, Number &to)
{
	const std::int64_t value = protozero::decode_zigzag64(
	    unsigned_of(from));
	to = static_cast<Number>(value);
	if (to != value)
		throw wrong("a number is too large");
}

inline void
store(pbf_reader &from, frame_kind &to)
{
	to = static_cast<frame_kind>(narrowed<std::uint8_t>(unsigned_of(from)));
}

inline void
store(pbf_reader &from, identity &to)
{
	const protozero::data_view view = view_of(from);
	if (view.size() != to.size())
		throw wrong("the name of a stack has not 16 bytes");
	std::copy_n(view.data(), to.size(), to.begin());
}

template <class Number>
std::enable_if_t<std::is_unsigned_v<Number>>
store(pbf_reader &from, std::vector<Number> &to)
{
	const auto range = checked(from,
	    protozero::pbf_wire_type::length_delimited).get_packed_uint64();
	to.clear();
	for (auto at = range.begin(); at != range.end(); ++at) {
		if (to.size() == most_entries)
			throw wrong("a list is too long");
		to.push_back(narrowed<Number>(*at));
	}
}

// The numbers of threads, each as the distance from the one before.
struct ascending {
	std::vector<std::uint32_t> numbers;
};

inline void
store(pbf_reader &from, ascending &to)
{
	std::uint32_t last = 0;
	store(from, to.numbers);
	for (std::uint32_t &each : to.numbers) {
		if (each == 0 || each > most_threads - last)
			throw wrong("the numbers of threads do not ascend");
		each = last += each;
	}
}

// A letter for each thread that has changed.
struct letters {
	std::string	text;
};

inline void
store(pbf_reader &from, letters &to)
{
	const protozero::data_view view = view_of(from);
	to.text.assign(view.data(), view.size());
}

// get() of each entry is declared where this is used.
template <class Entry>
std::enable_if_t<!std::is_arithmetic_v<Entry>>
store(pbf_reader &from, std::vector<Entry> &table)
{
	if (table.size() == most_entries)
		throw wrong("a table is too long");
	get(pbf_reader(view_of(from)), table.emplace_back());
}

template <class Value>
struct into {
	tag	which;
	Value	&to;

	bool
	take(pbf_reader &from) const
	{
		if (from.tag() != which)
			return false;
		store(from, to);
		return true;
	}
};
template <class Value>
into(tag, Value &) -> into<Value>;

template <class... Field>
void
read_message(pbf_reader from, const Field &...fields)
{
	while (from.next())
		if (!(fields.take(from) || ...))
			from.skip();
}

} // namespace recording
