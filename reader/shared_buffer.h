// Defines the memory that a process shares with its reader: in each of its two
// halves lie the copies of some stacks, and in the place of each copy later the
// frames that the reader found.
//
// The other process may change all of it at any time.  So this process reads
// nothing there but answers, each of them once.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/seam/record.h"
#include "core/seam/space.h"
#include "core/seam/user_copy.h"

namespace stack9::sandbox {

struct walk_question {
	struct piece {
		std::uint64_t	at, size;
		bool		more;
	};

	std::uint64_t		space;		// mirrors::number_of()
	stack9_thread		thread;
	std::uint32_t		flags, max;	// of the record
	std::uint64_t		thread_pointer, moment;	// if it is for written
						// frames, too; 0
	user_copy::machine	what;
	decltype(user_copy::value) value;
	std::uint64_t		known;
	std::array<piece, user_copy::piece_count> pieces;
};

// The frames follow it, and the written ones.
struct walk_answer {
	space_walk	how;
	stack9_why	why;
	std::uint64_t	wanted;
	std::uint32_t	flags, dropped, depth;
	std::uint32_t	written;	// bytes of their message; 0: none
	char		reason[200];	// "" for NULL
};

// One half.  Both sides lay out the same questions in the same way.
class shared_buffer {
public:
	static constexpr std::size_t size = 1 << 20, halves = 2;

	explicit shared_buffer(std::byte *at) noexcept : at_(at) {}

	// The place of the next question with its pieces, and of its answer
	// with up to max frames and so many bytes for written ones.  NULL: the
	// half lacks room for them.
	std::byte *next(std::uint64_t bytes_of_pieces, std::uint64_t max,
	    std::uint64_t written) noexcept;
	// The next question is the first one.
	void clear() noexcept { used_ = 0; }

	// How many of the questions have an answer, while the reader works.
	std::uint32_t
	done() const noexcept
	{
		return __atomic_load_n(counter(), __ATOMIC_ACQUIRE);
	}
	void
	set_done(std::uint32_t n) noexcept
	{
		__atomic_store_n(counter(), n, __ATOMIC_RELEASE);
	}

private:
	static constexpr std::size_t room = size - 64;

	std::uint32_t *
	counter() const noexcept
	{
		return reinterpret_cast<std::uint32_t *>(at_ + room);
	}

	std::byte	*at_;
	std::size_t	used_ = 0;
};

// Writes a question with its pieces.
void put_question(std::byte *to, const walk_question &,
    const user_copy &) noexcept;
// Writes the answer in the place of the question.
void put_answer(std::byte *to, const stack_record &, space_walk,
    std::uint64_t wanted) noexcept;
// Adds written frames to an answer with so many frames.
void put_written(std::byte *to, std::uint32_t depth,
    std::span<const std::byte>) noexcept;
// Where its frames are.
inline std::uintptr_t *
frames_of(std::byte *at) noexcept
{
	return reinterpret_cast<std::uintptr_t *>(at + sizeof(walk_answer));
}
// Reads a question, and its pieces into the copy.  False: no memory.
bool take_question(const std::byte *from, walk_question &, user_copy &)
    noexcept;

} // namespace stack9::sandbox
