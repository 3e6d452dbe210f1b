// Makes the n-th call of a kind fail, in this process and in its children.  The
// functions of the program are found before libc's.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace shim {

enum class kind {
	allocation,	// malloc and its kin
	open,		// all that makes a descriptor of a file or a pipe
	read,		// read(2) and pread(2)
	map,		// mmap(2)
	bpf,
	perf,		// perf_event_open(2)
	epoll,
	copy,		// process_vm_readv(2)
	trace,		// ptrace(2)
};

// From now on the n-th call of this kind (from 1) fails with this error.
void arm(kind, long n, int error);
// No call fails any more.  Returns the number of calls of this kind since.
long disarm();
// The error of the last arm().
int error();
// Returns whether it was paused.
bool pause(bool);

// Does what the test does for itself: none of its calls fails or is counted.
template <class F>
void
disarm_for(F f)
{
	const bool was = pause(true);
	f();
	pause(was);
}

// For the calls themselves: whether this one is to fail, with errno set.
bool strikes(kind) noexcept;

// Allocations and mapped bytes of this process that have not been given back.
long allocated();
long mapped();

} // namespace shim
