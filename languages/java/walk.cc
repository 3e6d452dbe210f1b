// Walks from frame to frame, and names what each of them runs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walk.h"

#include <map>
#include <vector>

#include "core/seam/stop_reason.h"

#include "languages/noted_memory.h"

#include "code_cache.h"
#include "compiled.h"
#include "locks.h"
#include "method.h"
#include "step.h"
#include "thread_name.h"
#include "threads.h"

namespace stack9::languages::java {
namespace {

using unwind::outcome, unwind::registers;

// The most frames that are looked at: those that have no room are counted.
constexpr std::uint32_t most_frames = 1 << 16;

class walker {
public:
	walker(const question &q, noting_memory &m, const layout &l,
	    code_cache &code, std::uint64_t thread, written_stack &to)
	    : q_(q), m_(m), l_(l), to_(to), code_(code),
	      stepper_(q, l, code, thread) {}

	void run();

private:
	// A frame that is named when all have been found.
	struct found_frame {
		std::uint32_t	at;
		const blob	*code;
		registers	now;
	};

	static registers registers_of(const user_copy &) noexcept;
	void finish(outcome);
	void name_all();
	void name(std::uint32_t at, const blob &, const registers &);
	void name_interpreted(std::uint32_t at, const registers &);
	void name_compiled(std::uint32_t at, const blob &, const registers &);
	void add(std::uint32_t at, const method *, std::uint32_t bytecode,
	    bool guessed);
	const method *method_at(std::uint64_t at);

