// Puts frames that a program has told into the place of the calls of the loop.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "at_event.h"

#include <algorithm>

namespace stack9::languages::python {
namespace {

using offset_t = unsigned short;

// Functions with their tables of lines, of all processes together.
constexpr std::size_t most_bytes = 32 << 20, of_each = 256;

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

// Since 3.12 each code object has a number of its own.  Before that its name
// has to tell: the length of a str, its hash, and its first characters if they
// are ASCII ones; and its table of lines: the size, and 16 of the bytes.  An
// object of a free-threaded build does not show whether it is free.
void
describe_cookie(const layout &l, s9_frame_chain &to)
{
	constexpr offset_t version_behind_line = 24;
	const auto head = offset_t(header_of(l));
	const bool has_version = knows_version(l);
	const auto line = offset_t(l.first_line & ~7u),
	    version = has_version ? offset_t((l.first_line +
	    version_behind_line) & ~7u) : line;
	const offset_t name = has_version ? line : l.qualname,
	    lines = has_version ? line : l.lines;
	to.code_from = std::min({name, lines, line});
	to.code_bytes = offset_t(std::max({name, lines, version}) + 8 -
	    to.code_from);
	to.cookie[0] = offset_t(line - to.code_from);
	to.cookie[1] = offset_t(version - to.code_from);
	to.leads[of_name].at = to.leads[of_lines].at = S9_NOT_THERE;
	if (has_version)
		return;
	to.leads[of_name] = {offset_t(name - to.code_from), {head,
	    offset_t(head + 8), offset_t(head + 32)}};
	to.leads[of_lines] = {offset_t(lines - to.code_from), {head,
	    offset_t(head + 16), offset_t(head + 24)}};
}

// The programs compute the same.  0: the object is not there.
std::uint32_t
cookie_of(unwind::memory &m, const layout &l, std::uint64_t code)
{
	s9_frame_chain c{};
	describe_cookie(l, c);
	std::uint64_t first, second;
	if ((knows_version(l) && !has_references(m, code)) ||
	    !m.word(code + c.code_from + c.cookie[0], first) ||
	    !m.word(code + c.code_from + c.cookie[1], second))
		return 0;
	auto mixed = s9_cookie_on(0, first, second, 0);
	for (const auto &lead : c.leads) {
		std::uint64_t to, words[S9_CHAIN_LED / 8];
		if (lead.at == S9_NOT_THERE)
			break;
		if (!m.word(code + c.code_from + lead.at, to) ||
		    !m.read(to, words, sizeof words))
			return 0;
		mixed = s9_cookie_on(mixed, words[lead.words[0] / 8],
		    words[lead.words[1] / 8], words[lead.words[2] / 8]);
	}
	return static_cast<std::uint32_t>(mixed);
}

class weaver {
public:
	weaver(const question &q, const layout &l, const told_codes &codes,
	    calls &of, written_stack &to)
	    : q_(q), l_(l), codes_(codes), calls_(of), to_(to) {}

	// Throws std::bad_alloc.
	void run();

private:
	void add(std::uint64_t word, std::uint64_t more, std::uint32_t at,
	    std::uint32_t flags);
	std::size_t shares() const;

