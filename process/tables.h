// Declares a file's unwind information.  It is read at first use and never
// changes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "budgets/kept.h"
#include "unwind/cfi.h"

#include "file.h"
#include "frame_index.h"
#include "long_functions.h"
#include "rule_runs.h"

namespace stack9::process {

// Every file has one in file.cfi from the beginning.
class tables final : public attachment {
public:
	// Gives the tables of a file; NULL: it is not a program.
	static tables *of(file &) noexcept;

	// Find the row for a p_vaddr; addresses in the row are p_vaddrs, too.
	// The spans in it are valid as long as the file.
	unwind::found eh_frame_row(file &, std::uint64_t vaddr,
	    unwind::row &) noexcept;
	unwind::found debug_frame_row(file &, std::uint64_t vaddr,
	    unwind::row &) noexcept;
	// Gives the rules that .eh_frame has for the p_vaddrs [from, to).  Code
	// that it does not describe has the rule `gap`; 0 where it says more
	// than a rule does, and where the code is too short to be a function's.
	// Throws std::bad_alloc.
	void eh_frame_rules(file &, std::uint64_t from, std::uint64_t to,
	    unwind::rule gap, rule_runs &);
	bool has_debug_frame(const file &) const noexcept;
	// Finds the rule for a p_vaddr of a long function whose row was asked
	// for before.
	bool
	known_rule(std::uint64_t vaddr, unwind::rule &to) noexcept
	{
		return long_.find(vaddr, to);
	}

	// They stay in use: their rules are made again where a thread was
	// making them.
	bool
	leave_in_child() noexcept override
	{
		long_.leave_in_child();
		return false;
	}

	// Returns true if there was more to read than the budget allows.
	bool is_left_out() const noexcept { return left_out_.load(); }

private:
	// One section, with the linker's table or with one made by frame_index.
	struct section {
		unwind::cfi_section	bytes;
		std::uintptr_t		header = 0;	// .eh_frame_hdr; or 0
		frame_index		index;
		budgets::share		share;
		bool			left_out = false;
	};
	using reader = section(const file &);

	// Reads a section once; a section that could not be read has no rows.
	class once {
	public:
		~once() { delete it_.load(); }
		// NULL: there is no memory for it now.
		const section *get(file &, reader) noexcept;
	private:
		std::atomic<const section *>	it_{nullptr};
	};

	static section read_eh_frame(const file &);
	static section read_debug_frame(const file &);
	static void index(section &);
	static section of_the_file(const file &, section);
	unwind::found row_in(const section *, std::uint64_t vaddr,
	    unwind::row &) noexcept;
	static bool find_fdes(const section &, std::uint64_t from,
	    std::uint64_t to, std::vector<unwind::fde_place> &);
	bool may_make(const unwind::cfi_section &, std::size_t fde) noexcept;

	once		eh_frame_, debug_frame_;
	std::atomic<bool> left_out_{false};
	long_functions	long_;
	// Bytes of long programs that were read for the rules of stretches.
	std::atomic<std::uint64_t> made_{0};
};

} // namespace stack9::process
