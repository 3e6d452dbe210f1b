// Declares stack9 for C++: a capture that owns its buffers, for_each with any
// callable, and names as std::string.  The header needs only <stack9.h>, and
// C++17.
//
//	stack9::capture c;
//	if (c.save(STACK9_KERNEL, tid) == 0)
//		for (auto pc : c)
//			std::puts(stack9::name(pc).c_str());
//
// Errors are the errno values of <stack9.h>.  No exception passes through C: an
// exception of a callable is stored and ends the pass, and for_each throws it
// again.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_HPP
#define STACK9_HPP

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <type_traits>
#include <vector>

#include <stack9.h>

namespace stack9 {

using thread = ::stack9_thread;
using side = ::stack9_side;

// Return the calling thread, and the thread that has a tid now.  If there is no
// such thread, the tid of the result is 0.
inline thread
this_thread() noexcept
{
	thread td{};
	return ::stack9_thread_self(&td) == 0 ? td : thread{};
}

inline thread
find_thread(pid_t tid) noexcept
{
	thread td{};
	return ::stack9_thread_find(tid, &td) == 0 ? td : thread{};
}

// The address space of a process; see stack9_space(3).  Copies share one space,
// which is counted.  The object is false if it has no space.
class space {
public:
	space() noexcept = default;
	explicit space(const stack9::thread &td) noexcept
	{
		if (::stack9_space_open(&td, &space_) != 0)
			space_ = nullptr;
	}
	// Keeps the space of a record.
	explicit space(const ::stack9_record &rec) noexcept
	    : space_(::stack9_space_hold(rec.space)) {}
	space(const space &o) noexcept
	    : space_(::stack9_space_hold(o.space_)) {}
	space(space &&o) noexcept : space_(o.space_) { o.space_ = nullptr; }
	space &
	operator=(space o) noexcept
	{
		::stack9_space *const was = space_;
		space_ = o.space_;
		o.space_ = was;
		return *this;
	}
	~space() { ::stack9_space_close(space_); }

	explicit operator bool() const noexcept { return space_ != nullptr; }
	::stack9_space *get() const noexcept { return space_; }

private:
	::stack9_space	*space_ = nullptr;
};

// Gives access to a record as a range of addresses, innermost first, which is
// empty unless error() is 0.  A view is valid as long as its record is.
class view {
public:
	explicit view(const ::stack9_record &rec) noexcept : rec_(&rec) {}

	const std::uintptr_t *begin() const noexcept { return rec_->pcs; }
	const std::uintptr_t *end() const noexcept
	{
		return rec_->pcs + (has_text() ? 0 : rec_->depth);
	}
	bool empty() const noexcept { return rec_->depth == 0; }

	int error() const noexcept { return rec_->error; }
	::stack9_why why() const noexcept { return rec_->why; }
	bool complete() const noexcept
	{
		return error() == 0 && why() == STACK9_WHY_NONE;
	}
	const char *reason() const noexcept	// in a sentence, never NULL
	{
		return rec_->reason != nullptr ? rec_->reason :
		    ::stack9_why_text(why());
	}
	const stack9::thread &thread() const noexcept { return rec_->thread; }
	const char *comm() const noexcept { return rec_->comm; }
	char state() const noexcept { return rec_->state; }
	// The text of a route that knows names, not addresses: a line a frame.
	const char *text() const noexcept
	{
		return has_text() ? rec_->text : "";
	}
	const ::stack9_record &record() const noexcept { return *rec_; }

