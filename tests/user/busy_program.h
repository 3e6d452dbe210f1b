// Declares the busy program, from its start to its end, and a check whether a
// stack can be one of its threads'.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <unordered_map>

#include "core/seam/record.h"
#include "busy.h"
#include "user.h"

class busy_program {
public:
	explicit busy_program(const std::string &file);
	busy_program(const busy_program &) = delete;
	~busy_program();

	pid_t pid() const { return pid_; }
	pid_t tid(int me) const { return page_->of[me].tid; }
	// -1: none of those that count.
	int who(pid_t tid) const;
	stack9_space *space() { return space_.get(); }

	// "": such a stack may have been there, and a stack that says it is
	// complete reaches the start of its thread; otherwise what is wrong
	// with it.
	std::string fault(int me, const stack9::stack_record &user);
	// "": both may have been there at one moment.
	std::string fault(const stack9::stack_record &kernel,
	    const stack9::stack_record &user);

	void end();
	// Its stack in words.
	std::string told(const stack9::stack_record &user);

private:
	class reader;
	struct place {
		std::string	function;	// or file in brackets
		bool		own;		// of the program itself
	};
	const place &at(std::uintptr_t pc, bool exact);
	const std::string &kernel_name(std::uintptr_t pc, bool exact);

	pid_t			 pid_ = -1;
	const busy::page	*page_;
	std::string		 name_;		// its file's, without folders
	::space			 space_;
	// By pc, and whether it is exact.
	std::unordered_map<std::uintptr_t, place>	seen_[2];
	std::unordered_map<std::uintptr_t, std::string>	kernel_[2];
};
