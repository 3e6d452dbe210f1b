// Prints events for programs, one object a line.
//
// SPDX-License-Identifier: BSD-2-Clause

#include "tools/lib/text.h"
#include "tools/lib/file_notes.h"
#include "tools/lib/json.h"
#include "tools/lib/limits.h"
#include "tools/lib/modules.h"
#include "tools/lib/words.h"
#include "tools/model/from_library.h"
#include "printer.h"

namespace stacksnoop {
namespace {

using profiles::frame_kind;
using tools::append;
using tools::json_address;
using tools::json_member;

constexpr int schema = 1;

class json final : public printer {
public:
	explicit json(const events::options &o) : opt_(o) {}

	void	lost(fmt::memory_buffer &, std::uint64_t) override;
	void	head(fmt::memory_buffer &, const stack9_sample &) override;
	void	stack(fmt::memory_buffer &, const stack9_sample &,
		    events::frames &,
		    const std::deque<profiles::frame> &) override;
	bool	end(fmt::memory_buffer &, const stack9_tally &,
		    const std::string &line) override;

	void
	tail(fmt::memory_buffer &out) override
	{
		out.append(std::string_view("}\n"));
	}

private:
	const events::options	&opt_;
};

void
json::lost(fmt::memory_buffer &out, std::uint64_t n)
{
	append(out, "{{\"schema\":{},\"lost\":{}}}\n", schema, n);
}

void
json::head(fmt::memory_buffer &out, const stack9_sample &s)
{
	append(out, "{{\"schema\":{},\"when_ns\":{},\"tid\":{},"
	    "\"pid\":{},{},\"cpu\":{}", schema, s.when_ns, s.thread.tid,
	    s.thread.pid, json_member("comm", s.comm), s.cpu);
	if (s.event != nullptr)
		append(out, ",{}", json_member("event", s.event));
	if (opt_.is_offcpu())
		append(out, ",\"blocked_ns\":{}", s.weight_ns);
	if (s.cookie != 0)
		append(out, ",\"cookie\":{}", s.cookie);
}

// An address that is in no file stays as it is.
std::string
user_members(const profiles::frame &f, std::uint64_t pc)
{
	std::string text;
	if (!f.module.empty())
		text += "," + json_member("module",
		    tools::base_name(f.module)) + "," +
		    json_member("path", f.module);
	if (!f.build_id.empty())
		text += "," + json_member("build_id", f.build_id);
	if ((f.flags & tools::frame_deleted) != 0)
		text += ",\"deleted\":true";
	if (f.address != pc)
		text += "," + json_address("vaddr", f.address);
	if (!f.file.empty())
		text += "," + json_member("file", f.file) +
		    fmt::format(",\"line\":{}", f.line);
	return text;
}

// A function of a language has no address.
std::string
language_object(const profiles::frame &f)
{
	return "{" + json_member("name", tools::linkage_of(f)) + "," +
	    json_member("language", f.language) + user_members(f, f.address) +
	    "}";
}

} // namespace

// The members are those of stackprint, except that inlined calls are frames
// here.
std::string
json_frame(const profiles::frame &f, std::uint64_t pc)
{
	if (f.kind == frame_kind::language)
		return language_object(f);
	std::string text = "{" + json_address("pc", pc);
	const bool named = !tools::is_nameless(f);
	const std::string &linkage = tools::linkage_of(f);
	if (named) {
		text += "," + json_member("name", linkage);
		if (f.name != linkage)
			text += "," + json_member("demangled", f.name);
	}
	if (f.kind == frame_kind::inlined)
		text += ",\"inlined\":true";
	else if (named)
		text += fmt::format(",\"offset\":{}", f.offset);
	if (f.kind != frame_kind::kernel)
		text += user_members(f, pc);
	else if (!tools::kernel_module(f).empty())
		text += "," + json_member("module", f.module);
	return text + "}";
}

namespace {

void
write_side(fmt::memory_buffer &out, const tools::sample &of,
    const std::optional<tools::stack> &s, events::frames &frames,
    const std::deque<profiles::frame> &all)
{
	if (!s.has_value())
		return;
	const bool complete = s->error == 0 && s->why == STACK9_WHY_NONE;
	append(out, ",\"{}\":{{\"complete\":{},\"why\":\"{}\"",
	    s->side == STACK9_USER ? "user" : "kernel", complete,
	    tools::word(s->why));
	if (!complete)
		append(out, ",{}", json_member("reason",
		    tools::reason(*s)));
	if (s->dropped != 0)
		append(out, ",\"dropped\":{}", s->dropped);
	events::frames::list list;
	frames.add(of, *s, list);
	append(out, ",\"frames\":[");
	const char *comma = "";
	for (const std::uint32_t i : list) {
		if (!tools::is_code(all[i]))
			continue;
		append(out, "{}{}", comma, json_frame(all[i], frames.pc(i)));
		comma = ",";
	}
	append(out, "]}}");
}

void
json::stack(fmt::memory_buffer &out, const stack9_sample &s,
    events::frames &frames, const std::deque<profiles::frame> &all)
{
	const tools::sample of = tools::from_library(s);
	write_side(out, of, of.kernel, frames, all);
	write_side(out, of, of.user, frames, all);
}

bool
json::end(fmt::memory_buffer &out, const stack9_tally &t,
    const std::string &)
{
	append(out, "{{\"schema\":{},\"tally\":{{"
	    "\"events\":{},\"kept\":{},\"no_room\":{},\"nested\":{},"
	    "\"truncated\":{},\"skipped\":{}{}{}}}}}\n", schema, t.events,
	    t.kept, t.no_room, t.nested, t.truncated, t.skipped,
	    tools::left_out_json(), tools::file_notes_json());
	return true;
}

} // namespace

std::unique_ptr<printer>
json_printer(const events::options &o)
{
	return std::make_unique<json>(o);
}

} // namespace stacksnoop
