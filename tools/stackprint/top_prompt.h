// Declares the line in which the user of --top types what is searched for, or
// the name of a file.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "full_screen.h"

namespace stackprint {

class top_prompt {
public:
	enum class kind { none, search, file };

	bool	is_open() const noexcept { return kind_ != kind::none; }
	void	open(kind k) noexcept { kind_ = k; }
	// Returns true if a name of a file was typed to its end.
	bool	type(const keystroke &);
	std::string line() const;

	const std::string &search() const noexcept { return search_; }
	void	clear_search() { search_.clear(); }
	const std::string &file() const noexcept { return file_; }

private:
	kind		kind_ = kind::none;
	std::string	search_, file_;
};

} // namespace stackprint
