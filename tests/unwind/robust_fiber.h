// Makes stacks that a program switches to by itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>

#include <ucontext.h>

class fiber {
public:
	// Whole pages with nothing readable on either side, unmapped in the
	// end.
	class memory {
	public:
		// at: just there, or a failure; nullptr: anywhere.
		explicit memory(std::size_t size, void *at = nullptr);
		memory(memory &&) noexcept;
		~memory();
		char *begin() const { return begin_; }
		std::size_t size() const { return size_; }

	private:
		char		*begin_;
		std::size_t	 size_;
	};
	// The kind of outermost frame: makecontext()'s calls the function
	// from a frame of its own; bare: the function's return address is 0.
	enum start { bare, by_makecontext };

	fiber(memory, std::function<void()>, start = bare);
	fiber(const fiber &) = delete;

	void resume();		// until it pauses or ends
	void pause();		// from within
	bool ended() const { return ended_; }

private:
	static void enter();

	memory			 memory_;
	std::function<void()>	 body_;
	bool			 ended_ = false;
	ucontext_t		 inside_, outside_;
};
