// Takes in what the programs send: brings events into their order, has copied
// stacks walked, publishes rules for the next ones, and gives each event with
// the identity of its stacks to the ledger.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "blocked_stacks.h"
#include "event_line.h"
#include "ledger.h"
#include "processes.h"
#include "reader.h"
#include "stack_parts.h"
#include "reported_frames.h"
#include "second_captures.h"
#include "walk_rules.h"

namespace stack9::events {

class intake final : public record_consumer, public loader::opener {
public:
	intake(const watch_sink &sink, processes &whose, written_table &table,
	    ledger &to)
	    : sink_(sink), processes_(whose), to_(to), rules_(whose),
	      reported_(table), again_(table) {}

	// unwound: frames of a side that is unwound.
	void begin(std::uint32_t unwound) { line_.emplace(unwound); }
	// As reported_frames::prepare(), of the one process whose events come.
	bool prepare(stack9_space &s, pid_t p)
	    { return reported_.prepare(s, p); }
	int open(programs &, const settings &) override;
	// Opens without programs: records come by consume(), then end_line().
	void open_alone(bool wanted) { reported_.open(wanted, -1); }
	int consume(const void *record, std::size_t size) noexcept override;
	int end_line();
	// For a child, whose memory does not have the ring.
	void abandon() noexcept;

	int fd() const noexcept { return reader_.fd(); }
	void interrupt_by(int fd) noexcept { reader_.interrupt_by(fd); }
	bool interrupted() const noexcept { return reader_.interrupted(); }
	bool reading() const noexcept { return reader_.reading(); }
	void end() noexcept { reader_.end(); }

	// As stack9_watch_read().
	int read(int timeout_ms);
	// The identity of stacks that the programs have walked.
	void identify(const s9_stacks &, const __u64 *pcs, identity &);
	int take(const s9_event &);	// that comes by no ring
	// Ends the wait of a thread whose stacks have come before.
	int count_resumed(const s9_event_head &);

	std::uint64_t lost() const noexcept { return lost_; }
	const walk_rules &rules() const noexcept { return rules_; }
	second_captures &again() noexcept { return again_; }

private:
	int	consume_record(const s9_event_head &, std::size_t size);
	int	consume_event(const s9_event &);
	int	consume_copy(const s9_event_copy &);
	seen_process &meet(const s9_space &, const s9_event_head &);
	void	learn(const s9_event &, std::size_t size);
	std::uint32_t most_frames() const noexcept;
	int	end_first();

	const watch_sink	&sink_;
	processes		&processes_;
	ledger			&to_;
	reader			reader_;
	stack_parts		parts_;
	walk_rules		rules_;
	reported_frames		reported_;
	second_captures		again_;
	woven_frames		woven_;
	std::optional<event_line> line_;
	identity		identity_;
	std::string		whole_;		// likewise, from the line
	blocked_stacks		blocked_;
	std::uint64_t		lost_ = 0;	// resumed, and no copy
};

} // namespace stack9::events
