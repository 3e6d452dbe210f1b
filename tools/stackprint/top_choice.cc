// Chooses among the rows of --top, and opens and closes them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "top_choice.h"

#include <algorithm>
#include <utility>

namespace stackprint {

void
top_choice::set_rows(std::vector<top_row> rows)
{
	rows_ = std::move(rows);
	std::size_t &at = chosen();
	if (level_ == level::groups && (at >= rows_.size() ||
	    rows_[at].identity != chosen_identity_)) {
		const auto same = std::find_if(rows_.begin(), rows_.end(),
		    [&](const top_row &each) {
			return each.identity == chosen_identity_;
		});
		if (same != rows_.end())
			at = static_cast<std::size_t>(same - rows_.begin());
	}
	at = std::min(at, rows_.empty() ? 0 : rows_.size() - 1);
	if (level_ == level::groups)
		chosen_identity_ = rows_.empty() ? "" : rows_[at].identity;
}

void
top_choice::move(long by)
{
	const long last = std::max<long>(static_cast<long>(rows_.size()) - 1,
	    0);
	chosen() = static_cast<std::size_t>(std::clamp(
	    static_cast<long>(chosen()) + by, 0L, last));
	if (level_ == level::groups && !rows_.empty())
		chosen_identity_ = rows_[chosen()].identity;
}

bool
top_choice::open()
{
	if (rows_.empty() || level_ == level::thread)
		return false;
	if (level_ == level::groups) {
		group_ = rows_[chosen()].identity;
		level_ = level::group;
	} else {
		tid_ = rows_[chosen()].tid;
		level_ = level::thread;
	}
	chosen() = 0;
	first_ = 0;
	return true;
}

bool
top_choice::close()
{
	if (level_ == level::groups)
		return false;
	level_ = level_ == level::thread ? level::group : level::groups;
	return true;
}

std::size_t
top_choice::scroll(std::size_t height)
{
	first_ = std::clamp(first_, chosen() < height ? 0 :
	    chosen() - height + 1, chosen());
	return first_;
}

} // namespace stackprint
