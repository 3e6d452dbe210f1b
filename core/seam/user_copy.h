// Holds a copy of the user side of a thread: its registers, and its stack from
// the stack pointer outwards.  Unwinding is the caller's business.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

namespace stack9 {

// A buffer that grows without throwing and never shrinks its capacity.
class byte_buffer {
public:
	byte_buffer() noexcept = default;
	// Lends the buffer memory for its first bytes.  The memory has to live
	// longer than the buffer, and than any buffer that it is moved into.
	explicit byte_buffer(std::span<std::byte> lent) noexcept
	    : data_(lent.data()), capacity_(lent.size()), lent_(true) {}
	byte_buffer(const byte_buffer &) = delete;
	byte_buffer &operator=(const byte_buffer &) = delete;
	byte_buffer(byte_buffer &&from) noexcept { *this = std::move(from); }
	byte_buffer &
	operator=(byte_buffer &&from) noexcept
	{
		std::swap(data_, from.data_);
		std::swap(size_, from.size_);
		std::swap(capacity_, from.capacity_);
		std::swap(lent_, from.lent_);
		return *this;
	}
	~byte_buffer()
	{
		if (!lent_)
			std::free(data_);
	}

	std::byte *data() noexcept { return data_; }
	const std::byte *data() const noexcept { return data_; }
	std::size_t size() const noexcept { return size_; }

	// Keeps the bytes; new bytes are undefined.  False: no memory, and
	// nothing has changed.
	bool
	resize(std::size_t size) noexcept
	{
		if (size > capacity_ && !grow(size))
			return false;
		size_ = size;
		return true;
	}

private:
	bool
	grow(std::size_t capacity) noexcept
	{
		void *const grown = std::realloc(lent_ ? nullptr : data_,
		    capacity);
		if (grown == nullptr)
			return false;
		if (lent_)
			std::memcpy(grown, data_, size_);
		lent_ = false;
		data_ = static_cast<std::byte *>(grown);
		capacity_ = capacity;
		return true;
	}

	std::byte	*data_ = nullptr;
	std::size_t	size_ = 0;
	std::size_t	capacity_ = 0;
	bool		lent_ = false;
};

// A contiguous part of the thread's memory.
struct copied_piece {
	std::uint64_t	at = 0;		// address of the first byte
	byte_buffer	bytes;
	bool		more = false;	// memory after it is not copied

	bool
	holds(std::uint64_t address, std::size_t size) const noexcept
	{
		const std::uint64_t offset = address - at;
		return offset < bytes.size() && bytes.size() - offset >= size;
	}
};

struct user_copy {
	enum class machine : std::uint8_t {
		// Registers have this CPU's DWARF numbers.
		native,
		// A 32-bit x86 program: registers have the i386's numbers, 0
		// to 8; eip is 8.
		ia32,
		// A program of a core: registers have that CPU's numbers.
		aarch64,
		x86_64,
	};
	// No CPU has more registers that matter: x86-64 has 0 to 16, and 16 is
	// rip; aarch64 has 0 to 32, and 32 is pc.
	static constexpr int register_max = 33;

	machine		what = machine::native;
	std::array<std::uint64_t, register_max> value{};
	std::uint64_t	known = 0;	// a bit for each known register
	copied_piece	stack;		// from sp minus the red zone outwards
	copied_piece	other;		// of another stack, to which a signal
					// frame led; empty until asked for
	std::array<copied_piece, 2> behind;	// after pages of the stack
					// that could not be read
	std::array<copied_piece, 2> further;	// as other, once that is in
					// use for another place
	std::uint64_t	mark = 0;	// by which the route knows the moment

	void
	set(int number, std::uint64_t v) noexcept
	{
		value[static_cast<std::size_t>(number)] = v;
		known |= std::uint64_t{1} << number;
	}
	// All pieces.  A route that needs more of them adds them here; the walk
	// and the routes go by this list.
	static constexpr std::size_t piece_count = 6;
	std::array<copied_piece *, piece_count> pieces() noexcept
	{
		return {&stack, &other, &behind[0], &behind[1], &further[0],
		    &further[1]};
	}
	std::array<const copied_piece *, piece_count> pieces() const noexcept
	{
		return {&stack, &other, &behind[0], &behind[1], &further[0],
		    &further[1]};
	}

	bool
	is_of_stack(const copied_piece &p) const noexcept
	{
		return &p == &stack || &p == &behind[0] || &p == &behind[1];
	}

	// Empties the copy but keeps its buffers.
	void
	clear() noexcept
	{
		what = machine::native;
		known = mark = 0;
		for (copied_piece *p : pieces()) {
			p->at = 0;
			p->more = false;
			p->bytes.resize(0);
		}
	}
};

} // namespace stack9
