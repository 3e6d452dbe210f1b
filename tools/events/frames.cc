// Names frames by the memories in tools/lib/, and numbers them by their text.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frames.h"

#include <fmt/format.h>

#include "tools/lib/samples.h"
#include "tools/lib/words.h"

namespace events {
namespace {

using profiles::frame_kind;

tools::name_options
for_names(const options &o)
{
	tools::name_options names;
	names.raw_names = o.raw_names;
	names.inlines = o.inlines;
	names.lines = o.lines;
	names.debuginfod = o.debuginfod;
	names.addresses = o.addresses;
	return names;
}

std::string
hexadecimal(std::uint64_t value)
{
	return fmt::format("{:#x}", value);
}

// Functions enter the key by their linkage names: overloaded functions share a
// demangled name and are still different.
std::string
identity(const profiles::frame &f, precision how, std::uint64_t pc)
{
	const std::string &module =
	    f.build_id.empty() ? f.module : f.build_id;
	return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{:x}\n{:x}",
	    static_cast<int>(f.kind), f.name, f.linkage, module, f.file, f.line,
	    how == precision::functions ? 0 : f.offset,
	    how == precision::addresses ? pc : 0);
}

} // namespace

frames::frames(const options &o, precision how, std::deque<frame> &all)
    : opt_(o), precision_(how), names_wanted_(for_names(o)), all_(all),
      names_(names_wanted_)
{
}

// Gives a sentence without the parts that differ from stack to stack.
std::string
frames::note(const stack9_sample &sample, const stack9_stack &s)
{
	const bool user = s.side == STACK9_USER;
	if (s.error != 0)
		return fmt::format("[no {} stack: {}]",
		    user ? "user" : "kernel",
		    tools::none_because(sample, s));
	if (s.why == STACK9_WHY_TRUNCATED)
		return user ? "[user stack truncated]" :
		    "[kernel stack truncated]";
	return "[" + tools::ending(s, names_, true) + "]";
}

std::uint32_t
frames::number(frame &&f, std::uint64_t pc)
{
	const auto [it, fresh] = numbers_.try_emplace(
	    identity(f, precision_, pc), static_cast<std::uint32_t>(
	    all_.size()));
	if (fresh) {
		all_.push_back(std::move(f));
		pcs_.push_back(pc);
	}
	return it->second;
}

std::uint32_t
frames::marker(frame_kind kind, const std::string &name)
{
	frame f;
	f.kind = kind;
	f.name = name;
	return number(std::move(f), 0);
}

void
frames::add_kernel(const tools::place &p, list &to)
{
	frame f;
	f.kind = frame_kind::kernel;
	f.address = p.pc;
	f.name = p.known() ? p.function : hexadecimal(p.pc);
	f.offset = p.known() ? p.offset : 0;
	f.module = p.module.empty() ? "vmlinux" : p.module;
	to.push_back(number(std::move(f), p.pc));
}

// A frame without a name is told by its address in its file: it is the same in
// all processes of a program, and addr2line accepts it.
void
frames::add_user(const tools::place &p, list &to)
{
	frame f;
	f.address = p.vaddr != 0 ? p.vaddr : p.pc;
	if (p.known()) {
		f.name = opt_.raw_names ? p.function : p.demangled;
		f.linkage = f.name == p.function ? "" : p.function;
		f.offset = p.offset;
	} else {
		f.name = hexadecimal(f.address);
	}
	if (p.where != nullptr) {
		f.module = p.where->path;
		f.build_id = p.where->build_id;
	}
	if (opt_.lines) {
		f.file = p.own.file;
		f.line = p.own.line;
	}
	frame in = f;
	for (const tools::source &s : p.inlines) {
		in.kind = frame_kind::inlined;
		in.name = opt_.raw_names ? s.function : s.demangled;
		in.linkage = in.name == s.function ? "" : s.function;
		in.offset = 0;
		in.file = opt_.lines ? s.file : "";
		in.line = opt_.lines ? s.line : 0;
		to.push_back(number(frame(in), p.pc));
	}
	to.push_back(number(std::move(f), p.pc));
}

void
frames::add_place(const tools::place &p, bool kernel, list &to)
{
	const auto [it, fresh] = of_place_.try_emplace(&p);
	if (fresh)
		kernel ? add_kernel(p, it->second) : add_user(p, it->second);
	to.insert(to.end(), it->second.begin(), it->second.end());
}

// A whole stack needs no note.  Neither does a side that the thread does not
// have, if the other side is printed.
void
frames::add_notes(const stack9_sample &sample, const stack9_stack &s, list &to)
{
	const bool absent = tools::is_absent(s);
	if (absent ? opt_.sides() != STACK9_BOTH :
	    s.error != 0 || s.why != STACK9_WHY_NONE)
		to.push_back(marker(frame_kind::note, note(sample, s)));
}

void
frames::add(const stack9_sample &sample, const stack9_stack &s, list &to)
{
	for (std::uint32_t i = 0; s.pcs != nullptr && i < s.depth; i++)
		add_place(names_.find(s, i), s.side == STACK9_KERNEL, to);
	add_notes(sample, s, to);
}

void
frames::add(const stack9_sample &sample, list &to)
{
	if (sample.kernel != nullptr)
		add(sample, *sample.kernel, to);
	const std::size_t kernel = to.size();
	if (sample.user != nullptr)
		add(sample, *sample.user, to);
	if (opt_.delimiter && kernel != 0 && kernel != to.size())
		to.insert(to.begin() + static_cast<std::ptrdiff_t>(kernel),
		    marker(frame_kind::delimiter,
		    opt_.wakers.has_value() ? "-" : "--"));
	if (to.empty())
		to.push_back(marker(frame_kind::note, "[no stack]"));
}

} // namespace events
