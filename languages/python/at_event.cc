// Puts frames that a program has reported into the place of the calls of the
// loop.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "at_event.h"

#include <algorithm>

namespace stack9::languages::python {
namespace {

using offset_t = unsigned short;

constexpr std::size_t of_name = 0, of_lines = 1;

bool
knows_version(const layout &l) noexcept
{
	return l.minor >= 12 && !l.is_free_threaded;
}

// An object that is free has an address, or 0, in place of its references.
bool
has_references(unwind::memory &m, std::uint64_t object)
{
	constexpr std::uint64_t most = std::uint64_t{1} << 32;
	std::uint64_t n;
	return m.word(object, n) && n != 0 && n <= most;
}

// Since 3.12 each code object has a number of its own.  Before that it is
// recognized by its name: the length of a str, its hash, and its first
// characters if they are ASCII ones; and by its table of lines: the size, and
// 16 of the bytes.  An object of a free-threaded build does not show whether it
// is free.
void
describe_cookie(const layout &l, s9_reported_object &to)
{
	constexpr offset_t version_behind_line = 24;
	const auto head = offset_t(header_of(l));
	const bool has_version = knows_version(l);
	const auto line = offset_t(l.first_line & ~7u),
	    version = has_version ? offset_t((l.first_line +
	    version_behind_line) & ~7u) : line;
	const offset_t name = has_version ? line : l.qualname,
	    lines = has_version ? line : l.lines;
	to.through = S9_NOT_THERE;
	to.from = std::min({name, lines, line});
	to.bytes = offset_t(std::max({name, lines, version}) + 8 -
	    to.from);
	to.cookie[0] = to.cookie[2] = offset_t(line - to.from);
	to.cookie[1] = offset_t(version - to.from);
	for (auto &lead : to.leads)
		lead.at = S9_NOT_THERE;
	if (has_version)
		return;
	to.leads[of_name] = {offset_t(name - to.from), {head,
	    offset_t(head + 8), offset_t(head + 32)}};
	to.leads[of_lines] = {offset_t(lines - to.from), {head,
	    offset_t(head + 16), offset_t(head + 24)}};
}

// 0: the object is not there.
std::uint32_t
cookie_of(unwind::memory &m, const layout &l, std::uint64_t code)
{
	s9_reported_object o{};
	describe_cookie(l, o);
	return knows_version(l) && !has_references(m, code) ? 0 :
	    cookie_at(m, o, code);
}

std::shared_ptr<const code_object>
find_code(const reported_codes &all, const question &q, const layout &l,
    std::uint64_t at, std::uint32_t cookie)
{
	return all.find(q, at, cookie, [&] {
		return cookie_of(q.words, l, at) == cookie;
	}, [&](code_object &to, std::size_t &bytes) {
		const bool is_read = read_code(q.words, l, at, to);
		bytes = to.name.size() + to.file.size() + to.lines.size();
		return is_read;
	});
}

class weaver {
public:
	weaver(const question &q, const layout &l, const reported_codes &codes,
	    calls &of, written_stack &to)
	    : q_(q), l_(l), codes_(codes), calls_(of), to_(to) {}

	// Throws std::bad_alloc.
	void run();

private:
	void add(const reported_frame &, std::uint32_t at, std::uint32_t flags);
	std::size_t shares() const;

	const question		&q_;
	const layout		&l_;
	const reported_codes	&codes_;
	calls			&calls_;
	written_stack		&to_;
};

std::size_t
weaver::shares() const
{
	std::size_t n = 0;
	auto reported = q_.asked.reported;
	for (reported_frame f; next_reported(reported, f);)
		n += f.ends;
	return n;
}

void
weaver::add(const reported_frame &f, std::uint32_t at, std::uint32_t flags)
{
	if (f.code == 0)
		return;
	const auto c = find_code(codes_, q_, l_, f.code, f.cookie);
	if (c == nullptr)
		return to_.add(at, flags | written_guessed, "python", "?", "",
		    0);
	to_.add(at, flags, "python", c->name, c->file,
	    !f.has_position() && l_.minor > 10 ? 0 : line_of(q_.words, l_, *c,
	    (l_.minor <= 10 ? 0 : f.code) + f.position, 0));
}

// A thread may be interrupted where it has entered the loop and its frame is
// not in the chain yet.  Then there are more calls than shares.
void
weaver::run()
{
	const std::size_t wanted = shares(), there = calls_.count();
	std::uint32_t flags = written_replaces |
	    (wanted != there && q_.native.depth != 0 ? written_guessed : 0);
	call c{q_.native.depth, true};
	bool is_new = true;
	auto reported = q_.asked.reported;
	for (reported_frame f; next_reported(reported, f); is_new = f.ends) {
		if (is_new && !calls_.next(0, c)) {
			c = {q_.native.depth, true};
			flags |= written_guessed;
		}
		add(f, c.at, flags);
	}
}

} // namespace

// Since 3.11 a position is an address counted from the code object's beginning.
bool
describe_chain(const loaded &where, const layout &l, s9_frame_chain &to)
{
	to = {};
	to.ends = l.minor <= 10 ? S9_ENDS_EACH : l.minor == 11 ?
	    S9_ENDS_FLAGGED : S9_ENDS_WITHOUT_CODE;
	to.groups = where.mark + l.interpreters_head;
	to.next_group = l.next_interpreter;
	to.first_thread = l.threads_head;
	to.next_thread = l.next_thread;
	to.previous_thread = offset_t(l.next_thread - 8);
	to.group = offset_t(l.next_thread + 8);
	to.identity = l.thread_id;
	to.frame = l.frame;
	to.frame_in_record = l.has_cframe ? l.frame_in_cframe : S9_NOT_THERE;
	to.code = l.code;
	to.position = l.position;
	to.caller = l.previous;
	to.owner = l.minor <= 10 ? 0 : l.owner;
	to.least_owner = 3;
	to.owner_mask = 0xff;
	to.mark = to.moving = to.waiting = S9_NOT_THERE;
	to.position_base = to.code_kind = S9_NOT_THERE;
	to.frame_bytes = offset_t((std::max({l.code, l.previous,
	    l.position, to.owner, l.thread_code_index}) + 8) & ~7);
	to.frames_lie_together = l.minor > 10;
	to.code_mask = ~std::uint64_t{3};
	to.position_bytes = l.minor <= 10 ? 4 : 8;
	to.copy_index = l.thread_code_index != 0 ? l.thread_code_index :
	    S9_NOT_THERE;
	to.copies = l.thread_codes;
	to.instructions = l.bytecode;
	describe_cookie(l, to.of_code);
	to.environment = S9_NOT_THERE;
	const offset_t offsets[] = {to.next_group, to.first_thread,
	    to.next_thread, to.identity, to.frame, to.code, to.position,
	    to.caller, to.copies, l.qualname, l.lines};
	const bool fits = l.next_thread >= 8 &&
	    to.frame_bytes <= S9_CHAIN_FRAME &&
	    to.of_code.bytes <= S9_CHAIN_CODE &&
	    std::all_of(std::begin(offsets), std::end(offsets),
	    [](offset_t offset) { return offset % 8 == 0; });
	to.kind = fits ? S9_CHAIN_OF_THREADS : S9_CHAIN_NONE;
	return fits;
}

void
weave(const question &q, const loaded &where, const places &p, const layout &l,
    const reported_codes &codes, written_stack &to)
{
	calls of(q, where, p);
	if (q.asked.reported.empty())
		to.lacking |= of.count() != 0;
	weaver(q, l, codes, of, to).run();
}

} // namespace stack9::languages::python
