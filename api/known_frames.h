// Remembers the frames that a thread named last, by address.  A program that
// shows one dump after the other asks for the same frames again and again.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include <stack9.h>

#include "core/seam/record.h"
#include "core/seam/space.h"

namespace stack9 {

// The frame of an address in one snapshot of a space.  The space keeps what the
// frame points to.  It has two lines of the CPU's cache: one, with the mappings
// in a table of their own, was not quicker.
struct alignas(64) known_frame {
	std::uint64_t	look;		// space_number(); 0: nothing
	std::uint64_t	key;
	const char	*name;		// as in the symbol table
	const char	*module;
	std::uint64_t	offset, size;	// of the function
	std::uint64_t	start, end;	// of the mapping
	std::uint64_t	file_offset, vaddr;	// of pc
	std::uint32_t	flags;
	std::uint16_t	name_length;
	bool		name_ends;	// by a NUL, as not all do
	std::uint8_t	build_id_size;
	unsigned char	build_id[sizeof mapped_module::build_id];
	bool		lines_exact;	// its line is that of pc itself
};
static_assert(sizeof(known_frame) == 128);

// Empty where all of its bytes are 0.  Nothing writes it before it is used: a
// page that is not needed costs nothing, and 17 of them more than a name.
class known_frames {
public:
	static std::uint64_t
	key(std::uint64_t pc, bool exact) noexcept
	{
		return pc << 1 | exact;
	}

	// NULL: it is not known.
	const known_frame *
	find(std::uint64_t look, std::uint64_t key) const noexcept
	{
		const std::uint32_t wanted = tag(look, key);
		for (const auto place : {first(key), second(key)})
			if (const known_frame &f = all_[place];
			    tags_[place] == wanted && f.look == look &&
			    f.key == key)
				return &f;
		return nullptr;
	}

	// Keeps a frame with a name.  The table must not have it yet.  Frames
	// of another snapshot go first; a frame in the first place moves to its
	// other one: two of the same places do not take turns.
	void
	add(std::uint64_t look, bool exact, bool lines_exact,
	    std::string_view name, bool name_ends, const stack9_frame &f)
	    noexcept
	{
		known_frame &k = place(look, key(f.pc, exact));
		k.look = look;
		k.key = key(f.pc, exact);
		k.name = name.data();
		k.module = f.module;
		k.offset = f.offset;
		k.size = f.size;
		k.start = f.start;
		k.end = f.end;
		k.file_offset = f.file_offset;
		k.vaddr = f.vaddr;
		k.flags = f.flags;
		k.name_length = static_cast<std::uint16_t>(name.size());
		k.name_ends = name_ends;
		k.build_id_size = static_cast<std::uint8_t>(f.build_id_size);
		std::memcpy(k.build_id, f.build_id, sizeof k.build_id);
		k.lines_exact = lines_exact;
	}

private:
	static constexpr unsigned int bits = 9;

	static std::uint64_t
	mixed(std::uint64_t key) noexcept
	{
		return key * 0x9e3779b97f4a7c15;
	}

	static std::size_t
	first(std::uint64_t key) noexcept
	{
		return mixed(key) >> (64 - bits);
	}

	static std::size_t
	second(std::uint64_t key) noexcept
	{
		return mixed(key) >> (64 - 2 * bits) & ((1 << bits) - 1);
	}

	// Two bytes of the key and two of the snapshot's number.
	static std::uint32_t
	tag(std::uint64_t look, std::uint64_t key) noexcept
	{
		return static_cast<std::uint32_t>(mixed(key) << 16 |
		    (look & 0xffff));
	}

	bool
	is_of(std::size_t place, std::uint64_t look) const noexcept
	{
		return ((tags_[place] ^ look) & 0xffff) == 0;
	}

	known_frame &
	place(std::uint64_t look, std::uint64_t key) noexcept
	{
		std::size_t to = first(key);
		if (is_of(to, look) && !is_of(second(key), look))
			to = second(key);
		else if (is_of(to, look))
			move_away(to);
		tags_[to] = tag(look, key);
		return all_[to];
	}

	void
	move_away(std::size_t from) noexcept
	{
		const std::uint64_t key = all_[from].key;
		const std::size_t to = from == first(key) ? second(key) :
		    first(key);
		all_[to] = all_[from];
		tags_[to] = tags_[from];
	}

	// Small enough to stay in the CPU's nearest cache, so that a frame
	// that is not known costs no miss.
	std::array<std::uint32_t, 1 << bits>	tags_;
	std::array<known_frame, 1 << bits>	all_;	// 64 KiB
};

static_assert(std::is_trivially_default_constructible_v<known_frames>);

// NULL: the thread has none yet.  Not the table itself: a library that is
// loaded late gets little thread-local memory.  initial-exec, and no owner,
// whose first use must be looked for: each frame of a stack looks here.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local
    known_frames *known_here;

// Makes the thread's table when it is called for the second time, for the first
// name must be quick.  False: there is none yet, or no memory for it.
bool make_known() noexcept;

// Returns true if frames that are asked for with these flags are remembered,
// though without their lines.
inline bool
is_remembered(unsigned int flags) noexcept
{
	return (flags & STACK9_FRAMES_PLACES) == 0;
}

inline bool
gives_lines(unsigned int flags) noexcept
{
	return (flags & (STACK9_FRAMES_LINES | STACK9_FRAMES_PLACES)) ==
	    STACK9_FRAMES_LINES;
}

// NULL: it is not known, or not remembered.
inline const known_frame *
known_frame_of(const stack9_space &space, std::uint64_t pc, bool exact,
    unsigned int flags) noexcept
{
	return known_here == nullptr || !is_remembered(flags) ? nullptr :
	    known_here->find(space_number(space), known_frames::key(pc, exact));
}

// The texts last as long as the snapshot.  The build-id lasts only until the
// next frame is named, so it is copied.
stack9_frame frame_of(const known_frame &, std::uint64_t pc,
    std::uint32_t index,
    unsigned char (&build_id)[sizeof known_frame::build_id]) noexcept;

// True for a name that is as readable as it is.
inline bool
is_readable(const char *linkage) noexcept
{
	return linkage[0] != '_' || linkage[1] == '\0' || linkage[2] == '\0';
}

// Gives a known frame without a frame_maker.  False: its name or its lines need
// one.  ended: the caller's function has ended the call.
bool give_known(const known_frame &, std::uint64_t pc, unsigned int flags,
    stack9_frame_fn *, void *arg, bool &ended);

} // namespace stack9
