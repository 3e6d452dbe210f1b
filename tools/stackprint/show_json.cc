// Prints stacks for programs: one object a line, as the section JSON of the
// manual says.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <unordered_map>

#include "tools/lib/append.h"
#include "tools/lib/json.h"
#include "printer.h"
#include "tools/lib/words.h"

namespace stackprint {
namespace {

constexpr int schema = 1;

template <typename... T>
void
put(fmt::memory_buffer &out, fmt::format_string<T...> f, T &&...args)
{
	append(out, f, std::forward<T>(args)...);
}

void
put(fmt::memory_buffer &out, const std::string &text)
{
	out.append(text.data(), text.data() + text.size());
}

std::string
exact_member(bool exact)
{
	return exact ? ",\"exact\":true" : "";
}

// Writes a frame of /proc/TID/stack: name+0xoffset/0xsize [module].
std::string
frame_of_line(std::string_view line)
{
	const auto plus = line.rfind("+0x");
	const std::string name(line.substr(0, plus));
	unsigned long offset = 0;
	char module[64] = "";
	if (plus != line.npos)
		std::sscanf(std::string(line.substr(plus)).c_str(),
		    "+%lx/%*x [%63[^]]]", &offset, module);
	return "{" + json_member("name", name) +
	    fmt::format(",\"offset\":{}", offset) +
	    (module[0] ? "," + json_member("module", module) : "") + "}";
}

std::string
frame_of(const place &p, bool exact, bool withheld)
{
	std::string text;
	if (!withheld)
		text += "," + json_address("pc", p.pc);
	text += exact_member(exact);
	if (p.known)
		text += "," + json_member("name", p.function) +
		    fmt::format(",\"offset\":{}", p.offset);
	if (!p.module.empty())
		text += "," + json_member("module", p.module);
	return "{" + (text.empty() ? text : text.substr(1)) + "}";
}

// Writes no comma before it.
std::string
name_members(const std::string &function, const std::string &demangled)
{
	std::string text = json_member("name", function);
	if (demangled != function)
		text += "," + json_member("demangled", demangled);
	return text;
}

std::string
line_members(const source &s, bool lines)
{
	std::string text;
	if (!lines || s.file.empty())
		return text;
	text = "," + json_member("file", s.file);
	if (s.line != 0)
		text += fmt::format(",\"line\":{}", s.line);
	if (s.column != 0)
		text += fmt::format(",\"column\":{}", s.column);
	return text;
}

std::string
module_members(const module &m, std::uint64_t vaddr)
{
	std::string text;
	if (!m.path.empty())
		text += "," + json_member("module", base_name(m.path)) + "," +
		    json_member("path", m.path);
	if (!m.build_id.empty())
		text += "," + json_member("build_id", m.build_id);
	if (vaddr != 0)
		text += "," + json_address("vaddr", vaddr);
	if (m.deleted)
		text += ",\"deleted\":true";
	return text;
}

std::string
inlined_member(const user_place &p, bool lines)
{
	std::string text;
	for (const source &s : p.inlines)
		text += (text.empty() ? "{" : ",{") +
		    name_members(s.function, s.demangled) +
		    line_members(s, lines) + "}";
	return ",\"inlined\":[" + text + "]";
}

std::string
frame_of(const user_place &p, bool exact, const options &o)
{
	std::string text = "{" + json_address("pc", p.pc) + exact_member(exact);
	if (p.known())
		text += "," + name_members(p.function, p.demangled) +
		    fmt::format(",\"offset\":{}", p.offset);
	if (p.where != nullptr)
		text += module_members(*p.where, p.vaddr);
	text += line_members(p.own, o.lines);
	if (o.inlines)
		text += inlined_member(p, o.lines);
	return text + "}";
}

class json final : public printer {
public:
	explicit json(const view &v) : how_(v) {}

	void thread(fmt::memory_buffer &, const stacks &) override;
	void group(fmt::memory_buffer &, const stacks &,
	    const std::vector<member> &) override;
	void end(fmt::memory_buffer &, const tally &) override;

private:
	// when_ns: the moment that the line already has.  A side with another
	// moment gets its own.  0: the line has none.
	void put_sides(fmt::memory_buffer &, const stacks &,
	    std::uint64_t when_ns);
	void put_side(fmt::memory_buffer &, const char *name,
	    const stack9_record &, std::uint64_t when_ns);
	void put_frame(fmt::memory_buffer &, const stack9_record &,
	    std::uint32_t);
	void put_lines(fmt::memory_buffer &, const stack9_record &);

