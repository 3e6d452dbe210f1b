// Declares a BPF program that reports what bpf_get_stack() sees of a thread at
// this moment.  Any BPF program that follows frame pointers would see the same.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

class get_stack {
public:
	get_stack();
	get_stack(const get_stack &) = delete;
	~get_stack();

	bool loaded() const { return program_ >= 0; }
	// Its user frames, 64 at most, in an interrupt on its CPU; -1: it is
	// on none.
	int user_frames(pid_t pid, pid_t tid) const;

private:
	int	program_;
};
