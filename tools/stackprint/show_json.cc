// Prints stacks for programs: one object a line, as the section JSON of the
// manual says.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <unordered_map>

#include "coroutines.h"
#include "json_frames.h"
#include "printer.h"
#include "state_times.h"
#include "tools/lib/file_notes.h"
#include "tools/lib/json.h"
#include "tools/lib/limits.h"
#include "tools/lib/text.h"
#include "tools/lib/words.h"
#include "waits.h"

namespace stackprint {
namespace {

constexpr int schema = 1;

class json final : public printer {
public:
	explicit json(const view &v) : how_(v) {}

	void thread(fmt::memory_buffer &, const sample &) override;
	void group(fmt::memory_buffer &, const sample &,
	    const std::vector<thread_facts> &) override;
	void coroutines(fmt::memory_buffer &, const coroutine_group &) override;
	void end(fmt::memory_buffer &, const tally &) override;

private:
	// when_ns: the moment that the line already has.  A side with another
	// moment gets its own.  0: the line has none.
	void put_sides(fmt::memory_buffer &, const sample &,
	    std::uint64_t when_ns);
	void put_side(fmt::memory_buffer &, const char *name,
	    const sample &, const stack &, std::uint64_t when_ns);
	void put_frames(fmt::memory_buffer &, const stack &);
	void put_frame(fmt::memory_buffer &, const stack &,
	    const place &);