	const question		&q_;
	const layout		&l_;
	const told_codes	&codes_;
	calls			&calls_;
	written_stack		&to_;
};

std::size_t
weaver::shares() const
{
	std::size_t n = 0;
	for (std::size_t i = 0; i + 1 < q_.asked.told.size(); i += 2)
		n += q_.asked.told[i] & S9_WORD_ENDS;
	return n;
}

void
weaver::add(std::uint64_t word, std::uint64_t more, std::uint32_t at,
    std::uint32_t flags)
{
	constexpr std::uint64_t ends = S9_WORD_ENDS;
	const std::uint64_t code = word & ~ends;
	const auto position = static_cast<std::uint32_t>(more >> 32);
	if (code == 0)
		return;
	const auto c = codes_.find(q_, l_, code,
	    static_cast<std::uint32_t>(more));
	if (c == nullptr)
		return to_.add(at, flags | written_guessed, "python", "?", "",
		    0);
	to_.add(at, flags, "python", c->name, c->file,
	    position == S9_NO_POSITION && l_.minor > 10 ? 0 : line_of(
	    q_.words, l_, *c, (l_.minor <= 10 ? 0 : code) + position, 0));
}

// A thread may be interrupted where it has entered the loop and its frame is
// not in the chain yet.  Then there are more calls than shares.
void
weaver::run()
{
	const auto told = q_.asked.told;
	const std::size_t wanted = shares(), there = calls_.count();
	std::uint32_t flags = written_replaces |
	    (wanted != there && q_.native.depth != 0 ? written_guessed : 0);
	call c{q_.native.depth, true};
	bool is_new = true;
	for (std::size_t i = 0; i + 1 < told.size(); i += 2) {
		if (is_new && !calls_.next(0, c)) {
			c = {q_.native.depth, true};
			flags |= written_guessed;
		}
		add(told[i], told[i + 1], c.at, flags);
		is_new = (told[i] & S9_WORD_ENDS) != 0;
	}
}

} // namespace

// Since 3.11 a position is an address behind the code object's beginning.
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
	to.frame_bytes = offset_t((std::max({l.code, l.previous,
	    l.position, to.owner, l.thread_code_index}) + 8) & ~7);
	to.frames_lie_together = l.minor > 10;
	to.code_mask = ~std::uint64_t{3};
	to.position_bytes = l.minor <= 10 ? 4 : 8;
	to.copy_index = l.thread_code_index != 0 ? l.thread_code_index :
	    S9_NOT_THERE;
	to.copies = l.thread_codes;
	to.instructions = l.bytecode;
	describe_cookie(l, to);
	const offset_t offsets[] = {to.next_group, to.first_thread,
	    to.next_thread, to.identity, to.frame, to.code, to.position,
	    to.caller, to.copies, l.qualname, l.lines};
	const bool fits = l.next_thread >= 8 &&
	    to.frame_bytes <= S9_CHAIN_FRAME &&
	    to.code_bytes <= S9_CHAIN_CODE &&
	    std::all_of(std::begin(offsets), std::end(offsets),
	    [](offset_t offset) { return offset % 8 == 0; });
	to.kind = fits ? S9_CHAIN_OF_THREADS : S9_CHAIN_NONE;
	return fits;
}

std::shared_ptr<const code_object>
told_codes::find(const question &q, const layout &l, std::uint64_t at,
    std::uint32_t cookie) const
{
	const stack9_thread &who = q.space.thread();
	const key k{who.tid, who.start, at, cookie};
	{
		const std::lock_guard hold(lock_);
		if (const auto known = all_.find(k); known != all_.end())
			return known->second;
	}
	// It may become another one while it is read.
	auto made = std::make_shared<code_object>();
	q.words.forget();
	if (cookie_of(q.words, l, at) != cookie ||
	    !read_code(q.words, l, at, *made))
		return nullptr;
	q.words.forget();
	if (cookie_of(q.words, l, at) != cookie)
		return nullptr;
	const std::lock_guard hold(lock_);
	bytes_ += of_each + made->name.size() + made->file.size() +
	    made->lines.size();
	if (bytes_ > most_bytes) {
		all_.clear();
		bytes_ = 0;
	}
	return all_.insert_or_assign(k, std::move(made)).first->second;
}

void
weave(const question &q, const loaded &where, const places &p, const layout &l,
    const told_codes &codes, written_stack &to)
{
	calls of(q, where, p);
	if (q.asked.told.empty())
		to.lacking |= of.count() != 0;
	weaver(q, l, codes, of, to).run();
}

} // namespace stack9::languages::python
