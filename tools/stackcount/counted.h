// Turns counts into a profile.  Stacks that read the same are added up, over
// all the time or since the profile before.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tools/events/frames.h"
#include "tools/events/options.h"
#include "tools/profiles/profile.h"

namespace stackcount {

class counted {
public:
	explicit counted(const events::options &);

	void	begin();			// starts from nothing
	// The name of the process is the outermost frame from now on.
	void	name_processes() { names_processes_ = true; }
	void	add(const stack9_sample &);
	// Gives what was added since begin(): all of it, or only its growth
	// since the end() before.  The least comes first.
	const profiles::profile &end(bool only_new, std::uint64_t took_ns);

	// Names the event from now on, as the library does; "" for several.
	void	began(const std::string &label);

	profiles::profile &profile() { return profile_; }
	const events::frames &frames() const { return frames_; }

private:
	struct count {
		std::uint64_t	events = 0, weight_ns = 0;
	};
	// The frames, outermost first; the process; its name.
	using key = std::tuple<events::frames::list, pid_t, std::string>;
	using counts = std::map<key, count>;

	void	add_process(const std::string &comm, pid_t,
		    events::frames::list &, key &);
	void	emit(const key &, const count &);

	const events::options	&opt_;
	bool			names_processes_;
	profiles::profile	profile_;
	events::frames		frames_;
	counts			now_, before_;
};

// Read the time in CLOCK_REALTIME, and the time since then.
std::uint64_t wall_clock_ns();

// Gives the period of cpu-clock:HZ and profile:ms:EVERY, or 0 for other events.
std::uint64_t period_ns(std::string_view event);

} // namespace stackcount
