// Compares stacks, and hashes them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sample.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace stack9 {
namespace {

// Mixes a word into a hash.  The multiplier is that of Fibonacci hashing.
void
mix(std::uint64_t &hash, std::uint64_t word) noexcept
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15;
	hash ^= hash >> 32;
}

// "": the frame has an address.
const char *
text_of(const stack9_stack &s, std::uint32_t i) noexcept
{
	return s.text[i] != nullptr ? s.text[i] : "";
}

bool
is_same(const stack9_written &a, const stack9_written &b) noexcept
{
	return a.index == b.index && a.flags == b.flags && a.line == b.line &&
	    std::strcmp(a.name, b.name) == 0 &&
	    std::strcmp(a.file, b.file) == 0 &&
	    std::strcmp(a.language, b.language) == 0;
}

void
mix(std::uint64_t &hash, const char *text) noexcept
{
	for (const char *c = text; *c != '\0'; c++)
		mix(hash, static_cast<unsigned char>(*c));
}

bool
is_same(const stack9_stack &a, const stack9_stack &b) noexcept
{
	if (a.hash != b.hash || a.side != b.side || a.error != b.error ||
	    a.why != b.why || a.flags != b.flags || a.depth != b.depth ||
	    a.dropped != b.dropped || a.space != b.space ||
	    (a.pcs == nullptr) != (b.pcs == nullptr) ||
	    (a.text == nullptr) != (b.text == nullptr))
		return false;
	if (!std::equal(a.written, a.written + a.written_count, b.written,
	    b.written + b.written_count,
	    [](const stack9_written &x, const stack9_written &y) {
		return is_same(x, y);
	    }))
		return false;
	if (a.pcs != nullptr && !std::equal(a.pcs, a.pcs + a.depth, b.pcs))
		return false;
	for (std::uint32_t i = 0; a.text != nullptr && i < a.depth; i++)
		if (std::strcmp(text_of(a, i), text_of(b, i)) != 0)
			return false;
	return true;
}

// Mixes the return addresses in lanes, because a processor mixes several words
// in the time of one if none waits for another's result.
std::uint64_t
hash_of_pcs(const std::uint64_t *pcs, std::uint32_t depth) noexcept
{
	std::uint64_t lane[4]{};
	std::uint32_t i = 0;
	for (; i + 4 <= depth; i += 4)
		for (std::uint32_t j = 0; j < 4; j++)
			mix(lane[j], pcs[i + j]);
	for (; i < depth; i++)
		mix(lane[0], pcs[i]);
	for (std::uint32_t j = 1; j < 4; j++)
		mix(lane[0], lane[j]);
	return lane[0];
}

} // namespace

std::uint64_t
hash_of(const stack9_stack &s) noexcept
{
	std::uint64_t hash = 0;
	mix(hash, static_cast<std::uint64_t>(s.side) << 32 | s.flags);
	mix(hash, static_cast<std::uint64_t>(s.error) << 32 |
	    static_cast<std::uint32_t>(s.why));
	mix(hash, std::uint64_t{s.depth} << 32 | s.dropped);
	mix(hash, reinterpret_cast<std::uintptr_t>(s.space));
	if (s.pcs != nullptr)
		mix(hash, hash_of_pcs(s.pcs, s.depth));
	for (std::uint32_t i = 0; s.text != nullptr && i < s.depth; i++)
		mix(hash, text_of(s, i));
	for (std::uint32_t i = 0; i < s.written_count; i++) {
		const stack9_written &w = s.written[i];
		mix(hash, std::uint64_t{w.index} << 32 | w.line);
		mix(hash, w.name);
		mix(hash, w.file);
	}
	return hash;
}

} // namespace stack9

extern "C" int
stack9_stack_same(const struct stack9_stack *a, const struct stack9_stack *b)
{
	return a == b || (a != nullptr && b != nullptr &&
	    stack9::is_same(*a, *b));
}

extern "C" int
stack9_sample_same(const struct stack9_sample *a,
    const struct stack9_sample *b)
{
	return a == b || (a != nullptr && b != nullptr &&
	    stack9_stack_same(a->kernel, b->kernel) &&
	    stack9_stack_same(a->user, b->user));
}
