// Shows text on a terminal as well as it can: colours, and letters beyond
// ASCII.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace screens {

// Turns each \ooo of printable() back into a letter, where the bytes are
// UTF-8 of a letter that takes a place of its own.  Controls, marks without a
// place and what changes the direction of text stay escaped.
std::string with_letters(std::string_view escaped);

// Makes headers bold, and the words around a stack fainter or yellow.
std::string with_colours(std::string_view);

class terminal_text {
public:
	// Asks the locale, NO_COLOR and TERM if the descriptor is a terminal.
	explicit terminal_text(int fd);

	bool changes() const { return letters_ || colours_; }
	std::string shown(std::string_view) const;

private:
	bool	letters_ = false, colours_ = false;
};

} // namespace screens
