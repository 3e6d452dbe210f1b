// Declares the calls for a program's own stacks: self_stack, also for signal
// handlers and malloc hooks, and names without heap and locks.  Programs
// include <stack9.hpp>; that includes this file.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_CXX_OWN_HPP
#define STACK9_CXX_OWN_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <stack9/cxx/space.hpp>
#include <stack9/cxx/thread.hpp>

namespace stack9 {
inline namespace v0 {

// The calling thread's own user stack, of at most N frames.  It is a plain
// value that holds its addresses itself: copies, comparing and hashing take no
// lock and nothing from the heap, and all but frames() is async-signal-safe.
//
//	stack9::self_stack<32> here;
//	here.save();			// from the caller of save() on
template <std::size_t N = 128>
class self_stack {
	static_assert(N > 0 && N <= 1024 * 1024);

public:
	// skip 0 begins with the caller of this, 1 with the caller's caller.
	// Returns 0; ENOENT: there are no more than skip frames; EOPNOTSUPP.
	[[gnu::always_inline]] int
	save(std::uint32_t skip = 0) noexcept
	{
		::stack9_self self{};
		self.size = sizeof self;
		error_ = ::stack9_save_self(pcs_,
		    static_cast<std::uint32_t>(N), skip, &self);
		depth_ = self.depth;
		dropped_ = self.dropped;
		why_ = self.why;
		return error_;
	}

	explicit operator bool() const noexcept { return depth_ != 0; }
	int error() const noexcept { return error_; }
	std::uint32_t depth() const noexcept { return depth_; }
	std::uint32_t dropped() const noexcept { return dropped_; }
	stack9::why
	why() const noexcept
	{
		return static_cast<stack9::why>(why_);
	}
	bool complete() const noexcept { return depth_ != 0 && why_ == 0; }

	// All of them are return addresses.
	pc_list pcs() const & noexcept { return pc_list(pcs_, depth_); }
	pc_list pcs() && = delete;	// it would outlive the stack

	// The names may come from the heap.
	frame_list
	frames(naming how = naming::usual) const
	{
		std::vector<frame> all;
		for (std::uint32_t i = 0; i < depth_; i++)
			for (const frame &f : frames_at(pcs_[i],
			    how | naming::return_address)) {
				all.push_back(f);
				all.back().index = i;
			}
		return frame_list(std::move(all));
	}

	std::uint64_t
	hash() const noexcept
	{
		std::uint64_t h = depth_;
		for (std::uint32_t i = 0; i < depth_; i++) {
			h = (h ^ pcs_[i]) * 0x9e3779b97f4a7c15;
			h ^= h >> 32;
		}
		return h;
	}
	friend bool
	operator==(const self_stack &a, const self_stack &b) noexcept
	{
		return a.error_ == b.error_ && a.why_ == b.why_ &&
		    a.dropped_ == b.dropped_ && a.depth_ == b.depth_ &&
		    std::equal(a.pcs_, a.pcs_ + a.depth_, b.pcs_);
	}
	friend bool
	operator!=(const self_stack &a, const self_stack &b) noexcept
	{
		return !(a == b);
	}

private:
	std::uint64_t	pcs_[N] = {};
	std::uint32_t	depth_ = 0;
	std::uint32_t	dropped_ = 0;
	std::int32_t	why_ = 0;
	std::int32_t	error_ = 0;
};

// Stores the name of an address of the kernel or of this process, as in the
// symbol table, NUL-ended, and the distance of pc from its start.  how:
// naming::usual or naming::return_address.  Returns 0; ENOSPC: the name was
// cut; ENOENT: no symbol covers it; EPERM; EAGAIN: the answer would have to
// wait.  Async-signal-safe.
template <std::size_t Size>
int
name_self(std::uint64_t pc, char (&name)[Size], std::uint64_t &offset,
    naming how = naming::return_address) noexcept
{
	offset = 0;
	return ::stack9_name_self(pc, static_cast<unsigned int>(how), name,
	    Size, &offset);
}

} // namespace v0
} // namespace stack9

template <std::size_t N>
struct std::hash<stack9::self_stack<N>> {
	std::size_t
	operator()(const stack9::self_stack<N> &s) const noexcept
	{
		return static_cast<std::size_t>(s.hash());
	}
};

#endif // STACK9_CXX_OWN_HPP
