// Keeps what each thread did at the last tick, and makes the next tick of the
// differences.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include <stack9.h>
#include <stack9_waits.h>

#include "tables.h"
#include "tools/model/thread_table.h"
#include "tools/record/model.h"

namespace stackrecord {

class threads {
public:
	explicit threads(bool name_later) : tables_(name_later) {}

	// Takes all that comes from now on into this tick.  restart: it is the
	// first one of a segment, in which numbers begin from the first, and it
	// has all threads.
	void	expect(recording::tick &, bool restart);

	// True if the thread has not run since its last sample: then nothing
	// about it is written.  Switches show that.
	bool	is_unchanged(const stack9_state &);
	bool	is_unchanged(const stack9_sample &);
	// Takes the stacks of a thread.  False: there is nothing to be known.
	bool	add(const stack9_sample &);
	// Takes the wait of a thread that was added.
	void	add(const stack9_wait &);
	// Takes an event.  It may be of a thread that was never seen.
	recording::event_count count_of(const stack9_sample &,
	    const recording::event &);
	// Finds the threads that have ended.
	void	end();

	// The thread is there still, and nothing about it is written.
	void	pass_over(const stack9_thread &);
	// True if another segment has to begin, for this one has as much as a
	// reader takes.
	bool	is_full() const;
	bool	names_hidden() const { return tables_.names_hidden(); }

	// is_known: it was there at the tick before.  is_of_kernel: it is
	// known, and is a kernel thread.
	bool	is_known(const stack9_thread &) const;
	bool	is_of_kernel(const stack9_thread &) const;
	std::size_t	size() const { return threads_.all().size(); }

private:
	struct known : tools::looked_at {
		std::string	comm;
		std::string	name;		// of a language's runtime
		std::uint32_t	number = 0;	// in the segment
		bool		of_kernel = false;
		recording::thread_state now;
		std::uint64_t	changed = 0;	// the tick
		std::size_t	change = 0;	// its index in this tick's
	};

	// A thread during one pass.
	struct found {
		const stack9_thread	&thread;
		const char		*comm;
		char			state;
		std::uint64_t		switches;
	};

	known_process	&process_of(pid_t);
	known		&thread_of(const stack9_sample &);
	void		 number(const stack9_sample &, known &);
	bool		 is_unchanged(const found &);
	void		 end(const known &);
	static bool	 slept_on(const known &, const found &);
	static found	 found_by(const stack9_sample &);

	recording::tick	*tick_ = nullptr;
	std::uint32_t	 numbers_ = 0, processes_numbers_ = 0;
	tables		 tables_;
	tools::thread_table<known> threads_;	// a pass is a tick
	std::unordered_map<pid_t, known_process> processes_;
};

} // namespace stackrecord
