// Finds LuaJIT in a process, and puts the calls of its states in the place of
// the calls of its loop.
//
// The loop and all that belongs to it is one function for the unwind
// information, the largest one of its file.  Each of its native frames is what
// a state has in its list of them, in the same order.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <map>
#include <string>
#include <vector>

#include "process/space.h"

#include "calls.h"
#include "code.h"

namespace stack9::languages {
namespace luajit {
namespace {

// It has 20 KB, and any other function less than 10.
constexpr std::uint64_t smallest_loop = 14336;

class weaving {
public:
	weaving(const question &q, const loaded &where, written_stack &to)
	    : q_(q), where_(where), to_(to) {}

	// Throws std::bad_alloc.
	void run();

private:
	struct native_frame {
		std::uint32_t	at;
		std::uint64_t	function;
	};

	void find_native();
	void place(const std::vector<lua_call> &, std::size_t first);
	std::uint32_t index_of(const lua_call &, std::uint32_t loop) const;
	const code &at(std::uint64_t prototype);

	const question		&q_;
	const loaded		&where_;
	written_stack		&to_;
	std::vector<native_frame> native_;
	std::vector<std::uint32_t> loops_;
	std::map<std::uint64_t, code> codes_;
	bool			agrees_ = true;
};

void
weaving::find_native()
{
	for (std::uint32_t i = 0; i < q_.native.depth; i++) {
		const std::uint64_t pc = q_.native.pcs[i] - (i > 0);
		process::place p;
		unwind::row r;
		if (!q_.space.find(pc, p) ||
		    q_.code.row_of(pc, r) != unwind::found::yes)
			continue;
		if (p.backing == &where_.backing &&
		    r.end - r.begin >= smallest_loop)
			loops_.push_back(i);
		else
			native_.push_back({i, r.begin});
	}
}

// A function of C has a native frame inside of the loop that has called it.
std::uint32_t
weaving::index_of(const lua_call &c, std::uint32_t loop) const
{
	std::uint32_t first = 0;
	for (const std::uint32_t l : loops_)
		if (l < loop)
			first = l + 1;
	for (const native_frame &n : native_)
		if (n.at >= first && n.at < loop && n.function == c.c_function)
			return n.at;
	return loop;
}

const code &
weaving::at(std::uint64_t prototype)
{
	return codes_.try_emplace(prototype, q_.words, prototype).first->second;
}

// first: the number of the state's innermost loop.
void
weaving::place(const std::vector<lua_call> &all, std::size_t first)
{
	std::uint32_t last = 0;
	for (std::size_t n = 0; n < all.size(); n++) {
		const lua_call &c = all[n];
		const bool is_known = first + c.c_frame < loops_.size();
		std::uint32_t index = is_known ? loops_[first + c.c_frame] :
		    q_.native.depth;
		std::string name;
		agrees_ &= is_known;
		if (n + 1 < all.size() && all[n + 1].prototype != 0 &&
		    all[n + 1].pc != 0)
			name = at(all[n + 1].prototype).called(all[n + 1].pc);
		if (c.prototype == 0)
			index = std::max(last, index_of(c, index));
		last = index;
		if (c.prototype == 0)
			to_.add(index, 0, "lua", name.empty() ? "?" : name, "",
			    0);
		else
			to_.add(index, is_known ? written_replaces : 0, "lua",
			    name.empty() ? at(c.prototype).place() : name,
			    at(c.prototype).source(),
			    at(c.prototype).line(c.pc));
	}
}

void
weaving::run()
{
	find_native();
	if (loops_.empty())
		return;
	const std::size_t first = to_.frames.size();
	std::size_t done = 0;
	const std::vector<lua_thread> threads = threads_on(q_);
	if (threads.empty())
		to_.note = "luajit: its layout is not known";
	for (const lua_thread &t : threads) {
		std::vector<lua_call> all;
		agrees_ &= read_calls(q_.words, t, all);
		place(all, done);
		done += t.c_frames.size();
	}
	agrees_ &= done == loops_.size() &&
	    q_.native.why == STACK9_WHY_NONE;
	if (!agrees_)
		to_.flag_as_guessed(first);
}

} // namespace

class luajit2 final : public runtime {
public:
	constexpr luajit2() noexcept : runtime("lua", marks_, 100) {}

	void
	walk(const question &q, const loaded &where, written_stack &to)
	    const override
	{
		weaving(q, where, to).run();
	}

private:
	static constexpr std::string_view marks_[] = {"luaJIT_setmode"};
};

} // namespace luajit

static constexpr luajit::luajit2 the_luajit;
extern const runtime &runtime_luajit;
const runtime &runtime_luajit = the_luajit;

} // namespace stack9::languages
