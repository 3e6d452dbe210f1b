// Walks the frames on the stack of a state (lj_frame.h, lj_debug.c): the word
// below a frame's base says where the one before it begins.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "calls.h"

#include "layout.h"

namespace stack9::languages::luajit {
namespace {

constexpr std::size_t most_calls = 1 << 18;

class call_reading {
public:
	call_reading(memory &m, const lua_thread &t) noexcept
	    : m_(m), t_(t) {}

	bool run(std::vector<lua_call> &);

private:
	bool previous(std::uint64_t frame, std::uint64_t link,
	    std::uint64_t &to);
	bool read_function(std::uint64_t at, lua_call &);
	std::uint64_t pc_after(std::uint64_t next, std::uint64_t link);
	void pass_protected(std::uint64_t frame);

	memory			&m_;
	const lua_thread	&t_;
	std::size_t		c_frame_ = 0;
};

// A link to a function of Lua is the instruction after its call.
bool
call_reading::previous(std::uint64_t frame, std::uint64_t link,
    std::uint64_t &to)
{
	std::uint32_t call;
	std::uint64_t by = link & ~std::uint64_t{link_bits};
	if ((link & link_kind) == link_lua) {
		if (!m_.read(link - 4, &call, sizeof call))
			return false;
		by = 8 * (2 + (call >> 8 & 0xff));
	}
	to = frame - by;
	return by != 0 && by <= frame;
}

bool
call_reading::read_function(std::uint64_t at, lua_call &to)
{
	std::uint8_t type, kind;
	std::uint64_t code;
	if (!m_.read(at + object_type, &type, sizeof type) ||
	    type != type_function ||
	    !m_.read(at + function_kind, &kind, sizeof kind))
		return false;
	if (kind != 0)
		return m_.word(at + function_c, to.c_function);
	if (!m_.word(at + function_code, code))
		return false;
	to.prototype = code - proto_size;
	return true;
}

// A call of the loop that only protects C has no frame.  It says how much of
// the stack was in use.
void
call_reading::pass_protected(std::uint64_t frame)
{
	for (; c_frame_ < t_.c_frames.size(); c_frame_++) {
		const std::int64_t n = t_.c_frames[c_frame_].results;
		if (n >= 0 || frame >= t_.stack +
		    static_cast<std::uint64_t>(-n))
			return;
	}
}

// Where a function has stopped is said by the frame that it has called.
std::uint64_t
call_reading::pc_after(std::uint64_t next, std::uint64_t link)
{
	std::uint64_t pc = 0;
	if ((link & link_kind) == link_lua)
		return link;
	if ((link & link_bits) == link_continuation)
		return m_.word(next - 16, pc) ? pc : 0;
	return c_frame_ < t_.c_frames.size() ? t_.c_frames[c_frame_].pc : 0;
}

bool
call_reading::run(std::vector<lua_call> &to)
{
	std::uint64_t next = 0, next_link = 0, link, function;
	bool is_skipped = false;
	std::uint64_t frame = t_.base - 8;
	while (frame > t_.stack + 8 && to.size() < most_calls) {
		lua_call c;
		if (!m_.word(frame, link) || !m_.word(frame - 8, function))
			return false;
		pass_protected(frame);
		function &= address_bits;
		const bool is_dummy = function == t_.at;
		if (!is_dummy && !is_skipped) {
			if (!read_function(function, c))
				return false;
			if (c.prototype != 0 && next != 0)
				c.pc = pc_after(next, next_link);
			c.c_frame = c_frame_;
			to.push_back(c);
		}
		is_skipped = (link & link_bits) == link_varargs;
		if ((link & link_kind) == link_c) {
			c_frame_++;
			if (!to.empty())
				to.back().is_from_c = true;
		}
		next = frame;
		next_link = link;
		if (!previous(frame, link, frame))
			return false;
	}
	pass_protected(t_.stack);
	return c_frame_ == t_.c_frames.size();
}

} // namespace

bool
read_calls(memory &m, const lua_thread &t, std::vector<lua_call> &to)
{
	return call_reading(m, t).run(to);
}

} // namespace stack9::languages::luajit
