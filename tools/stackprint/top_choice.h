// Declares what the user of --top has chosen: a level, a row of it, the group
// or the thread that is open, and how far the rows are scrolled.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <sys/types.h>

#include "top_rows.h"

namespace stackprint {

enum class level { groups, group, thread };

class top_choice {
public:
	level	now() const noexcept { return level_; }
	const std::vector<top_row> &rows() const noexcept { return rows_; }
	std::size_t row() const noexcept
	    { return rows_of_[static_cast<int>(level_)]; }
	// The identity of the group that is open.
	const std::string &group() const noexcept { return group_; }
	// The thread that is open.
	pid_t	tid() const noexcept { return tid_; }

	// The rows of this level have changed.  The chosen group stays chosen
	// when others come before it.
	void	set_rows(std::vector<top_row>);
	// Chooses the row that is so many rows further down.
	void	move(long by);
	void	first_row() { move(-static_cast<long>(rows_.size())); }
	void	last_row() { move(static_cast<long>(rows_.size())); }
	// Opens the chosen row.  False: it cannot be opened.
	bool	open();
	// Goes back to the level above.  False: there is none.
	bool	close();
	// Scrolls so that the chosen row is among so many, and returns the
	// first of them.
	std::size_t scroll(std::size_t height);

private:
	std::size_t &chosen() noexcept
	    { return rows_of_[static_cast<int>(level_)]; }

	level		 level_ = level::groups;
	std::vector<top_row> rows_;
	std::size_t	 rows_of_[3] = {};	// chosen, for each level
	std::size_t	 first_ = 0;		// row that is drawn
	std::string	 chosen_identity_, group_;
	pid_t		 tid_ = 0;
};

} // namespace stackprint
