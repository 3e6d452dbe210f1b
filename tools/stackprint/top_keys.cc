// Does with --top what its keys say.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "top.h"

#include <algorithm>
#include <fstream>

#include "tools/lib/text.h"

namespace stackprint {

void
live::open()
{
	if (at_.open() && at_.now() == level::thread)
		thread_text_.clear();
}

void
live::close()
{
	if (!at_.close())
		prompt_.clear_search();
}

// The whole of what is shown, also what the screen has no room for.
void
live::write()
{
	std::ofstream out(prompt_.file());
	out << title() << '\n';
	for (const std::string &line : head())
		out << line << '\n';
	for (const top_row &row : at_.rows())
		out << row.text << '\n';
	out.close();
	message_ = (out.good() ? "written to " : "cannot write ") +
	    printable(prompt_.file());
}

void
live::press_letter(char c)
{
	switch (c) {
	case 'q':
		done_ = true;
		break;
	case ' ':
		frozen_ = !frozen_;
		break;
	case '/':
		if (at_.now() == level::groups)
			prompt_.open(top_prompt::kind::search);
		break;
	case 's':
		order_ = static_cast<top_order>(
		    (static_cast<int>(order_) + 1) % top_orders);
		break;
	case 'w':
		prompt_.open(top_prompt::kind::file);
		break;
	case 'j':
		at_.move(1);
		break;
	case 'k':
		at_.move(-1);
		break;
	}
}

void
live::press(const keystroke &k)
{
	const long page = std::max(screen_.rows() - 4, 1);
	message_.clear();
	if (prompt_.is_open()) {
		if (prompt_.type(k))
			write();
		return;
	}
	switch (k.what) {
	case key::letter:
		press_letter(k.letter);
		break;
	case key::enter:
		open();
		break;
	case key::back:
		close();
		break;
	case key::up:
		at_.move(-1);
		break;
	case key::down:
		at_.move(1);
		break;
	case key::page_up:
		at_.move(-page);
		break;
	case key::page_down:
		at_.move(page);
		break;
	case key::home:
		at_.first_row();
		break;
	case key::end:
		at_.last_row();
		break;
	case key::nothing:
	case key::hangup:
		break;
	}
}

} // namespace stackprint
