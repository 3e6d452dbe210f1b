// Reads as much of profile.proto as has names.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "pprof_lines.h"

#include <map>

#include <fmt/format.h>
#include <protozero/pbf_reader.hpp>

namespace {

struct function {
	std::uint64_t	id = 0, name = 0, file = 0;
};

struct line {
	std::uint64_t	function = 0;
	std::int64_t	line = 0;
};

function
function_of(protozero::pbf_reader from)
{
	function f;
	while (from.next())
		switch (from.tag()) {
		case 1:
			f.id = from.get_uint64();
			break;
		case 2:
			f.name = from.get_uint64();
			break;
		case 4:
			f.file = from.get_uint64();
			break;
		default:
			from.skip();
		}
	return f;
}

line
line_of(protozero::pbf_reader from)
{
	line l;
	while (from.next())
		switch (from.tag()) {
		case 1:
			l.function = from.get_uint64();
			break;
		case 2:
			l.line = from.get_int64();
			break;
		default:
			from.skip();
		}
	return l;
}

} // namespace

std::vector<std::string>
pprof_lines(const std::string &bytes)
{
	std::vector<std::string> strings, all;
	std::map<std::uint64_t, function> functions;
	std::vector<line> lines;
	for (protozero::pbf_reader from(bytes); from.next();) {
		if (from.tag() == 4) {
			protozero::pbf_reader place = from.get_message();
			while (place.next(4))
				lines.push_back(line_of(place.get_message()));
		} else if (from.tag() == 5) {
			const function f = function_of(from.get_message());
			functions[f.id] = f;
		} else if (from.tag() == 6) {
			strings.push_back(from.get_string());
		} else {
			from.skip();
		}
	}
	for (const line &l : lines) {
		const function &f = functions.at(l.function);
		all.push_back(fmt::format("{} {}:{}", strings.at(f.name),
		    strings.at(f.file), l.line));
	}
	return all;
}
