// Runs a watch: its loader, its intake, its ledger and the delivery of its
// events.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <unistd.h>

#include "core/seam/watch.h"

#include "backends/linux-events/programs/loader.h"
#include "delivery.h"
#include "intake.h"
#include "ledger.h"
#include "lent.h"
#include "processes.h"
#include "tables.h"

namespace stack9::events {

class watch final : public event_watcher {
public:
	watch(const watch_request &, std::vector<probe> &&);
	~watch() override;

	// 0; an errno, and why.
	int begin(std::string &why);

	int fd() const noexcept override { return intake_.fd(); }
	int read(int timeout_ms) override;
	void interrupt_by(int fd) noexcept override
	    { intake_.interrupt_by(fd); }
	int counts() override;
	int stop() override;
	int counted(watch_totals &) override;
	int each_event(stack9_event_fn *, void *arg) const override;
	int border(std::string_view name, int &fd) override
	    { return loader_.border(name, fd); }
	int take(const stack9_bpf_stack &) override;

private:
	class in_kernel;	// visits the tables

	bool	is_mine() const noexcept { return owner_ == getpid(); }
	bool	cannot_walk() noexcept;
	bool	counts_here() noexcept;
	void	wait_for_programs();
	int	gather(local_counts &);
	int	deliver_all();
	int	end_blocked();
	int	end_one(const s9_blocked &, std::uint64_t now);

	const watch_filter	filter_;	// its strings: in begin() only
	const watch_sink	sink_;
	loader			loader_;
	totals			totals_;
	processes		processes_;
	written_table		written_;
	delivery		delivery_{sink_, loader_, processes_, written_};
	ledger			ledger_{sink_, loader_, delivery_};
	intake			intake_{sink_, processes_, written_, ledger_};
	identity		identity_;	// of one that ends blocked
	lent_event		lent_;
	std::uint64_t		ended_ = 0;	// blocked as the watch stopped
	std::uint64_t		skipped_ = 0;	// until the end
	std::uint64_t		distinct_ = 0;	// delivered by counts()
	bool			all_delivered_ = false;	// since the end
	bool			stopped_ = false;
	const pid_t		owner_ = getpid();
};

} // namespace stack9::events
