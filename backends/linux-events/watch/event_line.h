// Keeps events in line while their user stacks are walked, by the reader if
// there is one.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/seam/walks.h"

#include "copied_side.h"

namespace stack9::events {

struct waiting_event {
	enum class kind {
		copied, blocked,	// its user side has been copied
		resumed,
		whole			// it has an identity
	};
	enum class need { nothing, end, walk };

	explicit waiting_event(std::uint32_t frames) : user(frames) {}

	kind		what = kind::whole;
	s9_event_head	head{};
	std::string	identity;
	s9_stacks	stacks{};
	std::vector<__u64> kernel;
	std::vector<__u64> walked;	// to be compared with user,
	__s16		walked_error = 0;	// as in s9_stacks
	std::vector<__u64> reported;	// words of runtimes' frames
	bool		reported_whole = true;
	seen_process	*whose = nullptr;	// of a copy
	copied_side	user;
	need		still = need::nothing;	// of user
};

// Functions that add may throw std::bad_alloc; then the event is lost.
class event_line {
public:
	// frames: of a user side, unless it turns out to have more.
	explicit event_line(std::uint32_t frames) : frames_(frames) {}

	bool empty() const noexcept { return line_.empty(); }

	// Begins an event.  add() puts it after the others.
	std::unique_ptr<waiting_event> begin(waiting_event::kind,
	    const s9_event_head &);
	// False: some events have to be taken before.  The walk is made by
	// take() if it does not begin.
	bool begin_walk(waiting_event &) noexcept;
	void add(std::unique_ptr<waiting_event> &&);

	// Takes the first event and ends its walk.  most: frames.
	std::unique_ptr<waiting_event> take(std::uint32_t most) noexcept;
	void give_back(std::unique_ptr<waiting_event> &&) noexcept;
	// The line is empty: others may have their stacks walked.
	void rest() noexcept { walks_.release(); }

private:
	const std::uint32_t frames_;
	walks		walks_;
	std::deque<std::unique_ptr<waiting_event>> line_;
	std::vector<std::unique_ptr<waiting_event>> unused_;
};

} // namespace stack9::events