	// Returns the flags with which to look up an address of this range.
	unsigned int lookup(const std::uintptr_t *pc) const noexcept
	{
		return pc == begin() && (rec_->flags & STACK9_EXACT_FIRST) ?
		    0 : STACK9_RETURN_ADDRESS;
	}

private:
	bool has_text() const noexcept
	{
		return (rec_->flags & STACK9_TEXT) != 0 &&
		    rec_->text != nullptr;
	}
	const ::stack9_record *rec_;
};

// A record with its buffers, which can be used any number of times.  To keep a
// stack, copy its range: std::vector<std::uintptr_t>(c.begin(), c.end()).
class capture : public view {
public:
	// The buffers are on the heap, and there is one for text too.
	explicit capture(std::size_t frames = 128, std::size_t text = 8192)
	    : view(rec_), pcs_(frames), text_(text)
	{
		use(pcs_.data(), frames);
		rec_.text = text_.data();
		rec_.text_size = text;
	}
	// The buffer is the caller's array; nothing is on the heap.
	template <std::size_t N>
	explicit capture(std::uintptr_t (&pcs)[N]) noexcept : view(rec_)
	{
		use(pcs, N);
	}
	capture(const capture &) = delete;
	capture &operator=(const capture &) = delete;

	int save(side which, const stack9::thread &td) noexcept
	{
		return ::stack9_save(which, &td, &rec_);
	}
	// Captures the user stack of a thread whose process has this space.
	int save(const stack9::thread &td, const space &s) noexcept
	{
		rec_.space = s.get();
		const int error = ::stack9_save(STACK9_USER, &td, &rec_);
		rec_.space = nullptr;
		return error;
	}
	// The record, for calls of <stack9.h> and <stack9_async.h> to fill.
	::stack9_record *room() noexcept { return &rec_; }
	// Captures the calling thread's own stack, from the caller of this on.
	[[gnu::always_inline]] int save_self() noexcept
	{
		return ::stack9_save_self(&rec_);
	}

private:
	void use(std::uintptr_t *pcs, std::size_t n) noexcept
	{
		rec_.pcs = pcs;
		rec_.max = static_cast<std::uint32_t>(n);
	}

	::stack9_record			rec_{};
	std::vector<std::uintptr_t>	pcs_;
	std::vector<char>		text_;
};

// Calls fn(const view &) for every thread of pid (0: of the machine), in one
// pass.  If fn returns an int, a value other than 0 ends the pass, and for_each
// returns it.
template <typename Fn>
int
for_each(side which, pid_t pid, Fn &&fn)
{
	struct pass {
		Fn			&fn;
		std::exception_ptr	 thrown;
	} p{fn, nullptr};
	const int error = ::stack9_each(which, pid,
	    [](void *arg, const ::stack9_record *rec) noexcept -> int {
		    pass &self = *static_cast<pass *>(arg);
		    try {
			    const view v(*rec);
			    if constexpr (std::is_convertible_v<
				decltype(self.fn(v)), int>)
				    return self.fn(v);
			    else
				    return self.fn(v), 0;
		    } catch (...) {
			    self.thrown = std::current_exception();
			    return ECANCELED;
		    }
	    }, &p);
	if (p.thrown)
		std::rethrow_exception(p.thrown);
	return error;
}

namespace detail {

inline std::string
hex(std::uintptr_t n)
{
	char text[24];
	std::snprintf(text, sizeof text, "%#zx", static_cast<std::size_t>(n));
	return text;
}

} // namespace detail

// Returns "name+0x10", or "0x1234" for an address that has no name.
inline std::string
name(std::uintptr_t pc, unsigned int flags = STACK9_RETURN_ADDRESS)
{
	::stack9_symbol sym;
	if (::stack9_name(pc, flags, &sym) != 0)
		return detail::hex(pc);
	return std::string(sym.name) + "+" + detail::hex(sym.offset);
}

// Does the same for an address in another process, with the name as in the
// source.
inline std::string
name(const space &s, std::uintptr_t pc,
    unsigned int flags = STACK9_RETURN_ADDRESS)
{
	::stack9_symbol sym;
	char text[STACK9_NAME_MAX];
	if (::stack9_space_name(s.get(), pc, flags, &sym) != 0)
		return detail::hex(pc);
	::stack9_demangle(sym.name, text, sizeof text);
	return std::string(text) + "+" + detail::hex(sym.offset);
}

} // namespace stack9

#endif // STACK9_HPP
