// Draws on the whole terminal and reads its keys, by the sequences that all
// terminals of today know.  The screen that was there comes back at the end.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <termios.h>

namespace stackprint {

enum class key {
	nothing,	// the time is over, or the terminal has another size
	hangup,		// there is no terminal any more, or a signal ends it
	letter, enter, back, up, down, page_up, page_down, home, end
};

struct keystroke {
	key	what = key::nothing;
	char	letter = 0;
};

struct screen_line {
	std::string	text{};		// printable ASCII
	bool		reversed = false;
};

class full_screen {
public:
	full_screen() = default;
	~full_screen();
	full_screen(const full_screen &) = delete;
	full_screen &operator=(const full_screen &) = delete;

	// False: stdin or stdout is not a terminal.
	bool	open();
	int	columns() const;
	int	rows() const;

	// Cuts lines and their number to the terminal's size.
	void	draw(const std::vector<screen_line> &);
	// Waits for a key.
	keystroke wait(double seconds);

private:
	keystroke take();
	keystroke escaped(const std::string &);

	bool		is_open_ = false;
	termios		before_{};
	std::string	drawn_, typed_;
};

} // namespace stackprint
