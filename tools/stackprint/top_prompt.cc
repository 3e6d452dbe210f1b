// Takes the keys that are typed into the line of --top.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "top_prompt.h"

#include <utility>

#include "tools/lib/text.h"

namespace stackprint {

bool
top_prompt::type(const keystroke &k)
{
	std::string &text = kind_ == kind::search ? search_ : file_;
	if (k.what == key::letter)
		text += k.letter;
	else if (k.what == key::back && k.letter != 0 && !text.empty())
		text.pop_back();
	else if (k.what == key::back || k.what == key::enter) {
		const kind was = std::exchange(kind_, kind::none);
		if (k.what == key::enter)
			return was == kind::file && !text.empty();
		text.clear();
	}
	return false;
}

std::string
top_prompt::line() const
{
	return (kind_ == kind::search ? "search: " + printable(search_) :
	    "write to file: " + printable(file_)) + "_";
}

} // namespace stackprint
