// The counts as a profile: those that read the same added, all that have been,
// or what came since the last time.
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

	void	begin();			// what follows is all there is
	void	add(const stack9_sample &);
	// Of what was added since begin(): all, or what it is more than at the
	// end() before.  From the least to the most.
	const profiles::profile &end(bool only_new, std::uint64_t took_ns);

	// From now on, of this event; as the library names it, if it is one.
	void	began(const std::string &label);

	profiles::profile &profile() { return profile_; }
	const events::frames &frames() const { return frames_; }

private:
	struct count {
		std::uint64_t	events = 0, weight_ns = 0;
	};
	// Frames, the outermost first; process; its name.
	using key = std::tuple<events::frames::list, pid_t, std::string>;
	using counts = std::map<key, count>;

	void	emit(const key &, const count &);

	const events::options	&opt_;
	profiles::profile	profile_;
	events::frames		frames_;
	counts			now_, before_;
};

// In CLOCK_REALTIME, and since then.
std::uint64_t wall_clock_ns();

// Of cpu-clock:HZ and profile:ms:EVERY; 0: it is neither.
std::uint64_t period_ns(std::string_view event);

} // namespace stackcount
