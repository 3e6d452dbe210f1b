// Asks another process for names and lines.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "client.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>
#include <vector>

namespace stack9::apart {
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
client::ask_descriptions(stack9_space &space, const address &first)
{
	if (!is_there_for(space))
		return false;
	auto all = described_.question(space.number(), first);
	if (!wants_lines_)
		std::erase_if(all, [&](const address &each) {
			return !(each == first) &&
			    places_.find(place_of(space, each)) != nullptr;
		});
	message &m = begin(kind::describe, &space);
	m.put(wants_names_);
	m.put(wants_lines_);
	m.put(lines_flags_);
	m.put(static_cast<std::uint32_t>(all.size()));
	for (const address &each : all) {
		m.put(each.pc);
		m.put(each.return_address);
	}
	if (!ask(space.thread()))
		return false;
	for (const address &each : all) {
		description d;
		if (!in_.get<bool>())
			break;		// the answer is full
		if (!take_description(in_, d))
			return false;
		d.has_name = wants_names_;
		d.has_lines = wants_lines_;
		places_.add(place_of(space, each), d);
		described_.add(space.number(), each, std::move(d));
	}
	return true;
}

file_place
client::place_of(stack9_space &space, const address &a) const noexcept
{
	process::place p;
	return !space.find(a.looked_up(), p) || p.backing == nullptr ||
	    p.vaddr == 0 ? file_place{} : file_place{
	    twins_.number_of(p.where->backing), p.vaddr, a.return_address};
}

bool
client::describe_by_file(stack9_space &space, const address &of)
{
	const description *const d = wants_lines_ ? nullptr :
	    places_.find(place_of(space, of));
	if (d != nullptr)
		last_ = *d;
	return d != nullptr;
}

bool
client::describe(stack9_space &space, const address &of)
{
	const std::uint64_t snapshot = space.number();
	last_snapshot_ = 0;
	was_killed_ = false;
	if (!described_.take(snapshot, of, last_) &&
	    !describe_by_file(space, of) && !((ask_descriptions(space, of) ||
	    (once_more() && ask_descriptions(space, of))) &&
	    described_.take(snapshot, of, last_)))
		return false;
	last_address_ = of;
	last_snapshot_ = snapshot;
	return true;
}

bool
client::is_last(const stack9_space &space, std::uint64_t pc) const noexcept
{
	return last_snapshot_ == space.number() &&
	    last_address_.looked_up() == pc;
}

int
client::function(stack9_space &space, std::uintptr_t pc, bool return_address,
    std::string &name, std::uintptr_t &offset, std::uintptr_t &size)
try {
	const std::lock_guard hold(lock_);
	wants_names_ = true;
	if (!describe(space, {pc, return_address}) || (!last_.has_name &&
	    !describe(space, {pc, return_address})) || last_.error != 0)
		return ENOENT;
	name = last_.name.c_str();
	offset = last_.offset;
	size = last_.size;
	return 0;
} catch (const std::system_error &) {
	return ENOENT;
}

void
client::module(stack9_space &space, std::uintptr_t pc, mapped_module &m)
    noexcept
try {
	const std::lock_guard hold(lock_);
	if (!is_last(space, pc) && !describe(space, {pc, false}))
		return;
	m.vaddr = last_.vaddr;
	m.build_id_size = last_.build_id_size;
	std::copy(std::begin(last_.build_id), std::end(last_.build_id),
	    m.build_id);
} catch (const std::bad_alloc &) {
} catch (const std::system_error &) {
}

bool
client::ask_lines(stack9_space &space, std::uintptr_t pc, unsigned int flags,
    std::vector<line> &to)
{
	const address of{pc, (flags & name_return_address) != 0};
	const std::uint32_t rest = flags & ~name_return_address;
	if (last_snapshot_ == space.number() && last_address_ == of &&
	    last_.has_lines && lines_flags_ == rest) {
		to = last_.lines;
		return true;
	}
	if (!is_there_for(space))
		return false;
	message &m = begin(kind::lines, &space);
	m.put(of.pc);
	m.put(std::uint32_t{flags});
	if (!ask(space.thread()))
		return false;
	take_lines(in_, to);
	wants_lines_ = true;
	lines_flags_ = rest;
	return in_.whole();
}

// The lock is not held while fn is called, because it may ask for lines itself.
int
client::lines(stack9_space &space, std::uintptr_t pc, unsigned int flags,
    source_line_fn *fn, void *arg) noexcept
try {
	std::vector<line> all;
	{
		const std::lock_guard hold(lock_);
		if (!ask_lines(space, pc, flags, all))
			return ENOENT;
	}
	for (const line &l : all) {
		const source_line told{l.function.c_str(), l.file.c_str(),
		    l.number, l.column, l.inlined};
		if (const int stop = fn(arg, &told); stop != 0)
			return stop;
	}
	return all.empty() ? ENOENT : 0;
} catch (const std::bad_alloc &) {
	return ENOENT;
} catch (const std::system_error &) {
	return ENOENT;
}

// The other process is a copy of this one, and has its functions at the same
// addresses.
bool
client::run(file_task *task, int fd, const std::string &question,
    std::string &answer)
{
	const std::lock_guard hold(lock_);
	if (!is_there())
		return false;
	message &m = begin(kind::run, nullptr);
	m.put(task);
	m.put_text(question);
	if (!ask({}, fd))
		return false;
	answer = in_.get_text();
	return in_.whole();
}

bool
client::ask_readable(const char *name, std::size_t size)
{
	message &m = begin(kind::demangle, nullptr);
	m.put_text(name);
	m.put(static_cast<std::uint32_t>(size));
	return ask({});
}

int
client::demangle(const char *name, char *text, std::size_t size) noexcept
try {
	const std::lock_guard hold(lock_);
	int error = ENOENT;
	std::string_view shown = name;
	if (last_snapshot_ != 0 && last_.name == name &&
	    !last_.readable.empty()) {
		shown = last_.readable;
		error = 0;
	} else if (ask_readable(name, size)) {
		const auto answer = in_.get<int>();
		const std::string_view readable = in_.get_text();
		if (answer == 0 && in_.whole()) {
			shown = readable;
			error = 0;
		}
	}
	const std::size_t fits = std::min(shown.size(), size - 1);
	std::memcpy(text, shown.data(), fits);
	text[fits] = '\0';
	return error;
} catch (...) {
	text[0] = '\0';
	return ENOENT;
}

} // namespace stack9::apart
