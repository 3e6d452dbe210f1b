// Answers whether something was so, by what the threads of a program noted.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>

#include "moments.h"

namespace soak {

class truths {
public:
	explicit truths(const ledger &l) : l_(l) {}

	// -1: it is none.
	int		actor_of(pid_t tid) const;
	// The thread waited so, and that was a holder, at one moment.
	truth		waits_for(int who, const said_wait &,
			    const said_holder &, span) const;
	// It had the lock at one moment.
	truth		owned(int object, const said_holder &, span) const;
	// The wait that lasted all of the span, and some time before.
	std::optional<noted> lasting(int who, span) const;
	// The one who had the lock all of the span; -1: nobody, or several.
	int		lasting_owner(const noted &, span) const;
	// Returns true if the words of the wait are of that thing.
	bool		is_for(const noted &, const said_wait &) const;

private:
	// A child of a process of the program.
	struct family {
		pid_t	parent;
		truth	is;
	};

	family		parent_of(pid_t, span) const;
	truth		is_of(pid_t pid, pid_t process, span) const;
	truth		is_actor(int who, const object &, const said_holder &,
			    span) const;
	bool		may_take(int object, const said_holder &, span) const;
	truth		had(const noted &, const said_holder &, span) const;

	const ledger	&l_;
};

} // namespace soak
