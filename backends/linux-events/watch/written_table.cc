// Gives functions their numbers, and frames their texts again.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "written_table.h"

namespace stack9::events {

void
written_table::put(const written_stack &from, woven_frames &to)
{
	to.frames.clear();
	to.lacking = from.lacking;
	for (const written_frame &f : from.frames) {
		const auto [at, is_new] = numbers_.try_emplace(function(
		    from.text_of(f.language), from.text_of(f.name),
		    from.text_of(f.file), f.line),
		    static_cast<std::uint32_t>(functions_.size()));
		if (is_new)
			functions_.push_back(&at->first);
		to.frames.push_back({f.at, f.flags, at->second, 0});
	}
}

void
written_table::show(const woven_frame *from, std::size_t n,
    written_stack &to) const
{
	to.clear();
	for (std::size_t i = 0; i < n; i++) {
		const auto &[language, name, file, line] =
		    *functions_[from[i].function];
		to.add(from[i].at, from[i].flags, language, name, file, line);
	}
}

} // namespace stack9::events
