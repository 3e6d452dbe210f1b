// Writes and reads identities.  They are aligned to 8 bytes, as all of their
// parts are.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "local_counts.h"

namespace stack9::events {
namespace {

constexpr std::size_t head_size = sizeof(s9_stacks) + sizeof(unwound_end);
static_assert(head_size % 8 == 0);

} // namespace

void
identity::put(const void *from, std::size_t size)
{
	bytes_.append(static_cast<const char *>(from), size);
}

void
identity::set(const s9_stacks &s, const __u64 *pcs)
{
	const unwound_end none;
	bytes_.clear();
	put(&s, sizeof s);
	put(&none, sizeof none);
	put(pcs, 8 * (std::size_t{s.kernel} + s.user));
}

void
identity::set(const s9_stacks &s, const __u64 *kernel_pcs,
    const stack_record &user, const woven_frames &written)
{
	unwound_end end;
	end.unwound = 1;
	end.error = static_cast<std::uint32_t>(user.error);
	end.why = user.why;
	end.flags = user.flags;
	end.depth = user.depth;
	end.dropped = user.dropped;
	end.written = static_cast<std::uint32_t>(written.frames.size());
	end.lacking = written.lacking;
	end.reason = user.reason;
	end.space = user.space;
	bytes_.clear();
	put(&s, sizeof s);
	put(&end, sizeof end);
	put(kernel_pcs, 8 * std::size_t{s.kernel});
	static_assert(sizeof(std::uintptr_t) == 8);
	put(user.pcs, 8 * std::size_t{user.depth});
	static_assert(sizeof(woven_frame) % 8 == 0);
	put(written.frames.data(), written.frames.size() *
	    sizeof written.frames[0]);
}

identity_view::identity_view(std::string_view bytes) noexcept
{
	std::memcpy(&stacks, bytes.data(), sizeof stacks);
	std::memcpy(&end, bytes.data() + sizeof stacks, sizeof end);
	// A string of this size points to the heap, so this is aligned.
	kernel = reinterpret_cast<const __u64 *>(bytes.data() + head_size);
	user = kernel + stacks.kernel;
	written = reinterpret_cast<const woven_frame *>(user + end.depth);
}

} // namespace stack9::events
