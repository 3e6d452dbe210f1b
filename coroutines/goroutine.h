// Reads runtime.g, Go's record of a goroutine.
//
// The offsets up to the saved registers are part of Go's interface with its
// linker and have been the same since 2015.  The others differ between releases
// of Go, and debug information is often stripped, so they are found by what the
// words of all goroutines of a process have to be.  Checked with Go 1.19, 1.20,
// 1.22, 1.23, 1.25 and 1.26.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "memory.h"

namespace stack9::coroutines {

// The beginning of a runtime.g, as it was at one moment.  Each release's record
// is longer than this, and has here all that changes when the goroutine runs:
// since Go 1.17 a count of its stops, of 8 bits, too.
struct goroutine {
	static constexpr std::size_t size = 320;

	std::array<std::byte, size> bytes;

	template <class T>
	T
	get(std::size_t offset) const noexcept
	{
		T value;
		std::memcpy(&value, bytes.data() + offset, sizeof value);
		return value;
	}
	std::uint64_t word(std::size_t at) const noexcept
	    { return get<std::uint64_t>(at); }

	// The stack's memory; what is in use begins at sp.
	std::uint64_t low() const noexcept { return word(0); }
	std::uint64_t high() const noexcept { return word(8); }
	// It is on a thread: m is not NULL.
	bool is_on_thread() const noexcept { return word(48) != 0; }
	// Saved when it stopped.
	std::uint64_t sp() const noexcept { return word(56); }
	std::uint64_t pc() const noexcept { return word(64); }
	// 0: none that lies in the stack.
	std::uint64_t fp() const noexcept;

	bool has_stack() const noexcept
	    { return low() <= sp() && sp() < high() && sp() % 8 == 0; }
	// Returns true if these bytes may be the goroutine at this address: the
	// word after pc is its own address.
	bool may_be_at(std::uint64_t at) const noexcept;

	bool operator==(const goroutine &) const = default;
};

// The names of runtime/runtime2.go.
enum class status : std::uint32_t {
	idle, runnable, running, syscall, waiting, dead = 6, copystack = 8,
	preempted, leaked, deadextra
};

// The offsets that differ.
class layout {
public:
	// False: these are not goroutines of a known kind.
	bool find(std::span<const goroutine>);

	std::uint64_t id(const goroutine &g) const noexcept
	    { return g.word(id_); }
	status state(const goroutine &g) const noexcept
	    { return state_at(g, id_); }
	// A number of the runtime's table of words, see go_runtime.h.
	std::uint8_t reason(const goroutine &g) const noexcept
	    { return g.get<std::uint8_t>(id_ + 24); }
	// Returns true if it has stopped, and is on no thread.
	bool is_parked(const goroutine &) const noexcept;
	bool is_dead(const goroutine &) const noexcept;

private:
	static status state_at(const goroutine &, std::size_t id) noexcept;
	static bool fits(std::span<const goroutine>, std::size_t id);

	std::size_t	id_ = 0;
};

} // namespace stack9::coroutines
