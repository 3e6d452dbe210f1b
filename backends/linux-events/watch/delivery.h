// Hands samples to the caller of a watch: single events, and counts.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/seam/watch.h"

#include "backends/linux-events/programs/loader.h"
#include "local_counts.h"
#include "processes.h"
#include "sides.h"
#include "wakers.h"

namespace stack9::events {

class delivery {
public:
	delivery(const watch_sink &sink, const loader &from, processes &whose,
	    const written_table &table)
	    : sink_(sink), from_(from), processes_(whose), table_(table) {}

	void begin(const stack_form &, const stack_form *of_wakers);

	// These return what the caller's function returned.  With wakers the
	// identity is that of both, as wakers::join() makes it.
	int event(const s9_event_head &, const std::string &identity);
	int counted(const std::string &identity, const s9_count &);

	// The counts are delivered from the beginning.
	void restart() noexcept { truncated_ = delivered_ = lacking_ = 0; }
	std::uint64_t events() const noexcept { return delivered_; }
	std::uint64_t truncated() const noexcept { return truncated_; }
	// Those whose runtimes' frames are not among the frames.
	std::uint64_t lacking() const noexcept { return lacking_; }

private:
	void	fill_sides(const identity_view &, sides &);
	const watch_waker *show_waker(const joined_view &);
	int	deliver(watch_sample &, const identity_view &);
	int	deliver_counted(const identity_view &, const s9_count &,
		    const watch_waker *);

	const watch_sink	&sink_;
	const loader		&from_;
	processes		&processes_;
	const written_table	&table_;
	std::optional<sides>	sides_, waker_sides_;
	watch_waker		waker_{};
	std::uint64_t		dropped_reported_ = 0;
	std::uint64_t		delivered_ = 0;	// of a stream, or since
						// restart()
	std::uint64_t		truncated_ = 0, lacking_ = 0;
};

} // namespace stack9::events
