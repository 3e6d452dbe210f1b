// Searches the map of segments of the code cache (heap.cpp).  A segment has its
// distance from the first one of its block, or a nearer one's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "code_cache.h"

#include <cstring>

namespace stack9::languages::java {
namespace {

constexpr unsigned int most_heaps = 16, most_hops = 1 << 16;
constexpr std::uint32_t largest_blob = 64 << 20, largest_frame = 1 << 20;

} // namespace

code_cache::code_cache(noting_memory &m, const layout &l) : m_(m), l_(l)
{
	std::uint64_t array, data, at;
	std::uint32_t length;
	if (l.code_heap != 0) {
		if (m.word(l.code_heap, at))
			add_heap(at);
		return;
	}
	if (!m.word(l.code_heaps, array) ||
	    !get(m, array + l.array_length, length) ||
	    !m.word(array + l.array_data, data))
		return;
	for (std::uint32_t i = 0; i < length && i < most_heaps; i++)
		if (m.word(data + 8 * i, at))
			add_heap(at);
}

void
code_cache::add_heap(std::uint64_t at)
{
	heap h;
	if (m_.word(at + l_.memory + l_.low, h.low) &&
	    m_.word(at + l_.memory + l_.high, h.high) &&
	    m_.word(at + l_.segment_map + l_.low, h.map) &&
	    get(m_, at + l_.segment_shift, h.shift) &&
	    h.shift >= 4 && h.shift <= 16 && h.low < h.high)
		heaps_.push_back(h);
}

const code_cache::heap *
code_cache::heap_of(std::uint64_t pc) const noexcept
{
	for (const heap &h : heaps_)
		if (pc >= h.low && pc < h.high)
			return &h;
	return nullptr;
}

bool
code_cache::find_start(std::uint64_t pc, std::uint64_t &start)
{
	constexpr std::uint8_t is_free = 0xff;
	const heap *const h = heap_of(pc);
	if (h == nullptr)
		return false;
	std::uint64_t segment = (pc - h->low) >> h->shift;
	std::uint8_t back;
	for (unsigned int hops = 0; hops < most_hops; hops++) {
		if (!get(m_, h->map + segment, back) || back == is_free ||
		    back > segment)
			return false;
		if (back == 0) {
			start = h->low + (segment << h->shift) +
			    l_.sizeof_block;
			return true;
		}
		segment -= back;
	}
	return false;
}

bool
code_cache::read(std::uint64_t pc, std::uint64_t at, blob &b)
{
	std::uint64_t name;
	std::uint32_t size, words, offset;
	char text[64];
	if (!m_.word(at + l_.blob_name, name) ||
	    !get(m_, at + l_.blob_size, size) || size > largest_blob ||
	    pc - at > size || !get(m_, at + l_.frame_size, words) ||
	    !m_.read(name, text, sizeof text))
		return false;
	b.name.assign(text, strnlen(text, sizeof text));
	if (l_.code_begin != none) {
		if (!m_.word(at + l_.code_begin, b.code))
			return false;
	} else {
		if (!get(m_, at + l_.code_offset, offset))
			return false;
		b.code = at + offset;
	}
	b.what = b.name == "Interpreter" ? blob::kind::interpreter :
	    b.name == "nmethod" ? blob::kind::compiled :
	    b.name == "native nmethod" ? blob::kind::native :
	    blob::kind::other;
	b.frame_size = words < largest_frame / 8 ? words * 8 : 0;
	std::int16_t half;
	std::int32_t whole;
	if (l_.frame_complete == none)
		b.complete = b.code;
	else if (l_.complete_is_short)
		b.complete = get(m_, at + l_.frame_complete, half) ?
		    b.code + static_cast<std::uint64_t>(half) : b.code;
	else
		b.complete = get(m_, at + l_.frame_complete, whole) ?
		    b.code + static_cast<std::uint64_t>(whole) : b.code;
	b.at = at;
	return true;
}

const blob *
code_cache::find(std::uint64_t pc)
{
	std::uint64_t start;
	if (!find_start(pc, start))
		return nullptr;
	const auto [known, is_new] = blobs_.try_emplace(start);
	blob &b = known->second;
	if ((is_new || m_.is_noting()) && !read(pc, start, b))
		b.at = 0;
	return b.at != 0 ? &b : nullptr;
}

} // namespace stack9::languages::java
