// Holds what --top shows and what its keys change.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "full_screen.h"
#include "groups.h"
#include "printer.h"
#include "state_times.h"
#include "top_choice.h"
#include "top_prompt.h"
#include "tracker.h"
#include "waits.h"

namespace stackprint {

class live {
public:
	explicit live(const options &o)
	    : names_(o), tracker_(o, advice_), times_(tracker_),
	      view_{o, false, false, names_, nullptr, &times_},
	      printer_(text_printer(view_)) {}

	int	go();

private:
	bool	look(std::string &why);
	void	build();
	std::vector<top_row> thread_block();
	void	draw();
	std::string	title() const;
	std::string	last_line() const;
	std::vector<std::string> head();
	void	press(const keystroke &);
	void	press_letter(char);
	void	open();
	void	close();
	void	write();

	names		 names_;
	found_waits	 waits_;
	advice		 advice_;
	tracker		 tracker_;
	const state_times times_;
	const view	 view_;
	const std::unique_ptr<printer> printer_;
	full_screen	 screen_;

	std::optional<groups> groups_;
	top_choice	 at_;
	std::string	 thread_text_;	// the last that there was
	top_order	 order_ = top_order::ran;
	std::string	 message_;
	top_prompt	 prompt_;
	bool		 frozen_ = false, ended_ = false, done_ = false;
};

} // namespace stackprint
