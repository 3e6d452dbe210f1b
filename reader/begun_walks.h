// Declares walks that the reader does while their asker goes on, many at a
// time, by memory that both processes see.
//
// One half of this memory is filled while the reader works on the other half.
// The first walk of all goes alone, because the reader is idle until then.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/seam/reader.h"

#include "asked_names.h"
#include "connection.h"
#include "shared_buffer.h"

namespace stack9::sandbox {

// Each function but claim() is called with the client's lock held.
class begun_walks final : public connection::pending {
public:
	// shared: the halves of the buffer.
	begun_walks(std::byte *shared, connection &by, asked_names &n) noexcept
	    : by_(by), names_(n),
	      halves_{half(shared), half(shared + shared_buffer::size)} {}

	// False: another thread has claimed them.
	bool claim() noexcept { return !claimed_.exchange(true); }
	// Forgets all.  They are not claimed any more.
	void forget() noexcept;
	// Throws std::bad_alloc, as end() does.
	walk_begun begin(stack9_space &, const user_copy &,
	    const stack_record &, const written_question & = {});
	// Ends the one that was begun first.
	space_walk end(stack_record &, std::uint64_t &wanted,
	    written_search &);
	// Begins a walk and ends it.  False: its copy has to be sent in
	// another way.
	bool walk(stack9_space &, const user_copy &, stack_record &,
	    space_walk &, std::uint64_t &wanted);

	bool is_awaited() const noexcept override;
	void await() noexcept override;
	void lose(pid_t &asked_about) noexcept override;

private:
	struct begun {
		stack9_thread	thread;
		std::uint64_t	snapshot, bytes;
		std::uint32_t	flags, max, written;
		const std::byte	*answer;
	};
	// Walks that are sent together.
	struct half {
		explicit half(std::byte *at) noexcept : lies_in(at) {}

		shared_buffer			lies_in;
		std::vector<begun>	all;
		std::size_t		ended = 0, answers = 0;
		std::uint64_t		bytes = 0;	// of the questions
		bool			sent = false, answered = false;
	};

	static bool put(half &, stack9_space &, const user_copy &,
	    const stack_record &, const written_question &);
	static bool take(const begun &, stack_record &, space_walk &,
	    std::uint64_t &wanted, std::uint32_t &written);
	written_search take_written(const begun &, std::uint32_t written,
	    stack_record &) noexcept;
	void send(half &);
	void await(half &) noexcept;
	void empty(half &) noexcept;

	connection	&by_;
	asked_names	&names_;
	std::atomic<bool> claimed_{false};
	half		halves_[shared_buffer::halves];
	std::size_t	oldest_ = 0, newest_ = 0;	// of the halves
	bool		first_ = true;		// the reader is idle
	std::uint64_t	generation_ = 0;	// of the reader
	message		written_;	// read once from the shared memory
};

} // namespace stack9::sandbox
