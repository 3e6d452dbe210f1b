// Reads tasks twice, and believes those that are the same both times.
//
// The threads of the process go on meanwhile.  A task that waits does not
// change, and one that has run between both readings is read again.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tasks.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "core/seam/second_reading.h"

#include "awaits.h"
#include "objects.h"
#include "task_list.h"
#include "text.h"

namespace stack9::languages::python {
namespace {

// So many are read before they are read again.
constexpr std::size_t tasks_at_once = 128;
constexpr int most_tries = 8;

struct task {
	std::uint64_t	at, waits_for = 0;
	std::string	name, state;
	awaits		chain;
	bool		is_sure = false;

	bool
	is_same(const task &other) const
	{
		return chain == other.chain && name == other.name &&
		    state == other.state && waits_for == other.waits_for;
	}
};

class task_reading {
public:
	task_reading(const question &q, const loaded &where, const layout &l,
	    const task_layout &t, code_places &places, written_tasks &to)
	    : q_(q), m_(q.words), where_(where), l_(l), t_(t), places_(places),
	      types_(m_, l), to_(to) {}

	void run();

private:
	void read(task &);
	void read_name(task &);
	void read_future(task &);
	void read_all(std::span<task>);
	bool add(const task &);
	const code_object *code_at(std::uint64_t);

	const question		&q_;
	memory			&m_;
	const loaded		&where_;
	const layout		&l_;
	const task_layout	&t_;
	code_places		&places_;
	types			types_;
	written_tasks		&to_;
	std::map<std::uint64_t, code_object> codes_;
};

// One that was given no name has a number in its place since 3.12.
void
task_reading::read_name(task &k)
{
	std::uint64_t at;
	std::uint32_t digits[2];
	if (!m_.word(k.at + t_.name, at))
		return;
	if (types_.of(at) == "str")
		read_str(m_, l_, at, k.name);
	else if (types_.of(at) == "int" && l_.minor >= 12 &&
	    m_.read(at + header_of(l_) + 8, digits, sizeof digits))
		k.name = "Task-" + std::to_string(digits[0]);
}

// The name of a class has no module where Python made it, and one of C's has.
void
task_reading::read_future(task &k)
{
	const std::string &type = types_.of(k.chain.future);
	const std::size_t dot = type.rfind('.');
	k.state = "wait_for " + type.substr(dot == type.npos ? 0 : dot + 1);
	if (types_.is_a(k.chain.future, "_asyncio.Task"))
		k.waits_for = k.chain.future;
}

void
task_reading::read(task &k)
{
	std::uint64_t coroutine;
	if (!types_.is_a(k.at, "_asyncio.Task") ||
	    !m_.word(k.at + t_.coroutine, coroutine))
		return;
	k.chain = read_awaits(m_, l_, t_, types_, coroutine);
	if (k.chain.how == awaits::state::waits)
		read_future(k);
	else
		k.state = "pending";
	read_name(k);
}

void
task_reading::read_all(std::span<task> all)
{
	const auto read_some = [&] {
		std::size_t changed = 0;
		m_.forget();
		for (task &k : all) {
			if (k.is_sure)
				continue;
			task again{k.at, 0, {}, {}, {}, false};
			read(again);
			again.is_sure = again.is_same(k);
			changed += !again.is_sure;
			k = std::move(again);
		}
		return changed;
	};
	for (int tries = 0; read_some() != 0 && tries < most_tries; tries++)
		announce_second_reading(q_.thread.pid, 0);
}

const code_object *
task_reading::code_at(std::uint64_t at)
{
	const auto [known, is_new] = codes_.try_emplace(at);
	if (is_new && !read_code(m_, l_, at, known->second))
		known->second.at = 0;
	return known->second.at != 0 ? &known->second : nullptr;
}

// False: the answer would be too large with it.
bool
task_reading::add(const task &k)
{
	using state = awaits::state;
	written_stack &s = to_.stack;
	if (k.chain.how == state::runs || k.chain.frames.empty())
		return true;
	if (budgets::exceeds(s.text.size() +
	    s.frames.size() * sizeof s.frames[0], budgets::python_task_text))
		return false;
	const std::size_t before = s.frames.size();
	for (auto f = k.chain.frames.rbegin(); k.is_sure &&
	    f != k.chain.frames.rend(); ++f) {
		const code_object *const c = code_at(f->code);
		if (c == nullptr)
			s.add(0, written_guessed, "python", "?", "", 0);
		else
			s.add(0, 0, "python", c->name, c->file, line_of(m_, l_,
			    *c, f->position, f->code_index));
	}
	to_.all.push_back({k.at, k.waits_for, s.text_at("asyncio"),
	    s.text_at(k.name), s.text_at(k.state),
	    static_cast<std::uint32_t>(s.frames.size() - before), !k.is_sure});
	return true;
}

void
task_reading::run()
{
	std::vector<task> all;
	for (const std::uint64_t at : list_tasks(q_, where_, l_, t_, types_))
		all.push_back({at, 0, {}, {}, {}, false});
	for (std::span<task> rest(all); !rest.empty();) {
		const std::span now = rest.first(std::min(tasks_at_once,
		    rest.size()));
		std::vector<std::uint64_t> codes;
		read_all(now);
		for (const task &k : now)
			for (const stopped_frame &f : k.chain.frames)
				codes.push_back(f.code);
		std::sort(codes.begin(), codes.end());
		codes.erase(std::unique(codes.begin(), codes.end()),
		    codes.end());
		places_.prefetch(m_, l_, codes);
		for (const task &k : now)
			if (!add(k))
				return budgets::leave_out(
				    budgets::left_out::coroutines);
		rest = rest.subspan(now.size());
	}
}

} // namespace

void
add_tasks_of(const question &q, const loaded &where, const layout &l,
    code_places &places, written_tasks &to)
{
	const task_layout t = task_layout_of(q, where, l);
	if (t.is_known)
		task_reading(q, where, l, t, places, to).run();
}

} // namespace stack9::languages::python
