// Draws the flame graph as it is without its script: a rectangle for each
// frame, the root at the bottom.  From data-f the script learns start, weight
// and depth of a frame.  It needs them to draw the frame again.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <ctime>
#include <initializer_list>

#include <fmt/format.h>

#include "difference.h"
#include "flame_tree.h"
#include "profile.h"
#include "text.h"
#include "tools/lib/text.h"
#include "words.h"
#include "writers.h"

namespace profiles {
namespace {

using tools::append;

std::string
moment(std::uint64_t ns)
{
	const auto seconds = static_cast<std::time_t>(ns / 1000000000);
	std::tm utc{};
	char text[64] = "";
	gmtime_r(&seconds, &utc);
	std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc);
	return text;
}

// These are pixels.  flame.js has width, margin, row and column, too.
constexpr double width = 1200, margin = 10, row = 17, column = 7.25;
constexpr double top = 104;	// title, two lines, legend, controls
constexpr double line_height = 16;	// text below the graph
// A tenth of a pixel is the least width, and this is the number that a browser
// still draws at once.
constexpr std::uint64_t narrowest = 10 * (width - 2 * margin);
constexpr std::size_t most_frames = 20000;

std::string
title_of(const profile &p)
{
	return (p.is_difference ? "Difference of " : "") + p.event +
	    (p.host.empty() ? "" : " on " + p.host);
}

// Gives the command that made the profile, and whose events it counted.
std::string
origin_of(const profile &p)
{
	if (p.command.empty())
		return p.filter;
	return p.command + (p.filter.empty() ? "" : "  (" + p.filter + ")");
}

std::vector<std::string>
lines_of(const std::string &text)
{
	std::vector<std::string> lines;
	for (std::size_t at = 0; at < text.size();) {
		const auto end = std::min(text.find('\n', at), text.size());
		lines.push_back(text.substr(at, end - at));
		at = end + 1;
	}
	return lines;
}

class drawing {
public:
	explicit drawing(const profile &p);
	std::string text();

private:
	void put_text(const char *style, double x, double y,
	    const std::string &bytes);
	void put_head();
	void put_legend(double y);
	void put_frame(const flame_node &);
	void put_frames();
	void put_notes();
	std::string colour_of(const flame_node &) const;
	std::string change(const flame_node &) const;
	std::string measure(const flame_node &) const;
	std::string about() const;

