// Runs a watch: its programs, their attachments, and the delivery of its
// events.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <unistd.h>
#include "bpf/unwind/rule_publisher.h"
#include "core/seam/watch.h"

#include "backends/linux-events/programs/attach.h"
#include "event_line.h"
#include "local_counts.h"
#include "processes.h"
#include "backends/linux-events/programs/programs.h"
#include "reader.h"
#include "backends/linux-events/programs/settings.h"
#include "sides.h"
#include "stack_parts.h"
#include "tables.h"
#include "wakers.h"

namespace stack9::events {

class watch final : public event_watcher, private record_consumer {
public:
	watch(const watch_request &, std::vector<probe> &&);
	~watch() override;

	// 0; an errno, and why.
	int begin(std::string &why);

	int fd() const noexcept override { return reader_.fd(); }
	int read(int timeout_ms) override;
	void interrupt_by(int fd) noexcept override
	    { reader_.interrupt_by(fd); }
	int counts() override;
	int stop() override;
	int counted(watch_totals &) override;
	int each_event(stack9_event_fn *, void *arg) const override;

private:
	// The stacks of a blocked thread, whose copy has come.
	struct waiting {
		std::uint64_t	serial;
		std::string	stacks;		// an identity
	};
	class in_kernel;	// visits the tables

	bool	wants_call_event() const noexcept;
	bool	prepare_alone();
	bool	prepare_undisturbed();
	int	load(std::string &why);
	int	try_load(manner, std::string &why);
	bool	knows_probes() const noexcept;
	bool	cannot_walk() const noexcept;
	bool	is_mine() const noexcept { return owner_ == getpid(); }
	void	wait_for_programs();

	int	consume(const void *record, std::size_t size) noexcept override;
	int	consume_record(const s9_event_head &, std::size_t size);
	int	consume_event(const s9_event &);
	int	consume_copy(const s9_event_copy &);
	int	count_resumed(const s9_event_head &);
	std::uint32_t most_frames() const noexcept;
	void	keep_blocked(const s9_event_head &);
	int	end_first();
	int	end_line();
	int	read_ring(int timeout_ms);
	void	identify(const s9_stacks &, const __u64 *pcs, identity &);
	void	learn(waiting_event &);
	stack_record as_walked(waiting_event &) const;
	void	compare(waiting_event &);
	int	count_or_deliver(const s9_event_head &,
		    const std::string &identity);
	int	deliver_event(const s9_event_head &,
		    const std::string &identity);

	void	fill_sides(const identity_view &, sides &);
	const watch_waker *show_waker(const joined_view &);
	int	deliver(watch_sample &, const identity_view &);
	int	deliver_counted(const identity_view &, const s9_count &,
		    const watch_waker *);
	int	gather(local_counts &);
	int	deliver_all();
	int	end_blocked();
	int	end_one(const s9_blocked &, std::uint64_t now);

	const watch_filter	filter_;	// its strings: in begin() only
	const watch_sink	sink_;
	std::vector<probe>	probes_;
	settings		set_;
	programs		programs_;
	totals			totals_;
	attachments		attached_;
	reader			reader_;
	processes		processes_;
	stack_parts		parts_;
	rule_publisher			publisher_;
	std::optional<sides>	sides_, waker_sides_;
	wakers			wakers_;
	watch_waker		waker_{};
	std::optional<event_line> line_;
	identity		identity_;
	std::vector<std::uintptr_t> beyond_;	// frames behind a copy
	std::string		whole_;		// likewise, from the line
	local_counts		local_;		// counted in this process
	std::unordered_map<std::int32_t, waiting> waiting_;	// by tid
	std::size_t		waiting_bytes_ = 0;	// of its stacks
	std::uint64_t		dropped_reported_ = 0;
	std::uint64_t		delivered_ = 0;	// of a stream, or by counts()
	std::uint64_t		lost_here_ = 0;	// resumed, and no copy
	std::uint64_t		ended_ = 0;	// blocked as the watch stopped
	std::uint64_t		truncated_ = 0;
	std::uint64_t		skipped_ = 0;	// until the end
	std::uint64_t		distinct_ = 0;	// delivered by counts()
	std::uint64_t		differing_ = 0;	// walks from copies
	bool			lacks_witness_ = false;	// of the mappings
	bool			all_delivered_ = false;	// since the end
	bool			stopped_ = false;
	const pid_t		owner_ = getpid();
};

} // namespace stack9::events