	const view	how_;
	// The key is the address of the kept name.  It never moves.
	std::unordered_map<const void *, std::string> frames_;
	std::vector<const place *> places_;	// of a stack
};

void
json::put_frames(fmt::memory_buffer &out, const stack &s)
{
	how_.all.of_stack(s, places_);
	for (std::size_t i = 0; i < places_.size(); i++) {
		if (i != 0)
			out.push_back(',');
		put_frame(out, s, *places_[i]);
	}
}

void
json::put_frame(fmt::memory_buffer &out, const stack &s, const place &p)
{
	std::string &text = frames_[&p];
	if (text.empty())
		text = s.side == STACK9_USER ?
		    frame_of_user(p, how_.opt) :
		    frame_of_kernel(p, how_.withheld);
	append_text(out, text);
}

void
json::put_side(fmt::memory_buffer &out, const char *side,
    const sample &of, const stack &s, std::uint64_t when_ns)
{
	const bool complete = s.error == 0 && s.why == STACK9_WHY_NONE;
	append(out, ",\"{}\":{{\"complete\":{},\"why\":\"{}\"", side, complete,
	    word(s.why));
	if (!complete)
		append_text(out, "," + json_member("reason", s.error != 0 ?
		    none_because(of, s) :
		    stop_reason(s, how_.all, how_.opt.stop)));
	if (s.why == STACK9_WHY_TRACED && of.tracer != 0)
		append(out, ",\"tracer\":{}", of.tracer);
	if (s.route[0] != '\0')
		append_text(out, "," + json_member("route", s.route));
	if (s.flags & STACK9_STACK_GUESSED)
		append_text(out, ",\"frame_pointers\":true");
	if (when_ns != 0 && s.when_ns != 0 && s.when_ns != when_ns)
		append(out, ",\"when_ns\":{}", s.when_ns);
	append(out, ",\"dropped\":{},\"frames\":[", s.dropped);
	if (s.text.empty())
		put_frames(out, s);
	for (std::size_t i = 0; i < s.text.size(); i++)
		append_text(out, (i != 0 ? "," : "") +
		    frame_of_text(s.text[i]));
	append_text(out, "]}");
}

void
json::put_sides(fmt::memory_buffer &out, const sample &s,
    std::uint64_t when_ns)
{
	if (s.kernel.has_value())
		put_side(out, "kernel", s, *s.kernel, when_ns);
	if (s.user.has_value() && is_kernel_thread(s))
		append_text(out, ",\"user\":null");
	else if (s.user.has_value())
		put_side(out, "user", s, *s.user, when_ns);
}

std::string
cpu_text(int cpu)
{
	return cpu < 0 ? "null" : std::to_string(cpu);
}

std::string
name_member(const std::string &name)
{
	return name.empty() ? "" : "," + json_member("thread_name", name);
}

void
json::thread(fmt::memory_buffer &out, const sample &s)
{
	const std::string where = wchan_of(s, how_);
	append(out, "{{\"schema\":{},\"tid\":{},\"pid\":{},\"start\":{},{},"
	    "\"state\":\"{}\",\"cpu\":{}", schema, s.thread.tid,
	    s.thread.pid, how_.opt.core.empty() ? s.thread.start : 0,
	    json_member("comm", s.comm),
	    s.state, cpu_text(s.cpu));
	append_text(out, name_member(s.name));
	if (s.when_ns != 0)
		append(out, ",\"when_ns\":{}", s.when_ns);
	if (!where.empty())
		append_text(out, "," + json_member("waits_in", where));
	if (how_.times != nullptr)
		append_text(out, how_.times->members(s));
	put_sides(out, s, s.when_ns);
	if (how_.waits != nullptr)
		how_.waits->put_member(out, s);
	append_text(out, "}\n");
}

void
json::group(fmt::memory_buffer &out, const sample &s,
    const std::vector<thread_facts> &all)
{
	append(out, "{{\"schema\":{},\"count\":{}", schema, all.size());
	put_sides(out, s, 0);
	append_text(out, ",\"threads\":[");
	const char *comma = "";
	for (const thread_facts &m : all) {
		append(out, "{}{{\"tid\":{},\"pid\":{},{}{},\"state\":\"{}\","
		    "\"cpu\":{}}}", comma, m.thread.tid, m.thread.pid,
		    json_member("comm", m.comm), name_member(m.name), m.state,
		    cpu_text(m.cpu));
		comma = ",";
	}
	append_text(out, "]");
	if (how_.waits != nullptr)
		put_wait_members(out, *how_.waits, all);
	append_text(out, "}\n");
}

// A task has a name, and may wait for another one.
void
put_tasks(fmt::memory_buffer &out, const coroutine_group &g)
{
	const char *between = "";
	append(out, ",\"tasks\":[");
	for (const coroutine_group::member &m : g.all) {
		append(out, "{}{{\"id\":{},{},\"waits_for\":{}}}", between,
		    m.id, json_member("name", m.name), m.waits_for);
		between = ",";
	}
	append(out, "]");
}

void
json::coroutines(fmt::memory_buffer &out, const coroutine_group &g)
{
	append(out, "{{\"schema\":{},{},\"pid\":{},{},{}", schema,
	    json_member("coroutines_of", g.runtime), g.sample->thread.pid,
	    json_member("comm", g.sample->comm), json_member("state", g.state));
	put_sides(out, *g.sample, 0);
	append(out, ",\"ids\":[");
	append_numbers(out, g.ids());
	append(out, "]");
	if (g.is_tasks())
		put_tasks(out, g);
	append(out, "}}\n");
}

void
json::end(fmt::memory_buffer &out, const tally &t)
{
	append(out, "{{\"schema\":{},\"tally\":{{\"threads\":{},"
	    "\"captured\":{},\"partial\":{},\"without\":{},"
	    "\"failed\":{},\"refused\":{},"
	    "\"gone\":{},\"ended_early\":{}{}{}{}{}}}}}\n", schema, t.threads(),
	    t.captured, t.partial, t.without, t.failed, t.refused, t.gone,
	    t.cut_short, t.coroutines == 0 ? "" :
	    fmt::format(",\"coroutines\":{},\"coroutines_captured\":{}",
	    t.coroutines, t.coroutines_captured), left_out_json(),
	    file_notes_json(), t.hints);
}

} // namespace

std::unique_ptr<printer>
json_printer(const view &v)
{
	return std::make_unique<json>(v);
}

} // namespace stackprint
