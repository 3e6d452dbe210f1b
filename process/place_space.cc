// Makes spaces without a process, in which each file that is named by its
// build-id has a stretch of addresses of its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <new>

#include "place_table.h"
#include "space.h"

namespace stack9 {
namespace {

using process::place_table;

// The upper half of a stretch is for places that are not return addresses.
constexpr unsigned int stretch_bits = 48;
constexpr std::uint64_t half = std::uint64_t{1} << (stretch_bits - 1);

// Two mappings with one file.
void
map_stretch(stack9_space &s, std::uint64_t start,
    const process::build_id_bytes &id, const std::string &path,
    std::shared_ptr<process::file> backing)
{
	for (const std::uint64_t at : {start, start + half}) {
		process::mapping m;
		m.start = static_cast<std::uintptr_t>(at);
		m.end = static_cast<std::uintptr_t>(at + half);
		m.image_at = at;
		m.readable = m.executable = m.is_image = true;
		m.path = path;
		m.reported_build_id = id;
		m.backing = backing;
		s.take_further(std::move(m));
	}
}

} // namespace

int
space_of_build_ids(std::vector<std::string> paths, stack9_space *&out) noexcept
try {
	if (sizeof(std::uintptr_t) < sizeof(std::uint64_t))
		return EOPNOTSUPP;
	auto s = std::make_unique<stack9_space>(stack9_thread{});
	s->places = std::make_unique<place_table>(std::move(paths));
	out = s.release();
	return 0;
} catch (const std::bad_alloc &) {
	return ENOMEM;
}

int
space_place(stack9_space &s, const std::vector<unsigned char> &id,
    const std::string &path, std::uint64_t vaddr, bool exact,
    std::uint64_t &pc)
{
	if (s.places == nullptr || vaddr >= half)
		return EINVAL;
	place_table &t = *s.places;
	const std::lock_guard hold(t.lock);
	auto at = t.stretches.find({id, path});
	if (at == t.stretches.end()) {
		if (t.stretches.size() >= place_table::most)
			return ENOSPC;
		const std::uint64_t start =
		    (std::uint64_t{t.stretches.size()} + 1) << stretch_bits;
		map_stretch(s, start, id, path, t.files.find(id));
		at = t.stretches.emplace(std::pair(id, path), start).first;
	}
	pc = at->second + (exact ? half : 0) + vaddr;
	return 0;
}

bool
has_places(const stack9_space &s) noexcept
{
	return s.places != nullptr;
}

bool
is_exact_place(const stack9_space &s, std::uint64_t pc) noexcept
{
	return s.places != nullptr && (pc & half) != 0;
}

} // namespace stack9
