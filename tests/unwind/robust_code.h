// Makes code at run time, as a JIT compiler makes it: without any unwind
// information.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

class jit_code {
public:
	enum kind {
		with_frame_pointer,
		frameless,		// the frame pointer is its caller's
		with_another_use,	// the register holds value instead
		straight	// the same; nothing but the removal of its
				// frame is after its call
	};

	// at: the return address of its call; 0: anywhere.
	explicit jit_code(kind, std::uintptr_t at = 0,
	    std::uintptr_t value = 0);
	jit_code(const jit_code &) = delete;
	~jit_code();

	void call(void (*fn)(void *), void *arg) const { entry_(fn, arg); }
	std::uintptr_t return_address() const { return at_; }

private:
	void		*pages_;
	std::size_t	 size_;
	std::uintptr_t	 at_;
	void		(*entry_)(void (*)(void *), void *);
};

// Calls the code from a function that has a frame, and leaves its caller's
// frame pointer in the register.
void call_without_frame_pointer(const jit_code &, void (*fn)(void *),
    void *arg);

// Ends the scenario unless a capture passes the code by its frame pointer and
// says so.
void must_pass(const jit_code &);
