// Watches software events of perf's in one process, for a user whom the kernel
// lets load no programs.  The samples have copies of stacks: they are unwound
// and counted as those of programs are.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <unistd.h>

#include "core/seam/watch.h"

#include "backends/linux-events/programs/loader.h"
#include "backends/linux-events/watch/delivery.h"
#include "backends/linux-events/watch/intake.h"
#include "backends/linux-events/watch/ledger.h"
#include "backends/linux-events/watch/processes.h"
#include "perf_events.h"
#include "sampled_threads.h"
#include "sleepers.h"

namespace stack9::events {

class sampled_watch final : public event_watcher {
public:
	sampled_watch(const watch_request &, std::vector<probe> &&);
	~sampled_watch() override;

	// 0; an errno, and why.
	int begin(std::string &why);

	int fd() const noexcept override { return events_.fd(); }
	int read(int timeout_ms) override;
	void interrupt_by(int fd) noexcept override { interrupt_ = fd; }
	int counts() override;
	int stop() override;
	int counted(watch_totals &) override;
	int each_event(stack9_event_fn *, void *arg) const override;

private:
	struct record {
		std::uint64_t	when;
		std::vector<char> bytes;
	};

	bool	is_mine() const noexcept { return owner_ == getpid(); }
	void	collect();
	int	drain();
	int	apply(const record &);
	int	take_sample(const record &);
	int	take_switch(const record &);
	bool	passes(const perf_sample &, const s9_event_head &) const;
	int	wait(int timeout_ms) const noexcept;

	const watch_filter	filter_;	// its strings: in begin() only
	const watch_sink	sink_;
	loader			loader_;	// loads nothing
	processes		processes_;
	written_table		written_;
	delivery		delivery_{sink_, loader_, processes_, written_};
	ledger			ledger_{sink_, loader_, delivery_};
	intake			intake_{sink_, processes_, written_, ledger_};
	perf_events		events_;
	sampled_threads		threads_;
	sleepers		sleepers_{loader_, processes_, written_,
				    ledger_};
	std::vector<record>	waiting_;	// in no order
	std::vector<std::uint64_t> copy_;	// a struct s9_event_copy
	std::uint64_t		events_seen_ = 0, lost_ = 0;
	int			interrupt_ = -1;
	bool			reading_ = false, stopped_ = false;
	const pid_t		owner_ = getpid();
};

} // namespace stack9::events
