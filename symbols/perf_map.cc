// Parses perf maps.  Other programs write them, and they grow while they are
// read.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "perf_map.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <queue>

#include "budgets/budgets.h"

namespace stack9 {
namespace {

bool
take_number(std::string_view &line, std::uint64_t &value) noexcept
{
	if (line.starts_with("0x"))
		line.remove_prefix(2);
	const char *const end = line.data() + line.size();
	const auto got = std::from_chars(line.data(), end, value, 16);
	if (got.ec != std::errc() || got.ptr == end || *got.ptr != ' ')
		return false;
	line.remove_prefix(static_cast<std::size_t>(got.ptr - line.data()));
	const auto next = line.find_first_not_of(' ');
	line.remove_prefix(std::min(next, line.size()));
	return true;
}

constexpr bool
continues_character(char c) noexcept
{
	return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

constexpr bool
is_control(char c) noexcept
{
	return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
}

} // namespace

// A last line without its end is still being written.
perf_map::perf_map(std::string text) : text_(std::move(text))
{
	std::string_view rest = text_;
	// Names are found by offsets of 32 bits.
	rest = rest.substr(0, UINT32_MAX);
	for (std::size_t end; !cut_ && (end = rest.find('\n')) != rest.npos;) {
		read_line(rest.substr(0, end));
		rest.remove_prefix(end + 1);
		cut_ = budgets::exceeds(entries_.size(),
		    budgets::perf_map_lines);
	}
	entries_.shrink_to_fit();
	settle();
}

void
perf_map::read_line(std::string_view line)
{
	entry e;
	if (!take_number(line, e.start) || !take_number(line, e.size) ||
	    line.empty() || e.size == 0 || e.start > UINT64_MAX - e.size)
		return;
	e.name = static_cast<std::uint32_t>(line.data() - text_.data());
	e.length = static_cast<std::uint32_t>(line.size());
	entries_.push_back(e);
}

// Goes through the entries by address.  The latest of those that cover an
// address gives it its name.
void
perf_map::settle()
{
	std::vector<std::uint32_t> order(entries_.size());
	std::iota(order.begin(), order.end(), 0);
	std::sort(order.begin(), order.end(),
	    [this](std::uint32_t a, std::uint32_t b) {
		    return entries_[a].start < entries_[b].start;
	    });
	const auto end_of = [this](std::uint32_t i) {
		return entries_[i].start + entries_[i].size;
	};
	std::priority_queue<std::uint32_t> open;	// the latest is on top
	std::uint64_t at = 0;
	const auto go_on_to = [&](std::uint64_t to) {
		for (; !open.empty() && at < to; open.pop()) {
			const std::uint32_t top = open.top();
			const std::uint64_t end = std::min(end_of(top), to);
			if (end > at) {
				parts_.push_back({at, end, top});
				at = end;
			}
			if (end_of(top) > to)
				break;
		}
		at = to;
	};
	for (const std::uint32_t i : order) {
		go_on_to(entries_[i].start);
		open.push(i);
	}
	go_on_to(UINT64_MAX);
	parts_.shrink_to_fit();
}

const perf_map::entry *
perf_map::find(std::uint64_t pc) const noexcept
{
	const auto next = std::upper_bound(parts_.begin(), parts_.end(), pc,
	    [](std::uint64_t v, const part &p) { return v < p.start; });
	if (next == parts_.begin() || pc >= std::prev(next)->end)
		return nullptr;
	return &entries_[std::prev(next)->entry];
}

void
perf_map::name(const entry &e, char *text, std::size_t size) const noexcept
{
	if (size == 0)
		return;
	std::size_t n = std::min<std::size_t>(e.length, size - 1);
	const char *const from = text_.data() + e.name;
	if (n < e.length)
		while (n > 0 && continues_character(from[n]))
			n--;
	std::replace_copy_if(from, from + n, text, is_control, '?');
	text[n] = '\0';
}

} // namespace stack9
