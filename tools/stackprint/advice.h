// Says what would help.  It is said once, after all stacks, however many
// threads were refused.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "ours.h"
#include "tools/lib/names.h"
#include "tools/lib/output.h"
#include "tools/lib/samples.h"

namespace stackprint {

class advice {
public:
	void	add(const sample &);
	void	not_yours() { not_yours_++; }
	// Rights that the program's file has would be refused.
	void	not_by_file() { by_file_ = false; }
	// --async: stack9_async_submit() gave EPERM or EOPNOTSUPP.
	void	not_submitted(int error);
	// --async: the thread did not return in the time given, woken or not.
	void	not_returned(bool woken);
	void	print(output &, const std::string &command, bool names_hidden,
		    bool addresses_withheld) const;

private:
	void	on_refusal(output &, const std::string &command) const;
	void	on_kernel(output &) const;
	void	on_users(output &) const;
	void	on_async(output &) const;

	unsigned long	kernel_refused_ = 0;
	unsigned long	user_refused_ = 0;
	unsigned long	refused_ = 0;	// threads, by either of the two
	unsigned long	not_yours_ = 0;	// those of refused_ that we refused
	bool		impossible_ = false, by_file_ = true;
	bool		async_refused_ = false, async_impossible_ = false;
	bool		late_ = false, late_though_woken_ = false;
};

// Says once which files lack names, and which were deleted or replaced.
void advise_on_files(output &, const names &);

} // namespace stackprint
