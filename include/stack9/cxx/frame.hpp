// Declares frames as values of C++, with text of their own.  Programs include
// <stack9.hpp>; that includes this file.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_CXX_FRAME_HPP
#define STACK9_CXX_FRAME_HPP

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <stack9/cxx/callable.hpp>

#if __cplusplus >= 202002L && __has_include(<ranges>)
#include <ranges>
#define	STACK9_CXX_RANGES	1
#endif

namespace stack9 {
inline namespace v0 {

// How frames are named.  Values are combined by |.
enum class naming : unsigned int {
	usual = 0,
	// With lines, and inlined calls first, by the DWARF of the file.
	lines = STACK9_FRAMES_LINES,
	// Ask the servers of $DEBUGINFOD_URLS for debug files.
	debuginfod = STACK9_FRAMES_DEBUGINFOD,
	// Nothing is demangled.
	linkage = STACK9_FRAMES_LINKAGE,
	// User sides: module, build_id and vaddr, and no name.
	places = STACK9_FRAMES_PLACES,
	// frames_at() only: the address is a return address.
	return_address = STACK9_FRAMES_RETURN,
	// print() and to_string() of a sample only: with addresses.
	addresses = STACK9_PRINT_ADDRESSES
};

constexpr naming
operator|(naming a, naming b) noexcept
{
	return static_cast<naming>(static_cast<unsigned int>(a) |
	    static_cast<unsigned int>(b));
}

// Further kinds may come.
enum class frame_kind : std::uint32_t {
	function = STACK9_FRAME_FUNCTION,	// of the kernel or a program
	inlined = STACK9_FRAME_INLINED		// a call, in the next frame
};

// One frame: a function, or a call that was inlined into it.  Members that are
// not known are 0 or "".
struct frame {
	frame_kind	kind = frame_kind::function;
	bool		kernel = false;	// in the kernel
	bool		exact = false;	// pc is where the thread was, not a
					// return address
	bool		has_pc = true;	// false: its address is not known
	bool		deleted = false; // the file of module has no name now
	bool		hidden = false;	// names are hidden from this caller
	bool		signal = false;	// a signal has made it; the next frame
					// was interrupted
	std::uint32_t	index = 0;	// of pc in the stack, from 0
	std::uint32_t	line = 0;
	std::uint32_t	column = 0;
	std::uint64_t	pc = 0;
	std::uint64_t	offset = 0;	// pc minus the function's start
	std::uint64_t	size = 0;	// of the function
	std::uint64_t	start = 0;	// the mapping that pc is in
	std::uint64_t	end = 0;
	std::uint64_t	file_offset = 0; // of pc in module
	std::uint64_t	vaddr = 0;	// of pc in the ELF image
	std::string	name;		// readable; "": there is no symbol
	std::string	linkage;	// as in the symbol table
	std::string	module;		// the file, "[vdso]", the kernel's
					// module; "" the kernel itself
	std::string	file;		// of the source
	std::string	build_id;	// of module, in hex digits

	frame() = default;
	explicit frame(const ::stack9_frame &c) { *this = c; }
	frame &operator=(const ::stack9_frame &c);

	bool inlined() const noexcept { return kind == frame_kind::inlined; }
};

inline frame &
frame::operator=(const ::stack9_frame &c)
{
	const auto has = [&c](unsigned int flag) {
		return (c.flags & flag) != 0;
	};
	kind = static_cast<frame_kind>(c.kind);
	kernel = has(STACK9_FRAME_KERNEL);
	exact = has(STACK9_FRAME_EXACT);
	has_pc = !has(STACK9_FRAME_NO_PC);
	deleted = has(STACK9_FRAME_DELETED);
	hidden = has(STACK9_FRAME_HIDDEN);
	signal = has(STACK9_FRAME_SIGNAL);
	index = c.index;
	line = c.line;
	column = c.column;
	pc = c.pc;
	offset = c.offset;
	size = c.size;
	start = c.start;
	end = c.end;
	file_offset = c.file_offset;
	vaddr = c.vaddr;
	name = c.name;
	linkage = c.linkage;
	module = c.module;
	file = c.file;
	build_id.clear();
	for (std::uint32_t i = 0; i < c.build_id_size; i++) {
		build_id += "0123456789abcdef"[c.build_id[i] >> 4];
		build_id += "0123456789abcdef"[c.build_id[i] & 0xf];
	}
	return *this;
}

// Returns "name+0x10", "name (inlined)", or "0x1234" if there is no symbol; if
// the line is known, " at FILE:LINE" follows.
inline std::string
to_string(const frame &f)
{
	char number[24];
	std::snprintf(number, sizeof number, "0x%" PRIx64,
	    f.name.empty() ? f.pc : f.offset);
	std::string text = f.name.empty() ? number : f.inlined() ?
	    f.name + " (inlined)" : f.name + '+' + number;
	if (!f.file.empty() && f.line != 0)
		text += " at " + f.file + ':' + std::to_string(f.line);
	return text;
}

// An address of a file, whichever process had it mapped.
struct place {
	std::string	build_id;	// in hex digits, as frame::build_id
	std::string	module;		// the path that the file had; ""
	std::uint64_t	vaddr = 0;	// of the ELF image
	bool		exact = false;	// no return address

	place() = default;
	explicit place(const frame &f)
	    : build_id(f.build_id), module(f.module), vaddr(f.vaddr),
	      exact(f.exact) {}
};

// Frames, innermost first.  Copies share them.  It is a range, and a view of
// C++20; iterators are valid while a copy exists.
class frame_list {
public:
	frame_list() noexcept = default;
	explicit frame_list(std::vector<frame> list)
	    : list_(std::make_shared<const std::vector<frame>>(
	      std::move(list))) {}

	const frame *
	begin() const noexcept
	{
		return list_ ? list_->data() : nullptr;
	}
	const frame *end() const noexcept { return begin() + size(); }
	std::size_t size() const noexcept { return list_ ? list_->size() : 0; }
	bool empty() const noexcept { return size() == 0; }
	const frame &
	operator[](std::size_t i) const noexcept
	{
		return (*list_)[i];
	}

private:
	std::shared_ptr<const std::vector<frame>> list_;
};

namespace detail {

// Gives fn each frame that a C call gives.  The call can fail only for want of
// memory.
template <typename Fn, typename Call>
go
relay_frames(Fn &fn, Call call)
{
	struct named {
		relay<Fn, frame>	to;
		frame			f;
		bool			no_memory;
	} n{relay<Fn, frame>(fn), frame(), false};
	const int error = call([](void *arg, const ::stack9_frame *c) noexcept {
		named &self = *static_cast<named *>(arg);
		STACK9_TRY {
			self.f = *c;
		} STACK9_CATCH(const std::bad_alloc &) {
			self.no_memory = true;
			return 1;
		}
		return self.to.call(self.f);
	}, static_cast<void *>(&n));
	if (n.no_memory || error == ENOMEM)
		STACK9_THROW(std::bad_alloc());
	return n.to.finish(error).value();
}

template <typename Call>
frame_list
list_frames(Call call)
{
	std::vector<frame> list;
	const auto append = [&list](const frame &f) { list.push_back(f); };
	relay_frames(append, call);
	return frame_list(std::move(list));
}

} // namespace detail
} // namespace v0
} // namespace stack9

#ifdef STACK9_CXX_RANGES
template <>
inline constexpr bool std::ranges::enable_view<stack9::frame_list> = true;
#endif

#endif // STACK9_CXX_FRAME_HPP
