// Finds a thread of a process whose maps can be read: the one that was asked
// for, or another one if that has ended.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <sys/types.h>

#include "os/unique_fd.h"
#include "maps.h"

namespace stack9::process {

class snapshots;

class maps_finder {
public:
	explicit maps_finder(snapshots &s) noexcept : kept_(s) {}

	// Reads the maps.  0 or an errno.
	int find_text(byte_buffer &);

	// The thread whose maps were read, and its /proc/TID.
	pid_t tid() const noexcept { return tid_; }
	int task() const noexcept { return task_.get(); }

private:
	void find_process(bool thread_is_there);
	int find_text_of_others(byte_buffer &);
	int text_of(pid_t tid, std::uint64_t start, byte_buffer &) noexcept;

	snapshots	&kept_;
	pid_t		tid_ = 0;
	unique_fd	task_;
};

} // namespace stack9::process
