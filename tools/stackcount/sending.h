// Sends what was counted to a server: --to.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "tools/events/options.h"
#include "tools/events/screen.h"
#include "tools/profiles/profile.h"
#include "tools/servers/delivery.h"

namespace stackcount {

class sending {
public:
	sending(const events::options &, events::screen &);

	// False: it has said why not.
	bool	open();
	// Sends what came since the last time.
	void	send(profiles::profile);
	// False: something was not sent, and it has said what.
	bool	finish();

private:
	static servers::address	address_of(const events::options &);
	const std::string	&cgroup_of(pid_t);

	const events::options	&opt_;
	events::screen		&screen_;
	const servers::address	to_;
	servers::delivery		delivery_;
	std::unordered_map<pid_t, std::string> cgroups_;
	std::uint64_t		sent_ns_ = 0;	// since the beginning
};

} // namespace stackcount
