// Reads the two files, and writes their difference as text, folded stacks or a
// flame graph.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stackcount.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tools/events/destination.h"
#include "tools/events/screen.h"
#include "tools/lib/command_line.h"
#include "tools/lib/text.h"
#include "tools/profiles/difference.h"
#include "tools/profiles/formats.h"

namespace stackcount {
namespace {

using tools::printable;

constexpr std::size_t usual_lines = 40;

bool
read_file(const std::string &path, profiles::profile &to, events::screen &say)
{
	errno = 0;
	std::ifstream in(path, std::ios::binary);
	const std::string text{std::istreambuf_iterator<char>(in), {}};
	const std::string wrong = !in.is_open() || in.bad() || text.empty() ?
	    errno != 0 ? std::strerror(errno) : "it is empty" :
	    profiles::read_profile(text, to);
	if (!wrong.empty())
		say.message("{}: {}", printable(path), printable(wrong));
	return wrong.empty();
}

std::string
written(const events::options &o, const profiles::profile &p)
{
	if (o.format == "text")
		return profiles::difference_text(p, o.top != 0 ? o.top :
		    usual_lines);
	return o.format == "folded" ? profiles::difference_folded(p) :
	    profiles::formatted(o.format, p);
}

} // namespace

int
run_diff(const events::options &o)
{
	events::screen screen(o, false);
	profiles::profile before, after;
	if (!read_file(o.diff, before, screen) ||
	    !read_file(o.event, after, screen))
		return tools::exit_none;
	if (!before.unit.empty() && !after.unit.empty() &&
	    before.unit != after.unit) {
		screen.message("{} counts {}, and {} counts {}",
		    printable(o.diff), printable(before.unit),
		    printable(o.event), printable(after.unit));
		return tools::exit_none;
	}
	profiles::profile p = profiles::difference(before, after);
	if (p.event.empty())
		p.event = "stacks";
	p.command = o.line;
	events::destination out(o.file);
	out.begin();
	out.put(profiles::for_file(o.file, written(o, p)));
	if (!o.graph.empty()) {
		events::destination graph(o.graph);
		graph.begin();
		graph.put(profiles::for_file(o.graph, profiles::formatted(
		    profiles::graph_format(o.graph), p)));
		graph.flush();
		if (!is_good(graph, screen))
			return tools::exit_output;
	}
	out.flush();
	return is_good(out, screen) ? tools::exit_complete :
	    int{tools::exit_output};
}

} // namespace stackcount
