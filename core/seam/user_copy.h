// The user side of a thread, copied: its registers, and its stack from the
// stack pointer outwards.  What is unwound, and when, is no matter of its.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace stack9 {

// Bytes that grow without throwing and keep their room.
class byte_room {
public:
	byte_room() noexcept = default;
	byte_room(const byte_room &) = delete;
	byte_room &operator=(const byte_room &) = delete;
	byte_room(byte_room &&from) noexcept
	    : data_(from.data_), size_(from.size_), room_(from.room_)
	{
		from.data_ = nullptr;
		from.size_ = from.room_ = 0;
	}
	~byte_room() { std::free(data_); }

	std::byte *data() noexcept { return data_; }
	const std::byte *data() const noexcept { return data_; }
	std::size_t size() const noexcept { return size_; }

	// What is there stays; what is new is undefined.  False: no memory,
	// nothing has changed.
	bool
	resize(std::size_t size) noexcept
	{
		if (size > room_) {
			void *const grown = std::realloc(data_, size);
			if (grown == nullptr)
				return false;
			data_ = static_cast<std::byte *>(grown);
			room_ = size;
		}
		size_ = size;
		return true;
	}

private:
	std::byte	*data_ = nullptr;
	std::size_t	size_ = 0;
	std::size_t	room_ = 0;
};

// A part of the thread's memory.
struct copied_piece {
	std::uint64_t	at = 0;		// address of the first byte
	byte_room	bytes;
	bool		more = false;	// there is more behind it, not copied

	bool
	holds(std::uint64_t address, std::size_t size) const noexcept
	{
		const std::uint64_t offset = address - at;
		return offset < bytes.size() && bytes.size() - offset >= size;
	}
};

struct user_copy {
	enum class machine : std::uint8_t {
		native,		// registers by this CPU's DWARF numbers
		ia32,		// a 32-bit program on x86-64: by the i386's, 0
				// to 8, eip being 8
	};
	// No CPU has more that matter: x86-64 has 0 to 16, 16 being rip;
	// aarch64 0 to 32, 32 being pc.
	static constexpr int register_max = 33;

	machine		what = machine::native;
	std::array<std::uint64_t, register_max> value{};
	std::uint64_t	known = 0;	// a bit for each register that is
	copied_piece	stack;		// from sp, less the red zone, on
	copied_piece	other;		// of another stack, which a signal
					// frame led to: empty until asked for
	std::uint64_t	mark = 0;	// the route's own: the moment

	void
	set(int number, std::uint64_t v) noexcept
	{
		value[static_cast<std::size_t>(number)] = v;
		known |= std::uint64_t{1} << number;
	}
	// Empty, but for the room.
	void
	clear() noexcept
	{
		what = machine::native;
		known = mark = 0;
		for (copied_piece *p : {&stack, &other}) {
			p->at = 0;
			p->more = false;
			p->bytes.resize(0);
		}
	}
};

} // namespace stack9
