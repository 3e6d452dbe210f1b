// Does with --top what its keys say.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "top.h"

#include <algorithm>
#include <fstream>

#include "tools/lib/text.h"

namespace stackprint {

void
live::move(long by)
{
	std::size_t &chosen = chosen_[static_cast<int>(level_)];
	const long last = std::max<long>(static_cast<long>(rows_.size()) - 1,
	    0);
	chosen = static_cast<std::size_t>(std::clamp(
	    static_cast<long>(chosen) + by, 0L, last));
	if (level_ == level::groups && !rows_.empty())
		chosen_identity_ = rows_[chosen].identity;
}

void
live::open()
{
	const std::size_t chosen = chosen_[static_cast<int>(level_)];
	if (rows_.empty() || level_ == level::thread)
		return;
	if (level_ == level::groups) {
		group_ = rows_[chosen].identity;
		level_ = level::group;
	} else {
		tid_ = rows_[chosen].tid;
		thread_text_.clear();
		level_ = level::thread;
	}
	chosen_[static_cast<int>(level_)] = 0;
	first_ = 0;
}

void
live::close()
{
	if (level_ != level::groups)
		level_ = level_ == level::thread ? level::group :
		    level::groups;
	else
		search_.clear();
}

// The whole of what is shown, also what the screen has no room for.
void
live::write()
{
	std::ofstream out(file_);
	out << title() << '\n';
	for (const std::string &line : head())
		out << line << '\n';
	for (const top_row &row : rows_)
		out << row.text << '\n';
	out.close();
	message_ = (out.good() ? "written to " : "cannot write ") +
	    printable(file_);
}

void
live::type(const keystroke &k)
{
	std::string &text = prompt_ == prompt::search ? search_ : file_;
	if (k.what == key::letter)
		text += k.letter;
	else if (k.what == key::back && k.letter != 0 && !text.empty())
		text.pop_back();
	else if (k.what == key::back || k.what == key::enter) {
		const bool wants = k.what == key::enter && !text.empty();
		if (prompt_ == prompt::file && wants)
			write();
		else if (k.what == key::back)
			text.clear();
		prompt_ = prompt::none;
	}
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
		if (level_ == level::groups)
			prompt_ = prompt::search;
		break;
	case 's':
		order_ = static_cast<top_order>(
		    (static_cast<int>(order_) + 1) % top_orders);
		break;
	case 'w':
		prompt_ = prompt::file;
		break;
	case 'j':
		move(1);
		break;
	case 'k':
		move(-1);
		break;
	}
}

void
live::press(const keystroke &k)
{
	const long page = std::max(screen_.rows() - 4, 1);
	message_.clear();
	if (prompt_ != prompt::none) {
		type(k);
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
		move(-1);
		break;
	case key::down:
		move(1);
		break;
	case key::page_up:
		move(-page);
		break;
	case key::page_down:
		move(page);
		break;
	case key::home:
		move(-static_cast<long>(rows_.size()));
		break;
	case key::end:
		move(static_cast<long>(rows_.size()));
		break;
	case key::nothing:
	case key::hangup:
		break;
	}
}

} // namespace stackprint
