// Declares the reader that is another process, as this process sees it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include <sys/types.h>
#include <unistd.h>

#include "budgets/left_out.h"
#include "core/seam/reader.h"

#include "channel.h"
#include "descriptions.h"
#include "twins.h"

namespace stack9::apart {

class client final : public reader {
public:
	client(channel c, pid_t child, bool only) noexcept
	    : reader(only), channel_(std::move(c)), child_(child) {}

	// Ends the reader.
	void end() noexcept;

	space_walk walk(stack9_space &, const user_copy &, stack_record &,
	    std::uint64_t &wanted) noexcept override;
	void module(stack9_space &, std::uintptr_t pc, mapped_module &)
	    noexcept override;
	int function(stack9_space &, std::uintptr_t pc, bool return_address,
	    std::string &name, std::uintptr_t &offset, std::uintptr_t &size)
	    override;
	int lines(stack9_space &, std::uintptr_t pc, unsigned int flags,
	    source_line_fn *, void *arg) noexcept override;
	int demangle(const char *, char *, std::size_t) noexcept override;
	void
	forget(const stack9_space &s) noexcept override
	{
		if (owner_ == getpid())
			twins_.forget(s);
	}

private:
	// Each function is called with the lock held.
	space_walk nothing(stack_record &) const noexcept;
	message &begin(kind, const stack9_space *);
	bool is_there() noexcept;
	bool ask(const stack9_thread &whose) noexcept;
	bool ask_readable(const char *name, std::size_t size);
	bool serve(const stack9_thread &whose, kind question);
	void take_counts() noexcept;
	bool send(const user_copy &);
	bool describe(stack9_space &, const address &);
	bool ask_descriptions(stack9_space &, const address &);
	bool ask_lines(stack9_space &, std::uintptr_t pc, unsigned int flags,
	    std::vector<line> &);
	bool take_walk(stack_record &, space_walk &, std::uint64_t &);

	std::mutex	lock_;
	channel		channel_;
	const pid_t	child_, owner_ = getpid();
	bool		greeted_ = false, has_rights_ = false, ended_ = false;
	message		out_, in_;
	twins		twins_;
	descriptions	described_;
	// The last answer, and its address in its snapshot.
	description	last_;
	address		last_address_;
	std::uint64_t	last_snapshot_ = 0;
	// A program that asks for lines once asks for those of the next stacks.
	bool		wants_lines_ = false;
	std::uint32_t	lines_flags_ = 0;
	std::uint64_t	counts_[std::size(budgets::left_out_kinds)]{};
};

} // namespace stack9::apart
