// Calls the writer of each format.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "formats.h"

#include <algorithm>
#include <iterator>

#include "tools/lib/file_ending.h"
#include "writers.h"

namespace profiles {
namespace {

std::string
plain_folded(const profile &p)
{
	return folded(p);
}

const struct format {
	const char	*name;
	std::string	(*write)(const profile &);
	bool		for_files, graph, has_places;
} formats[] = {
	{"text", nullptr, false, false, false},
	{"folded", plain_folded, false, true, false},
	{"json", profiles::json, false, false, true},
	{"pprof", profiles::pprof, true, false, true},
	{"speedscope", profiles::speedscope, false, true, true},
	{"svg", profiles::flame_graph, true, true, false},
	{"html", profiles::flame_graph_html, true, true, false},
};

constexpr tools::file_ending endings[] = {
	{".folded", "folded"}, {".speedscope.json", "speedscope"},
	{".json", "json"}, {".pb", "pprof"}, {".pprof", "pprof"},
	{".svg", "svg"}, {".html", "html"}, {".htm", "html"},
};

const format *
find(const std::string &name)
{
	const auto *f = std::find_if(std::begin(formats), std::end(formats),
	    [&](const format &each) { return name == each.name; });
	return f == std::end(formats) ? nullptr : f;
}

} // namespace

bool
is_format(const std::string &name)
{
	return find(name) != nullptr;
}

std::vector<std::string>
all_formats()
{
	std::vector<std::string> all;
	for (const format &f : formats)
		all.emplace_back(f.name);
	return all;
}

std::string
format_names()
{
	std::string all;
	for (const format &f : formats)
		all.append(all.empty() ? "" : &f == std::end(formats) - 1 ?
		    " or " : ", ").append(f.name);
	return all;
}

bool
is_for_files(const std::string &name)
{
	const format *f = find(name);
	return f != nullptr && f->for_files;
}

bool
is_graph(const std::string &name)
{
	const format *f = find(name);
	return f != nullptr && f->graph;
}

bool
has_places(const std::string &name)
{
	const format *f = find(name);
	return f != nullptr && f->has_places;
}

std::string
format_of(const std::string &file)
{
	return tools::format_by_name(is_gzip(file) ?
	    file.substr(0, file.size() - 3) : file, endings);
}

std::string
graph_format(const std::string &file)
{
	const std::string format = format_of(file);
	return format == "svg" || format == "html" ? format : "";
}

std::string
formatted(const std::string &name, const profile &p)
{
	const format *f = find(name);
	return f == nullptr || f->write == nullptr ? "" : f->write(p);
}

} // namespace profiles