	const profile	&p_;
	std::vector<flame_node>	nodes_;
	flame_left_out	left_;
	std::uint32_t	deepest_ = 0;
	std::vector<std::string> notes_;	// the last lines
	fmt::memory_buffer out_;
};

drawing::drawing(const profile &p) : p_(p), nodes_(flame_tree(p)),
    left_(leave_out(nodes_, narrowest, most_frames)), notes_(lines_of(p.note))
{
	for (const flame_node &n : nodes_)
		deepest_ = std::max(deepest_, n.depth);
	if (left_.frames != 0)
		notes_.insert(notes_.begin(), fmt::format("Too narrow to be "
		    "drawn: {}, with {} ({}) in them.",
		    amount(left_.frames, "frames"),
		    amount(left_.weight, p.unit),
		    percent(left_.weight, nodes_[0].weight)));
}

void
drawing::put_text(const char *style, double x, double y,
    const std::string &bytes)
{
	append(out_,
	    "<text class=\"{}\" x=\"{:.2f}\" y=\"{:.1f}\">{}</text>\n", style,
	    x, y, xml(bytes));
}

// Gives "1,234 microseconds in 5 events", or only the events if these are
// counted.
std::string
drawing::measure(const flame_node &n) const
{
	const std::string weight = amount(n.weight, p_.unit);
	return counts_events(p_) ? weight :
	    weight + " in " + amount(n.events, "events");
}

shares
drawing_shares(const flame_node &n, const flame_node &root)
{
	return shares_of(n.before, root.before, n.weight, root.weight);
}

// Gives "; 12.50 % before, +3.25" in a difference.
std::string
drawing::change(const flame_node &n) const
{
	if (!p_.is_difference || n.depth == 0)
		return {};
	const shares s = drawing_shares(n, nodes_[0]);
	return fmt::format("; {:.2f} % before, {:+.2f}", s.before, s.change());
}

std::string
drawing::colour_of(const flame_node &n) const
{
	return p_.is_difference ? colour(drawing_shares(n, nodes_[0])) :
	    profiles::colour_of(p_.frames[n.frame]);
}

std::string
drawing::about() const
{
	std::string text = measure(nodes_[0]) + ", " +
	    amount(p_.stacks.size(), "stacks");
	if (p_.took_ns != 0)
		text += fmt::format(", {:.3g} s",
		    static_cast<double>(p_.took_ns) / 1e9);
	if (p_.began_ns != 0)
		text += ", " + moment(p_.began_ns);
	return text;
}

void
drawing::put_legend(double y)
{
	double x = margin;
	const std::initializer_list<const char *> kinds[] = {
	    {"user", "inlined", "kernel"}, {"more", "less"}};
	for (const char *kind : kinds[p_.is_difference]) {
		append(out_, "<rect class=\"{}2\" "
		    "x=\"{}\" y=\"{}\" width=\"12\" height=\"12\"/>\n", kind, x,
		    y - 10);
		put_text("quiet", x + 17, y, kind);
		x += 90;
	}
}

void
drawing::put_head()
{
	const double height = top + row * (deepest_ + 1) +
	    line_height * static_cast<double>(notes_.size() + 2);
	append(out_,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flames\" "
	    "width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
	    "data-left-out=\"{4}\" tabindex=\"0\" "
	    "font-family=\"monospace\" font-size=\"12\">\n"
	    "<title>{2}</title>\n<style>{3}</style>\n"
	    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", width,
	    height, xml(title_of(p_)), flame_style, left_.frames);
	append(out_, "<g class=\"head\">\n"
	    "<rect width=\"100%\" height=\"100\" fill=\"#fff\"/>\n");
	put_text("event", margin, 26, title_of(p_));
	put_text("quiet", margin, 46, origin_of(p_));
	put_text("quiet", margin, 66, about());
	put_legend(90);
	append(out_, "</g>\n");
}

void
drawing::put_frame(const flame_node &n)
{
	const bool is_root = n.depth == 0;
	const frame &f = p_.frames.empty() ? frame() : p_.frames[n.frame];
	const std::string name = is_root ? "all" : label(f);
	const double all = static_cast<double>(std::max<std::uint64_t>(1,
	    nodes_[0].weight));
	const double scale = (width - 2 * margin) / all;
	const double x = margin + static_cast<double>(n.start) * scale;
	const double w = static_cast<double>(n.weight) * scale;
	const double y = top + row * (deepest_ - n.depth);
	const std::string where = is_root || f.module.empty() ? "" :
	    " (" + f.module + ")";
	append(out_, "<g data-f=\"{} {} {}\"><title>{}\n{}{}\n{}, {}"
	    "</title><rect class=\"{}\" x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" "
	    "height=\"{}\"/>", n.start, n.weight, n.depth, xml(name),
	    is_root ? "" : word(f.kind), xml(where), measure(n),
	    percent(n.weight, nodes_[0].weight) + change(n),
	    is_root ? "all" : colour_of(n), x,
	    y, w - (w > 3 ? 0.5 : 0), row - 1);
	const std::string shown = cut(utf8(name),
	    static_cast<unsigned int>(std::max(0.0, w - 6) / column));
	if (!shown.empty())
		append(out_, "<text x=\"{:.2f}\" y=\"{}\">{}</text>",
		    x + 3, y + 12, xml(shown));
	append(out_, "</g>\n");
}

void
drawing::put_frames()
{
	append(out_, "<g class=\"frames\">\n");
	for (const flame_node &n : nodes_)
		put_frame(n);
	append(out_, "</g>\n");
}

void
drawing::put_notes()
{
	double y = top + row * (deepest_ + 1) + line_height;
	put_text("details", margin, y, "");
	for (const std::string &note : notes_)
		put_text("quiet", margin, y += line_height, note);
}

std::string
drawing::text()
{
	put_head();
	put_frames();
	put_notes();
	append(out_,
	    "<script><![CDATA[\n{}]]></script>\n</svg>\n", flame_script);
	return fmt::to_string(out_);
}

} // namespace

std::string
flame_graph(const profile &given)
{
	profile copy;
	return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
	    drawing(with_processes(given, copy)).text();
}

std::string
flame_graph_html(const profile &given)
{
	profile copy;
	const profile &p = with_processes(given, copy);
	return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n<title>{}</title>\n"
	    "<style>body {{ margin: 0; }} svg {{ display: block; }}</style>\n"
	    "</head>\n<body>\n{}</body>\n</html>\n", xml(title_of(p)),
	    drawing(p).text());
}

} // namespace profiles