	const view	how_;
	// The key is the address of the kept name, which never moves.
	std::unordered_map<const void *, std::string> frames_;
};

void
json::put_frame(fmt::memory_buffer &out, const stack9_record &rec,
    std::uint32_t i)
{
	const std::uintptr_t pc = rec.pcs[i];
	const bool exact = is_exact(rec, i);
	if (rec.side == STACK9_USER) {
		const user_place &p = how_.user.find(rec.space, pc, exact);
		std::string &text = frames_[&p];
		if (text.empty())
			text = frame_of(p, exact, how_.opt);
		return put(out, text);
	}
	const place &p = how_.kernel.find(pc, exact);
	std::string &text = frames_[&p];
	if (text.empty())
		text = frame_of(p, exact, how_.withheld);
	put(out, text);
}

void
json::put_lines(fmt::memory_buffer &out, const stack9_record &rec)
{
	bool first = true;
	for (const std::string_view line : lines_of(rec)) {
		put(out, (first ? "" : ",") + frame_of_line(line));
		first = false;
	}
}

void
json::put_side(fmt::memory_buffer &out, const char *side,
    const stack9_record &rec, std::uint64_t when_ns)
{
	const bool complete = rec.error == 0 && rec.why == STACK9_WHY_NONE;
	put(out, ",\"{}\":{{\"complete\":{},\"why\":\"{}\"", side, complete,
	    word(rec.why));
	if (!complete)
		put(out, "," + json_member("reason", rec.error != 0 ?
		    none_because(rec) : ending(rec, how_.opt.stop)));
	if (rec.tracer != 0)
		put(out, ",\"tracer\":{}", rec.tracer);
	if (rec.route != nullptr)
		put(out, "," + json_member("route", rec.route));
	if (rec.flags & STACK9_FRAME_POINTER)
		put(out, std::string(",\"frame_pointers\":true"));
	if (when_ns != 0 && rec.when_ns != 0 && rec.when_ns != when_ns)
		put(out, ",\"when_ns\":{}", rec.when_ns);
	put(out, ",\"dropped\":{},\"frames\":[", rec.dropped);
	if (rec.flags & STACK9_TEXT)
		put_lines(out, rec);
	for (std::uint32_t i = 0; i < rec.depth && !(rec.flags & STACK9_TEXT);
	     i++) {
		if (i != 0)
			out.push_back(',');
		put_frame(out, rec, i);
	}
	put(out, std::string("]}"));
}

void
json::put_sides(fmt::memory_buffer &out, const stacks &s,
    std::uint64_t when_ns)
{
	if (s.kernel != nullptr)
		put_side(out, "kernel", *s.kernel, when_ns);
	if (s.user != nullptr && is_kernel_thread(s))
		put(out, std::string(",\"user\":null"));
	else if (s.user != nullptr)
		put_side(out, "user", *s.user, when_ns);
}

std::string
cpu_text(int cpu)
{
	return cpu < 0 ? "null" : std::to_string(cpu);
}

void
json::thread(fmt::memory_buffer &out, const stacks &s)
{
	const stack9_record &who = s.who();
	const std::string where = wchan_of(s, how_);
	put(out, "{{\"schema\":{},\"tid\":{},\"pid\":{},\"start\":{},{},"
	    "\"state\":\"{}\",\"cpu\":{}", schema, who.thread.tid,
	    who.thread.pid, who.thread.start, json_member("comm", who.comm),
	    who.state, cpu_text(who.cpu));
	if (who.when_ns != 0)
		put(out, ",\"when_ns\":{}", who.when_ns);
	if (!where.empty())
		put(out, "," + json_member("waits_in", where));
	put_sides(out, s, who.when_ns);
	put(out, std::string("}\n"));
}

void
json::group(fmt::memory_buffer &out, const stacks &s,
    const std::vector<member> &all)
{
	put(out, "{{\"schema\":{},\"count\":{}", schema, all.size());
	put_sides(out, s, 0);
	put(out, std::string(",\"threads\":["));
	const char *comma = "";
	for (const member &m : all) {
		put(out, "{}{{\"tid\":{},\"pid\":{},{},\"state\":\"{}\","
		    "\"cpu\":{}}}", comma, m.tid, m.pid,
		    json_member("comm", m.comm), m.state, cpu_text(m.cpu));
		comma = ",";
	}
	put(out, std::string("]}\n"));
}

void
json::end(fmt::memory_buffer &out, const tally &t)
{
	put(out, "{{\"schema\":{},\"tally\":{{\"threads\":{},\"captured\":{},"
	    "\"partial\":{},\"without\":{},\"failed\":{},\"refused\":{},"
	    "\"gone\":{},\"ended_early\":{}}}}}\n", schema, t.threads(),
	    t.captured, t.partial, t.without, t.failed, t.refused, t.gone,
	    t.cut_short);
}

} // namespace

std::unique_ptr<printer>
json_printer(const view &v)
{
	return std::make_unique<json>(v);
}

} // namespace stackprint
