// Finds the runtimes of a process by the symbols of its files, and asks each of
// them for its frames.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "runtime.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <vector>

#include "symbols.h"

namespace stack9::languages {
namespace {

using process::attachment, process::file, process::mapping;

// The runtimes that a file has, with the symbol that each was found by.
struct runtimes_of_file final : attachment {
	struct one {
		const runtime	*which;
		std::uint64_t	vaddr;
	};
	std::vector<one>	all;
	std::string		note;	// of those whose symbols it has lost
};

std::unique_ptr<attachment>
look_for_runtimes(file &f)
{
	std::vector<std::string_view> names;
	std::vector<const runtime *> owners;
	for (const runtime *const r : all_runtimes())
		for (const std::string_view mark : r->marks) {
			names.push_back(mark);
			owners.push_back(r);
		}
	std::vector<found_symbol> found(names.size());
	find_symbols(f, names, found.data());
	auto made = std::make_unique<runtimes_of_file>();
	for (std::size_t i = 0; i < names.size(); i++)
		if (found[i].vaddr != 0 && (made->all.empty() ||
		    made->all.back().which != owners[i]))
			made->all.push_back({owners[i], found[i].vaddr});
	for (const runtime *const r : all_runtimes())
		if (made->all.empty() && made->note.empty())
			made->note = r->what_is_stripped(f);
	return made;
}

struct instance {
	const runtime	*which;
	file		*backing;
	std::uint64_t	bias, mark;
};

struct found_runtimes {
	std::vector<instance>	all;
	std::string		note;
};

// Those of the last snapshot of a space, for each thread asks for them.
struct runtimes_of_space final : attachment {
	std::mutex		lock;
	std::uint64_t		number = 0;	// of the snapshot; 0: none
	found_runtimes		its;
};

// A file is mapped in parts, one of which says where it is.
found_runtimes
find_instances(stack9_space &space)
{
	found_runtimes found;
	std::set<const file *> seen;
	space.each_mapping([&](const mapping &m) {
		std::uint64_t vaddr = 0;
		if (m.backing == nullptr || m.is_image || m.is_moved ||
		    !m.backing->vaddr_of(m.offset, vaddr) ||
		    !seen.insert(m.backing.get()).second)
			return;
		file &f = *m.backing;
		const std::uint64_t bias = m.start - vaddr;
		const auto &its = kept_with<runtimes_of_file>(f, [&] {
			return look_for_runtimes(f);
		});
		for (const auto &r : its.all)
			found.all.push_back({r.which, &f, bias,
			    r.vaddr + bias});
		if (found.note.empty())
			found.note = its.note;
	});
	std::stable_sort(found.all.begin(), found.all.end(),
	    [](const instance &a, const instance &b) {
		return a.which->rank < b.which->rank;
	});
	return found;
}

// A snapshot may come meanwhile: what was found is of one number at most.
found_runtimes
instances_of(stack9_space &space)
{
	auto &its = kept_with<runtimes_of_space>(space);
	const std::lock_guard hold(its.lock);
	const std::uint64_t number = space.number();
	if (its.number != number || number == 0) {
		its.its = find_instances(space);
		its.number = number;
	}
	return its.its;
}

bool
has_frame_in(const question &q, const file &f)
{
	for (std::uint32_t i = 0; i < q.native.depth; i++)
		if (process::place at; q.space.find(q.native.pcs[i] - (i > 0),
		    at) && at.backing == &f)
			return true;
	return false;
}

} // namespace

void
memory::prefetch_all(std::uint64_t from, std::uint64_t size) noexcept
{
	constexpr std::uint64_t page = 4096;
	std::array<range, 16> all;
	std::size_t n = 0;
	for (std::uint64_t at = from & ~(page - 1); n < all.size() &&
	    at < from + size; at += page)
		all[n++] = {at, page};
	prefetch(std::span(all).first(n));
}

bool
add_written(const question &q, written_stack &to)
{
	const found_runtimes found = instances_of(q.space);
	for (const instance &i : found.all) {
		const loaded where{*i.backing, i.bias, i.mark};
		if (!q.asked.at_event)
			i.which->walk(q, where, to);
		else if (!i.which->walk_event(q, where, to))
			to.lacking |= has_frame_in(q, *i.backing);
	}
	if (to.note.empty())
		to.note = found.note;
	to.sort();
	return !found.all.empty() || !found.note.empty();
}

bool
add_tasks(const question &q, written_tasks &to)
{
	const found_runtimes found = instances_of(q.space);
	for (const instance &i : found.all)
		i.which->tasks(q, {*i.backing, i.bias, i.mark}, to);
	return !found.all.empty();
}

} // namespace stack9::languages

void
stack9::written_stack::sort()
{
	std::stable_sort(frames.begin(), frames.end(),
	    [](const written_frame &a, const written_frame &b) {
		return a.at < b.at;
	});
}
