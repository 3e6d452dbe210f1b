// Passes over a stack twice: once for the width of its columns, once to write
// it.  The text of a frame is made when the frame first appears.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "columns.h"

#include <algorithm>
#include <iterator>

#include "tools/lib/text.h"

namespace stackprint {
namespace {

// A longer name moves only the rest of its own line.
constexpr std::size_t widest_name = 48;
constexpr std::size_t widest_file = 24;
constexpr std::size_t address_width = 18;
constexpr std::string_view inlined = " (inlined)";

void
pad(fmt::memory_buffer &out, std::size_t from, std::size_t to)
{
	static constexpr std::string_view blanks =
	    "                                                  ";
	static_assert(blanks.size() >= widest_name + 2);
	append_text(out, blanks.substr(0, std::max(from, to) + 2 - from));
}

void
widen(std::size_t &column, std::size_t text, std::size_t widest)
{
	if (text <= widest)
		column = std::max(column, text);
}

void
put_address(fmt::memory_buffer &out, std::uint64_t pc)
{
	append(out, "{:#018x}", pc);
}

} // namespace

void
columns::add(const place &p)
{
	const std::string_view file = p.file_text;
	const bool is_address = p.own().kind != frame_kind::language;
	for (std::size_t i = 0; i + 1 < p.as_shown.size(); i++)
		rows_.push_back({0, p.as_shown[i].name, inlined, file,
		    p.as_shown[i].site});
	rows_.push_back({is_address ? p.pc : 0, p.text, {}, file,
	    p.as_shown.back().site});
	if (how_.opt.addresses && p.where != nullptr &&
	    std::find(modules_.begin(), modules_.end(), p.where) ==
	    modules_.end())
		modules_.push_back(p.where);
}

std::size_t
columns::name_width(const row &r) const
{
	if (!r.name.empty())
		return r.name.size() + r.after.size();
	return how_.opt.addresses ? 2 : 2 + 2 + address_width;
}

void
columns::put_row(fmt::memory_buffer &out, const row &r) const
{
	if (how_.opt.addresses) {
		r.pc == 0 ? pad(out, 0, address_width - 2) :
		    put_address(out, r.pc);
		append_text(out, "  ");
	}
	append_text(out, r.name.empty() ? "??" : r.name);
	if (r.name.empty() && !how_.opt.addresses) {
		append_text(out, "  ");
		put_address(out, r.pc);
	}
	append_text(out, r.after);
	if (!r.file.empty() || !r.site.empty()) {
		pad(out, name_width(r), name_width_);
		append_text(out, r.file);
	}
	if (!r.site.empty()) {
		pad(out, r.file.size(), file_width_);
		append_text(out, r.site);
	}
	out.push_back('\n');
}

bool
columns::is_as_last(const stack &s) const
{
	return s.process == last_process_ && s.flags == last_flags_ &&
	    s.hash == last_hash_ && s.written.size() == last_written_ &&
	    std::ranges::equal(last_pcs_, s.pcs);
}

void
columns::keep_as_last(const stack &s, std::string_view text)
{
	last_process_ = s.process;
	last_flags_ = s.flags;
	last_hash_ = s.hash;
	last_written_ = s.written.size();
	last_pcs_.assign(s.pcs.begin(), s.pcs.end());
	last_text_ = text;
}

void
columns::put(fmt::memory_buffer &out, const stack &s,
    std::string_view first)
{
	if (is_as_last(s)) {
		append_text(out, last_text_);
		return;
	}
	const std::size_t start = out.size();
	make(out, s, first);
	keep_as_last(s, {out.data() + start, out.size() - start});
}

void
columns::make(fmt::memory_buffer &out, const stack &s,
    std::string_view first)
{
	rows_.clear();
	modules_.clear();
	how_.all.of_stack(s, places_);
	for (const place *p : places_)
		add(*p);
	name_width_ = file_width_ = 0;
	for (const row &r : rows_) {
		widen(name_width_, name_width(r), widest_name);
		widen(file_width_, r.file.size(), widest_file);
	}
	for (const row &r : rows_) {
		append_text(out, first);
		put_row(out, r);
		first = margin;
	}
}

void
columns::put_modules(fmt::memory_buffer &out)
{
	std::string_view first = "  modules ";
	for (const module *m : modules_) {
		if (!printed_.insert(m).second)
			continue;
		append_text(out, first);
		put_address(out, m->base);
		append(out, "  {}{}{}{}\n",
		    m->path.empty() ? "(no file)" : printable(m->path),
		    m->deleted ? " (deleted)" : "",
		    m->build_id.empty() ? "" : "  build-id ", m->build_id);
		first = margin;
	}
}

} // namespace stackprint
