// Puts stacks as paths of a tree and weights as differences into JSON for
// heat.js.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "heat_page.h"

#include <map>

#include <fmt/format.h>

#include "text.h"
#include "tools/lib/text.h"
#include "words.h"

namespace profiles {
namespace {

using tools::append;

// A "<" could end the script that has the text in it.
std::string
quoted(const std::string &bytes)
{
	std::string text = "\"";
	for (const char c : utf8(bytes))
		if (c == '"' || c == '\\' || c == '<' ||
		    static_cast<unsigned char>(c) < 0x20)
			text += fmt::format("\\u{:04x}", c);
		else
			text += c;
	return text + '"';
}

class page {
public:
	page(const profile &p, const heat_map &m) : p_(p), map_(m) {}
	std::string text();

private:
	void put_frames();
	void put_stacks();
	void put_slots();
	void put_data();

	const profile		&p_;
	const heat_map		&map_;
	fmt::memory_buffer	 out_;
};

void
page::put_frames()
{
	const char *comma = "";
	append(out_, "\"frames\":[");
	for (const frame &f : p_.frames) {
		append(out_, "{}[{},\"{}\",{}]", comma, quoted(label(f)),
		    colour_of(f), quoted(f.module));
		comma = ",\n";
	}
	append(out_, "],\n");
}

// A node is its parent and its frame; node 0 is all.
void
page::put_stacks()
{
	std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> nodes;
	std::string ends;
	append(out_, "\"nodes\":[[0,0]");
	for (const stack &s : p_.stacks) {
		std::size_t at = 0;
		for (const std::uint32_t f : s.frames) {
			const auto [found, fresh] = nodes.try_emplace({at, f},
			    nodes.size() + 1);
			if (fresh)
				append(out_, ",[{},{}]", at, f);
			at = found->second;
		}
		ends += fmt::format("{}{}", ends.empty() ? "" : ",", at);
	}
	append(out_, "],\n\"stacks\":[{}],\n", ends);
}

void
page::put_slots()
{
	append(out_, "\"slots\":[");
	for (std::size_t i = 0; i < map_.slots.size(); i++) {
		append(out_, "{}[", i == 0 ? "" : ",");
		const char *comma = "";
		for (const auto &[stack, weight] : map_.slots[i]) {
			append(out_, "{}{},{}", comma, stack, weight);
			comma = ",";
		}
		append(out_, "]");
	}
	append(out_, "]");
}

void
page::put_data()
{
	append(out_, "{{\"began_ms\":{},\"slot_ms\":{},\"rows\":{},"
	    "\"unit\":{},\n", map_.began_ns / 1000000,
	    static_cast<double>(map_.slot_ns) / 1e6, map_.rows,
	    quoted(p_.unit));
	put_frames();
	put_stacks();
	put_slots();
	append(out_, "}}");
}

std::string
page::text()
{
	const std::string title = p_.event + (p_.host.empty() ? "" : " on " +
	    p_.host);
	append(out_, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n<title>{0}</title>\n"
	    "<style>{1}</style>\n<style id=\"flame_style\">{2}</style>\n"
	    "</head>\n<body class=\"heat\">\n<h1>{0}</h1>\n<p>{3} {4}</p>\n"
	    "<p id=\"scale\"></p>\n<div id=\"map\">"
	    "<canvas tabindex=\"0\"></canvas></div>\n<p id=\"said\"></p>\n"
	    "<iframe></iframe>\n<script type=\"application/json\" "
	    "id=\"data\">", xml(title), heat_style, flame_style,
	    xml(p_.command), xml(p_.filter));
	put_data();
	append(out_, "</script>\n<script type=\"text/plain\" "
	    "id=\"flame_script\">{}</script>\n<script>{}</script>\n</body>\n"
	    "</html>\n", flame_script, heat_script);
	return fmt::to_string(out_);
}

} // namespace

std::string
heat_page(const profile &p, const heat_map &m)
{
	return page(p, m).text();
}

} // namespace profiles
