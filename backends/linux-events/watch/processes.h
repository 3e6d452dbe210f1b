// Keeps the processes that events have come from.  A process's identity and
// maps are read when it is seen for the first time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <stack9.h>
#include "core/seam/space.h"
#include "core/seam/watch.h"

#include "backends/linux-events/programs/event_record.h"
#include "mapping_log.h"

namespace stack9::events {

// The runtimes of a process, as reported_frames knows them.
struct reported_runtimes {
	std::uint64_t	snapshot = 0;	// that was looked at
	std::uint32_t	chain = S9_CHAIN_NONE;	// enum s9_chain_kind
	std::unordered_set<std::uint64_t> functions;	// with names
};

struct seen_process {
	// The mappings that it had for some time.
	struct version {
		unique_space	space;
	};

	stack9_thread	thread{};	// its first one
	char		comm[17] = "";
	std::vector<version> versions;	// never dropped: stacks have them
	// The versions from moments on, at which it had mapped code, or a file
	// was written over that it had mapped.
	std::map<std::uint64_t, std::size_t> moments;
	// From when and until when files were written, as far as is known.
	std::map<std::uint64_t, std::uint64_t> written;
	std::uint64_t	looked_ns = 0;		// its files were looked at
	bool		is_written = false;	// at its last event, maybe
	stack9_space	*space = nullptr;	// at its last event; NULL: it
					// could not be opened
	int		error = 0;	// why not
	reported_runtimes	runtimes;
	std::uint32_t	cut = 0;	// copies whose stack had more, from
					// which something was to be learned
};

struct space_hash {
	std::size_t operator()(const s9_space &s) const noexcept
	{
		return s.start_ns * 0x9e3779b97f4a7c15u ^
		    (std::uint64_t{s.execs} << 32 | s.pid);
	}
};

struct space_equal {
	bool operator()(const s9_space &a, const s9_space &b) const noexcept
	{
		return a.start_ns == b.start_ns && a.pid == b.pid &&
		    a.execs == b.execs;
	}
};

class processes {
public:
	// Logs what is mapped from now on, and learns what is mapped now: of
	// the process that the filter names, or of all.  So a process whose
	// first event is its last has names.
	void begin(const watch_filter &);
	// The space of the process that the filter names, as it was then; NULL.
	stack9_space *early() const noexcept { return early_.get(); }
	// To be called now and then, before the log is too long.
	void keep_up() { log_.read(); }
	mapping_log &log() noexcept { return log_; }
	// For a child: it must not end what is its parent's.
	void abandon() noexcept { log_.abandon(); }

	// Finds the process, or makes it from a record of one of its threads,
	// and sets its space to what was mapped then.
	seen_process &find_or_add(const s9_space &, const s9_event_head &);
	// The number of the space that the process has now, for stacks that
	// are walked in the kernel; 0: it has none.
	static std::uint32_t number_of(const seen_process &) noexcept;
	// Gives mappings that may have more of what was mapped at an event than
	// those that it has; NULL: there are none.  by_log: those of the log.
	// It has only code, but also that of files that are not mapped any
	// more.
	stack9_space *renewed(seen_process &, std::uint64_t when_ns,
	    bool by_log) noexcept;
	// True if the process has mapped code since.
	bool has_changed(const seen_process &, std::uint64_t when_ns);
	// NULL: it was never added.
	seen_process *find(const s9_space &) noexcept;

private:
	std::size_t	learn(pid_t, bool again = false);
	void	choose_space(seen_process &, std::uint64_t when_ns);
	void	look_at_files(seen_process &);
	static bool is_of_before(const seen_process &, std::uint64_t when_ns)
		    noexcept;
	std::uint64_t moment_of(const seen_process &, std::uint64_t when_ns)
		    const;
	static bool is_written_at(const seen_process &, std::uint64_t when_ns)
		    noexcept;
	std::size_t find_version(seen_process &, std::uint64_t code_ns,
		    std::uint64_t when_ns);
	static std::size_t add_version(seen_process &, unique_space);
	int	open_space(const stack9_thread &, std::uint64_t when_ns,
		    unique_space &);
	int	by_log(const stack9_thread &, std::uint64_t when_ns,
		    unique_space &);

	mapping_history	maps_;
	mapping_log	log_{maps_};
	std::uint64_t	read_ns_ = 0;	// the log is read up to then
	unique_space	early_;		// keeps the files that it has opened
	std::unordered_map<s9_space, seen_process, space_hash, space_equal>
	    all_;
	seen_process	*last_ = nullptr;
	s9_space	 last_key_{};
};

// The thread of a record.
stack9_thread thread_of(const s9_event_head &) noexcept;

} // namespace stack9::events
