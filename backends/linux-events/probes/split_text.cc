// Splits the text of events into its parts.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "split_text.h"

namespace stack9::events {

std::vector<std::string>
split_text(std::string_view text, char separator, std::string_view opening,
    std::string_view closing, std::size_t most)
{
	std::vector<std::string> all(1);
	int depth = 0;
	for (std::size_t i = 0; i < text.size(); i++) {
		const char c = text[i];
		if (c == '\\' && i + 1 < text.size()) {
			if (text[i + 1] != separator)
				all.back() += c;
			all.back() += text[++i];
			continue;
		}
		depth += opening.find(c) != opening.npos;
		depth -= closing.find(c) != closing.npos && depth > 0;
		if (c == separator && depth == 0 && all.size() < most)
			all.emplace_back();
		else
			all.back() += c;
	}
	return all;
}

} // namespace stack9::events
