// Asks the reader for names and lines.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "asked_names.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "budgets/budgets.h"

namespace stack9::sandbox {
namespace {

// Each line follows a true, the last one is followed by a false.
void
take_lines(message &from, std::vector<line> &to)
{
	while (from.get<bool>()) {
		line &l = to.emplace_back();
		l.function = from.get_text();
		l.file = from.get_text();
		l.number = from.get<unsigned int>();
		l.column = from.get<unsigned int>();
		l.inlined = from.get<bool>();
	}
}

bool
take_description(message &from, description &to)
{
	to.vaddr = from.get<std::uint64_t>();
	to.build_id_size = std::min<unsigned int>(from.get<unsigned int>(),
	    sizeof to.build_id);
	const auto id = from.get_bytes(sizeof to.build_id);
	to.error = from.get<int>();
	to.name = from.get_text();
	to.readable = from.get_text();
	to.offset = from.get<std::uint64_t>();
	to.size = from.get<std::uint64_t>();
	to.has_rule = from.get<bool>();
	to.rule = from.get<std::uint32_t>();
	take_lines(from, to.lines);
	if (from.whole())
		std::memcpy(to.build_id, id.data(), id.size());
	return from.whole();
}

} // namespace

bool
asked_names::ask(stack9_space &space, const address &first)
{
	if (!by_.is_there_for(space))
		return false;
	auto all = described_.question(space.number(), first);
	if (!wants_lines_)
		std::erase_if(all, [&](const address &each) {
			return !(each == first) &&
			    places_.find(place_of(space, each)) != nullptr;
		});
	message &m = by_.question(kind::describe, &space);
	if (wants_lines_)
		by_.allow(budgets::of(budgets::lines_ns));
	m.put(wants_names_);
	m.put(wants_lines_);
	m.put(lines_flags_);
	m.put(static_cast<std::uint32_t>(all.size()));
	for (const address &each : all) {
		m.put(each.pc);
		m.put(each.return_address);
	}
	if (!by_.ask(space.thread()))
		return false;
	message &in = by_.answer();
	for (const address &each : all) {
		description d;
		if (!in.get<bool>())
			break;		// the answer is full
		if (!take_description(in, d))
			return false;
		d.has_name = wants_names_;
		d.has_lines = wants_lines_;
		places_.add(place_of(space, each), d);
		described_.add(space.number(), each, std::move(d));
	}
	return true;
}

// Another reader gives other numbers to files.
file_place
asked_names::place_of(stack9_space &space, const address &a) noexcept
{
	process::place p;
	if (generation_ != by_.reader().generation())
		places_.clear();
	generation_ = by_.reader().generation();
	return !space.find(a.looked_up(), p) || p.backing == nullptr ||
	    p.vaddr == 0 ? file_place{} : file_place{
	    by_.known().number_of(p.where->backing), p.vaddr,
	    a.return_address};
}

bool
asked_names::describe_by_file(stack9_space &space, const address &of)
{
	const description *const d = wants_lines_ ? nullptr :
	    places_.find(place_of(space, of));
	if (d != nullptr)
		last_ = *d;
	return d != nullptr;
}

bool
asked_names::describe(stack9_space &space, const address &of)
{
	const std::uint64_t snapshot = space.number();
	last_snapshot_ = 0;
	if (!described_.take(snapshot, of, last_) &&
	    !describe_by_file(space, of) &&
	    !(by_.twice([&] { return ask(space, of); }) &&
	    described_.take(snapshot, of, last_)))
		return false;
	last_address_ = of;
	last_snapshot_ = snapshot;
	return true;
}

bool
asked_names::is_last(const stack9_space &space, std::uint64_t pc) const noexcept
{
	return last_snapshot_ == space.number() &&
	    last_address_.looked_up() == pc;
}

void
asked_names::expect(std::uint64_t snapshot, const stack_record &rec)
{
	for (std::uint32_t i = 0; i < rec.depth; i++)
		described_.expect(snapshot, {rec.pcs[i], i > 0 ||
		    (rec.flags & STACK9_STACK_EXACT) == 0});
}

bool
asked_names::rule(const stack9_space &space, std::uintptr_t pc,
    std::uint32_t &to) const noexcept
{
	if (!last_.has_rule || !is_last(space, pc))
		return false;
	to = last_.rule;
	return true;
}

int
asked_names::function(stack9_space &space, std::uintptr_t pc,
    bool return_address, std::string &name, std::uintptr_t &offset,
    std::uintptr_t &size)
{
	wants_names_ = true;
	if (!describe(space, {pc, return_address}) || (!last_.has_name &&
	    !describe(space, {pc, return_address})) || last_.error != 0)
		return ENOENT;
	name = last_.name.c_str();
	offset = last_.offset;
	size = last_.size;
	return 0;
}

void
asked_names::module(stack9_space &space, std::uintptr_t pc, mapped_module &m)
{
	if (!is_last(space, pc) && !describe(space, {pc, false}))
		return;
	m.vaddr = last_.vaddr;
	m.build_id_size = last_.build_id_size;
	std::copy(std::begin(last_.build_id), std::end(last_.build_id),
	    m.build_id);
}

bool
asked_names::lines(stack9_space &space, std::uintptr_t pc, unsigned int flags,
    std::vector<line> &to)
{
	const address of{pc, (flags & name_return_address) != 0};
	const std::uint32_t rest = flags & ~name_return_address;
	if (last_snapshot_ == space.number() && last_address_ == of &&
	    last_.has_lines && lines_flags_ == rest) {
		to = last_.lines;
		return true;
	}
	if (!by_.is_there_for(space))
		return false;
	message &m = by_.question(kind::lines, &space);
	by_.allow(budgets::of(budgets::lines_ns));
	m.put(of.pc);
	m.put(std::uint32_t{flags});
	if (!by_.ask(space.thread()))
		return false;
	take_lines(by_.answer(), to);
	wants_lines_ = true;
	lines_flags_ = rest;
	return by_.answer().whole();
}

int
asked_names::demangle(const char *name, std::size_t size, std::string &shown)
{
	if (last_snapshot_ != 0 && last_.name == name &&
	    !last_.readable.empty()) {
		shown = last_.readable;
		return 0;
	}
	message &m = by_.question(kind::demangle, nullptr);
	m.put_text(name);
	m.put(static_cast<std::uint32_t>(size));
	if (!by_.ask({}))
		return ENOENT;
	const auto error = by_.answer().get<int>();
	const std::string_view readable = by_.answer().get_text();
	if (error != 0 || !by_.answer().whole())
		return ENOENT;
	shown = readable;
	return 0;
}

} // namespace stack9::sandbox
