// A watch: its programs, what they are attached to, and what comes of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <unistd.h>
#include "core/seam/watch.h"

#include "attach.h"
#include "own_counts.h"
#include "processes.h"
#include "programs.h"
#include "reader.h"
#include "settings.h"
#include "sides.h"
#include "tables.h"

namespace stack9::events {

class watch final : public stack9_watcher, private record_taker {
public:
	watch(const watch_request &, std::vector<point> &&);
	~watch() override;

	// 0; an errno, and why.
	int begin(std::string &why);

	int fd() const noexcept override { return reader_.fd(); }
	int read(int timeout_ms) override;
	int counts() override;
	int stop() override;
	int counted(stack9_watch_tally &) override;
	int each_event(stack9_event_fn *, void *arg) const override;

private:
	// A thread that has blocked, of which a copy came.
	struct waiting {
		std::uint64_t	serial;
		std::string	stacks;		// an identity
	};
	class in_kernel;	// a reader of the tables

	bool	is_call_alone() const noexcept;
	int	load(std::string &why);
	int	load_usual(std::string &why);
	int	try_load(const std::vector<const char *> &names,
		    const std::string &function, std::string &why);
	bool	knows_points() const noexcept;
	bool	is_mine() const noexcept { return owner_ == getpid(); }
	void	wait_for_programs() const;

	int	take(const void *record, std::size_t size) noexcept override;
	int	take_record(const s9_event_head &, std::size_t size);
	int	take_event(const s9_event &);
	int	take_copy(const s9_event_copy &);
	int	take_resumed(const s9_event_head &);
	int	unwound(const s9_event_copy &, std::string &identity);
	int	put(const s9_event_head &, const std::string &identity);
	int	deliver(const s9_event_head &, const std::string &identity);

	void	show(const identity_view &);
	int	give(stack9_sample &, const identity_view &);
	int	give_counted(const identity_view &, const s9_count &);
	int	give_ids(const s9_ids_key &, const s9_count &);
	int	gather(own_counts &);
	int	give_all();
	int	end_blocked();
	int	end_one(const s9_blocked &, std::uint64_t now);

	const stack9_filter	filter_;	// its names: in begin() only
	const stack9_sink	sink_;
	std::vector<point>	points_;
	settings		set_;
	programs		programs_;
	attachments		attached_;
	reader			reader_;
	processes		processes_;
	std::optional<sides>	sides_;
	identity		identity_;
	own_counts		own_;		// counted in the process
	std::unordered_map<std::int32_t, waiting> waiting_;	// by tid
	std::uint64_t		dropped_told_ = 0;
	std::uint64_t		given_ = 0;	// of a stream, or by counts()
	std::uint64_t		lost_here_ = 0;	// resumed, and no copy
	std::uint64_t		ended_ = 0;	// blocked when it was stopped
	std::uint64_t		truncated_ = 0;
	std::uint64_t		skipped_ = 0;	// by its end
	std::uint64_t		distinct_ = 0;	// that counts() has given
	bool			all_given_ = false;	// since the end
	bool			stopped_ = false;
	const pid_t		owner_ = getpid();
};

} // namespace stack9::events
