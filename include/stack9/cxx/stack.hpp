// Declares stacks as values of C++ that keep their sample.  Programs include
// <stack9.hpp>; that includes this file.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_CXX_STACK_HPP
#define STACK9_CXX_STACK_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include <stack9/cxx/space.hpp>

namespace stack9 {
inline namespace v0 {

namespace detail {

inline auto
frames_of(const ::stack9_stack *c, naming how) noexcept
{
	return [c, how](::stack9_frame_fn *fn, void *arg) {
		return c == nullptr ? 0 : ::stack9_frames(c,
		    static_cast<unsigned int>(how), fn, arg);
	};
}

} // namespace detail

// One side of a thread at one moment.  The stack is true if it has frames; if
// it has none, error(), why() and reason() say why.  A copy keeps the stack for
// as long as the copy exists.  Two stacks are equal if they have the same
// addresses by the same code, the same end and the same error.
class stack {
public:
	stack() noexcept = default;
	stack(const stack &o);
	stack(stack &&o) noexcept
	    : of_(std::exchange(o.of_, nullptr)),
	      c_(std::exchange(o.c_, nullptr)), owned_(o.owned_) {}
	stack &
	operator=(stack o) noexcept
	{
		std::swap(of_, o.of_);
		std::swap(c_, o.c_);
		std::swap(owned_, o.owned_);
		return *this;
	}
	~stack()
	{
		if (owned_)
			::stack9_sample_close(
			    const_cast<::stack9_sample *>(of_));
	}

	explicit operator bool() const noexcept { return depth() != 0; }
	bool asked_for() const noexcept { return c_ != nullptr; }
	stack9::side
	side() const noexcept
	{
		return static_cast<stack9::side>(c_ ? c_->side : 0);
	}
	int error() const noexcept { return c_ ? c_->error : 0; } // errno
	stack9::why
	why() const noexcept
	{
		return static_cast<stack9::why>(c_ ? c_->why : 0);
	}
	std::string_view
	reason() const noexcept		// why, in a sentence
	{
		return c_ ? c_->reason : "it was not asked for";
	}
	std::string_view
	route() const noexcept		// that took or refused it
	{
		return c_ ? c_->route : "";
	}
	std::string_view
	thread_name() const noexcept	// its thread's, as the runtime of a
					// language has it, in UTF-8; ""
	{
		return c_ && c_->thread_name ? c_->thread_name : "";
	}
	bool
	complete() const noexcept	// up to its outermost frame
	{
		return depth() != 0 && why() == stack9::why::none;
	}
	bool exact() const noexcept { return has(STACK9_STACK_EXACT); }
	bool guessed() const noexcept { return has(STACK9_STACK_GUESSED); }
	std::uint32_t depth() const noexcept { return c_ ? c_->depth : 0; }
	std::uint32_t
	dropped() const noexcept	// frames missing outside
	{
		return c_ ? c_->dropped : 0;
	}
	std::chrono::nanoseconds
	when() const noexcept		// since boot; 0: unknown
	{
		return std::chrono::nanoseconds(c_ ? c_->when_ns : 0);
	}
	stack9::space
	space() const noexcept
	{
		return stack9::space(c_ ? c_->space : nullptr);
	}
	std::uint64_t hash() const noexcept { return c_ ? c_->hash : 0; }

	// Empty if the route knows no addresses: then only frames() has names.
	pc_list
	pcs() const & noexcept
	{
		return c_ && c_->pcs ? pc_list(c_->pcs, c_->depth) : pc_list();
	}
	pc_list pcs() && = delete;	// it would outlive the stack

	// The frames with names, of which side and process ever.
	frame_list
	frames(naming how = naming::usual) const
	{
		return detail::list_frames(detail::frames_of(c_, how));
	}
	// The places of the frames, innermost first: what names them later.
	std::vector<place>
	places() const
	{
		std::vector<place> all;
		for (const frame &f : frames(naming::places))
			all.emplace_back(f);
		return all;
	}
	// Calls fn(const frame &) for each frame.  fn returns void or go.
	template <typename Fn>
	go
	for_each_frame(Fn &&fn, naming how = naming::usual) const
	{
		return detail::relay_frames(fn, detail::frames_of(c_, how));
	}

	const ::stack9_stack *c() const noexcept { return c_; }

	friend bool
	operator==(const stack &a, const stack &b) noexcept
	{
		return ::stack9_stack_same(a.c_, b.c_) != 0;
	}
	friend bool
	operator!=(const stack &a, const stack &b) noexcept
	{
		return !(a == b);
	}

private:
	friend class sample;
	stack(const ::stack9_sample *of, const ::stack9_stack *c) noexcept
	    : of_(c != nullptr ? of : nullptr), c_(c) {}

	bool
	has(unsigned int flag) const noexcept
	{
		return c_ != nullptr && (c_->flags & flag) != 0;
	}

	const ::stack9_sample	*of_ = nullptr;
	const ::stack9_stack	*c_ = nullptr;
	bool			 owned_ = false;	// false: a sample's
};

inline
stack::stack(const stack &o)
{
	if (o.c_ == nullptr)
		return;
	of_ = ::stack9_sample_hold(o.of_);
	if (of_ == nullptr)
		STACK9_THROW(std::bad_alloc());
	owned_ = true;
	c_ = o.c_ == o.of_->kernel ? of_->kernel : of_->user;
}

} // namespace v0
} // namespace stack9

template <>
struct std::hash<stack9::stack> {
	std::size_t
	operator()(const stack9::stack &s) const noexcept
	{
		return static_cast<std::size_t>(s.hash());
	}
};

#endif // STACK9_CXX_STACK_HPP
