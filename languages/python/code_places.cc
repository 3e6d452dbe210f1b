// Reads many code objects and their texts by few requests.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "code.h"

#include <algorithm>
#include <new>

namespace stack9::languages::python {
namespace {

// A code object; a text whose size is not known yet; a text at most.
constexpr std::uint32_t code_size = 256, first_size = 192, most_size = 4096;
constexpr std::size_t most_places = 1 << 16;

// The bytes of an object that ends with so many units of this size.
std::uint32_t
size_of(memory &m, const layout &l, std::uint64_t at, std::uint32_t unit)
{
	constexpr std::uint64_t head = 64;
	std::uint64_t n;
	if (!m.word(at + header_of(l), n) || n > most_size)
		return first_size;
	return static_cast<std::uint32_t>(std::min<std::uint64_t>(most_size,
	    header_of(l) + head + n * unit));
}

} // namespace

bool
code_places::find(memory &m, const layout &l, std::uint64_t code, places &to)
{
	to.name.size = to.file.size = to.lines.size = first_size;
	return m.word(code + l.qualname, to.name.from) &&
	    m.word(code + l.filename, to.file.from) &&
	    m.word(code + l.lines, to.lines.from);
}

void
code_places::prefetch(memory &m, const layout &l,
    const std::vector<std::uint64_t> &codes)
{
	const std::lock_guard hold(lock_);
	std::vector<memory::range> ranges;
	std::vector<std::uint64_t> unknown;
	if (all_.size() > most_places)
		all_.clear();
	for (const std::uint64_t code : codes) {
		const auto known = all_.find(code);
		ranges.push_back({code, code_size});
		if (known == all_.end()) {
			unknown.push_back(code);
			continue;
		}
		const places &p = known->second;
		ranges.insert(ranges.end(), {p.name, p.file, p.lines});
	}
	m.prefetch(ranges);
	ranges.clear();
	for (const std::uint64_t code : unknown)
		if (places p; find(m, l, code, p))
			ranges.insert(ranges.end(), {p.name, p.file, p.lines});
	m.prefetch(ranges);
	for (const std::uint64_t code : unknown)
		if (places p; find(m, l, code, p)) {
			p.name.size = size_of(m, l, p.name.from, 1);
			p.file.size = size_of(m, l, p.file.from, 1);
			p.lines.size = size_of(m, l, p.lines.from, 1);
			all_[code] = p;
		}
}

} // namespace stack9::languages::python