	const question			&q_;
	noting_memory			&m_;
	const layout			&l_;
	written_stack			&to_;
	code_cache			&code_;
	stepper				stepper_;
	std::map<std::uint64_t, method>	methods_;
	std::vector<std::uintptr_t>	pcs_;
	std::vector<found_frame>	found_;
	std::uint32_t			frames_ = 0;
};

registers
walker::registers_of(const user_copy &copy) noexcept
{
	registers r;
	for (int n = 0; n < unwind::register_count; n++)
		if ((copy.known >> n & 1) != 0)
			r.set(n, copy.value[static_cast<std::size_t>(n)]);
	r.exact = true;
	return r;
}

const method *
walker::method_at(std::uint64_t at)
{
	const auto [known, is_new] = methods_.try_emplace(at);
	if (is_new || m_.is_noting()) {
		const noting_memory::noting its(m_, at, part::names);
		if (!read_method(m_, l_, at, known->second))
			known->second.at = 0;
		else
			touch_lines(m_, known->second);
	}
	return known->second.at != 0 ? &known->second : nullptr;
}

void
walker::add(std::uint32_t at, const method *of, std::uint32_t bytecode,
    bool guessed)
{
	const std::uint32_t flags = written_replaces |
	    (guessed ? written_guessed : 0);
	if (of == nullptr)
		to_.add(at, written_replaces | written_guessed, "java", "?",
		    "", 0);
	else
		to_.add(at, flags, "java", of->name, of->file,
		    line_of(m_, l_, *of, bytecode));
}

// The frame has the bytecode that it goes on with, but while its thread is in
// the interpreter a register has it.
void
walker::name_interpreted(std::uint32_t at, const registers &now)
{
	std::uint64_t method_word, bytecode = 0;
	if (!now.knows(unwind::register_fp) ||
	    !m_.word(now.fp() - interpreted_method, method_word))
		return add(at, nullptr, 0, true);
	const method *of = method_at(method_word);
	bool guessed = now.exact;
	if (of == nullptr && now.exact && now.knows(register_rbx)) {
		// The frame is not made yet.
		of = method_at(now.value[register_rbx]);
		return add(at, of, 0, true);
	}
	m_.word(now.fp() - (l_.major == 8 ? interpreted_bytecode_8 :
	    interpreted_bytecode), bytecode);
	if (now.exact && of != nullptr && now.knows(register_bcp) &&
	    of->holds(now.value[register_bcp]))
		bytecode = now.value[register_bcp];
	const bool holds = of != nullptr && of->holds(bytecode);
	if (of != nullptr && !of->is_native && !holds)
		guessed = true;
	add(at, of, holds ? static_cast<std::uint32_t>(bytecode - of->code) :
	    0, guessed);
}

void
walker::name_compiled(std::uint32_t at, const blob &b, const registers &now)
{
	std::vector<scope> scopes;
	const noting_memory::noting its(m_, now.pc(), part::names);
	const std::uint64_t pc = original_pc(m_, l_, b, now.pc(), now.sp());
	if (b.what == blob::kind::native ||
	    !scopes_of(m_, l_, b, pc, now.exact, scopes)) {
		const method *const of = method_at(method_of(m_, l_, b));
		return add(at, of, 0, b.what != blob::kind::native);
	}
	for (const scope &s : scopes)
		add(at, method_at(s.method), s.bytecode < 0 ? 0 :
		    static_cast<std::uint32_t>(s.bytecode), now.exact);
}

void
walker::name(std::uint32_t at, const blob &b, const registers &now)
{
	std::uint64_t entry_pc;
	if (m_.word(l_.call_stub_return, entry_pc) && now.pc() == entry_pc)
		to_.add(at, written_replaces, "java", "StubRoutines::call_stub",
		    "", 0);
	else if (b.what == blob::kind::interpreter)
		name_interpreted(at, now);
	else if (b.is_method())
		name_compiled(at, b, now);
	else
		to_.add(at, written_replaces, "java", b.name, "", 0);
}

// A walk that ended before the native one's outermost frame was misled.  Then
// that one stays, and the methods of the frames that both have.
void
walker::finish(outcome how)
{
	stack_record &rec = q_.native;
	const bool is_whole = how == outcome::end ||
	    (rec.why == STACK9_WHY_NONE && rec.depth != 0 &&
	    frames_ == pcs_.size() && pcs_.back() == rec.pcs[rec.depth - 1]);
	if (!is_whole && rec.why == STACK9_WHY_NONE) {
		std::uint32_t same = 0;
		while (same < rec.depth && same < pcs_.size() &&
		    pcs_[same] == rec.pcs[same])
			same++;
		std::erase_if(to_.frames, [&](const written_frame &f) {
			return to_.text_of(f.language) == "java" &&
			    f.at >= same;
		});
		return;
	}
	std::copy(pcs_.begin(), pcs_.end(), rec.pcs);
	rec.depth = static_cast<std::uint32_t>(pcs_.size());
	rec.dropped = frames_ - rec.depth;
	rec.flags &= ~STACK9_STACK_GUESSED;
	if (stepper_.guessed())
		rec.flags |= STACK9_STACK_GUESSED;
	const stop_reason e = stop_reason_of(frames_ > rec.depth ?
	    outcome::limit : is_whole ? outcome::end : how);
	rec.why = e.why;
	rec.reason = e.reason;
}

void
walker::name_all()
{
	for (const found_frame &f : found_)
		name(f.at, *f.code, f.now);
}

void
walker::run()
{
	m_.prefetch_by_stack();
	registers now = registers_of(q_.copy);
	outcome how = outcome::stepped;
	while (how == outcome::stepped && frames_ < most_frames) {
		const std::uint64_t pc = now.pc();
		const noting_memory::noting its(m_, pc, part::step);
		const blob *const b = code_.find(now.lookup());
		if (pcs_.size() < q_.native.max) {
			pcs_.push_back(pc);
			if (b != nullptr)
				found_.push_back({frames_, b, now});
		}
		how = stepper_.step(b, now);
		frames_++;
		if (stepper_.left_out() && frames_ < q_.native.max)
			to_.add(frames_, 0, "java", "(continued in the heap)",
			    "", 0);
	}
	name_all();
	finish(how == outcome::stepped ? outcome::limit : how);
}

// Threads of the machine's own run no Java: only their pcs are looked up.
bool
has_java(const code_cache &code, const stack_record &native) noexcept
{
	for (std::uint32_t i = 0; i < native.depth; i++)
		if (code.covers(native.pcs[i]))
			return true;
	return native.why != STACK9_WHY_NONE;
}

// Reads what each walk asks for by one request.
std::uint64_t
thread_of(const question &q, noting_memory &m, const layout &l, bool has_java)
{
	std::vector<std::uint64_t> all;
	m.prefetch(l.version, part::names);
	{
		const noting_memory::noting its(m, l.version, part::names);
		all = all_threads(m, l);
	}
	return find_thread(q, l, all, has_java);
}

void
add_name(noting_memory &m, const layout &l, std::uint64_t thread,
    written_stack &to)
{
	if (thread == 0 || !to.thread_name.empty())
		return;
	m.prefetch(thread, part::names);
	const noting_memory::noting its(m, thread, part::names);
	to.thread_name = name_of_thread(m, l, thread);
}

code_cache
code_of(noting_memory &m, const layout &l)
{
	m.prefetch(l.version, part::step);
	const noting_memory::noting its(m, l.version, part::step);
	return code_cache(m, l);
}

} // namespace

void
walk(const question &q, const layout &l, written_stack &to)
{
	noting_memory noting(q.words, q.copy,
	    kept_with<noted_places>(q.space));
	const question noted{q.space, q.thread, q.copy, noting, q.code,
	    q.asked, q.native};
	code_cache code = code_of(noting, l);
	const bool runs = has_java(code, q.native);
	const std::uint64_t thread = q.asked.at_event ? 0 :
	    thread_of(noted, noting, l, runs);
	if (runs)
		walker(noted, noting, l, code, thread, to).run();
	if (runs && thread != 0)
		find_lock(noted, l, thread, to);
	add_name(noting, l, thread, to);
}

} // namespace stack9::languages::java
