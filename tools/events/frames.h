// The frames of stacks, each named once and numbered: what reads the same is
// the same, in whichever process it is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <stack9_watch.h>

#include "tools/profiles/profile.h"
#include "tools/lib/names.h"
#include "tools/lib/user_names.h"
#include "options.h"

namespace events {

// What tells frames apart, besides their functions.
enum class precision { functions, offsets, addresses };

class frames {
public:
	using list = std::vector<std::uint32_t>;

	// They are added to the deque.
	frames(const options &, precision, std::deque<profiles::frame> &);

	// Those of one side, innermost first, and what is to be said of them.
	void	add(const stack9_record &, list &);
	// Both sides; for processes, the process as the last.
	void	add(const stack9_sample &, list &);

	std::uint32_t	marker(profiles::frame_kind, const std::string &name);

	// The address as it was captured.
	std::uintptr_t
	pc(std::uint32_t i) const
	{
		return pcs_[i];
	}
	// Some name was withheld for want of rights.
	bool
	hidden() const
	{
		return kernel_.hidden();
	}

private:
	using frame = profiles::frame;

	void	add_notes(const stack9_record &, list &);
	void	add_kernel(const stackprint::place &, list &);
	void	add_user(const stackprint::user_place &, list &);
	void	add_user_named(const stackprint::user_place &, list &);
	std::uint32_t	number(frame &&, std::uintptr_t pc);

	const options		&opt_;
	const precision		precision_;
	const stackprint::name_options names_options_;
	std::deque<frame>	&all_;
	std::vector<std::uintptr_t> pcs_;
	stackprint::names	kernel_;
	stackprint::user_names	user_;
	std::unordered_map<std::string, std::uint32_t>	known_;
	std::unordered_map<const void *, list>		of_place_;
};

} // namespace events
