// Adds rows, page by page, and finds rules in them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "code_pages.h"

#include <algorithm>
#include <atomic>

namespace stack9::events {
namespace {

// As in unwind/rule.h.
constexpr std::uint32_t kind_full = 6, kind_absent = 7;
constexpr std::uint32_t by_code = kind_absent | S9_ABSENT_BY_CODE << 17;

} // namespace

bool
are_in_order(std::span<const rule_run> runs) noexcept
{
	return std::adjacent_find(runs.begin(), runs.end(),
	    [](const rule_run &a, const rule_run &b) {
		return a.from >= b.from;
	}) == runs.end() && (runs.empty() || runs[0].from == 0);
}

std::uint32_t
short_rule(std::uint32_t bits) noexcept
{
	return bits <= S9_RULE_MASK ? bits : kind_full;
}

int
code_pages::open(int pages, int rows, const rule_budget &room) noexcept
{
	next_page_ = 1;
	next_row_ = 0;
	full_ = false;
	parts_.clear();
	const int error = pages_.open(pages, room.pages);
	return error != 0 ? error : rows_.open(rows, room.rows);
}

void
code_pages::close() noexcept
{
	pages_.close();
	rows_.close();
}

std::uint32_t
code_pages::first_of(std::uint32_t file, std::uint64_t page,
    std::uint64_t pages)
{
	const auto [at, is_new] = parts_.try_emplace({file, page, pages}, 0);
	if (is_new && pages <= pages_.size() - next_page_) {
		at->second = next_page_;
		next_page_ += static_cast<std::uint32_t>(pages);
	}
	return at->second;
}

std::uint32_t
code_pages::find(std::uint32_t page, std::uint32_t place) const noexcept
{
	if (!knows(page))
		return 0;
	const std::uint32_t *const first = &rows_[S9_FIRST_ROW(pages_[page])];
	const std::uint32_t *const behind = std::upper_bound(first,
	    first + S9_ROW_COUNT(pages_[page]), S9_ROW(place, S9_RULE_MASK));
	const std::uint32_t rule = behind[-1] & S9_RULE_MASK;
	return rule == by_code ? 0 : rule;
}

// begin: the page's distance.  first: the run that holds there.
bool
code_pages::add_page(std::uint32_t page, std::uint32_t begin,
    std::span<const rule_run> runs, std::size_t first) noexcept
{
	std::size_t n = first + 1;
	while (n < runs.size() && runs[n].from - begin < S9_CODE_PAGE)
		n++;
	const auto count = static_cast<std::uint32_t>(n - first);
	if (count > rows_.size() - next_row_) {
		full_ = true;
		return false;
	}
	for (std::size_t i = first; i < n; i++)
		rows_[next_row_ + (i - first)] = S9_ROW(
		    runs[i].from <= begin ? 0 : runs[i].from - begin,
		    short_rule(runs[i].rule));
	std::atomic_ref<std::uint64_t>(pages_[page]).store(
	    S9_PAGE_ROWS(next_row_, count), std::memory_order_release);
	next_row_ += count;
	return true;
}

void
code_pages::add(std::uint32_t page, std::uint32_t pages,
    std::span<const rule_run> runs) noexcept
{
	constexpr rule_run none{0, 0};
	std::size_t first = 0;
	if (runs.empty())
		runs = {&none, 1};
	for (std::uint32_t i = 0; i < pages && page + i < pages_.size(); i++) {
		const std::uint32_t begin = i * S9_CODE_PAGE;
		while (first + 1 < runs.size() && runs[first + 1].from <= begin)
			first++;
		if (pages_[page + i] == 0 && !add_page(page + i, begin, runs,
		    first))
			return;
	}
}

} // namespace stack9::events
