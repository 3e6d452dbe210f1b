// Reads the list of tasks that asyncio keeps: up to 3.13 the WeakSet of
// asyncio.tasks, and since 3.14 a list for each thread, and one of those whose
// thread has ended.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "task_list.h"

#include <algorithm>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "languages/chain.h"

#include "dicts.h"

namespace stack9::languages::python {
namespace {

constexpr unsigned int most_states = 1 << 16;
// Pages that have been read are forgotten after so many elements.
constexpr std::size_t kept_at_once = 256;

class search {
public:
	search(const question &q, const layout &l, const task_layout &t,
	    types &k) noexcept : m_(q.words), l_(l), t_(t), types_(k) {}

	void take_interpreter(std::uint64_t);
	std::vector<std::uint64_t> take() { return std::move(found_); }

private:
	void take_list(std::uint64_t head);
	void take_set(std::uint64_t interpreter);
	std::uint64_t set_of(std::uint64_t weak_set);
	bool is_set(std::uint64_t object)
	    { return types_.of(object) == "set"; }
	bool add(std::uint64_t task);

	memory			&m_;
	const layout		&l_;
	const task_layout	&t_;
	types			&types_;
	std::vector<std::uint64_t> found_;
};

// False: there are more than are read.
bool
search::add(std::uint64_t task)
{
	if (budgets::exceeds(found_.size() + 1, budgets::python_tasks)) {
		budgets::leave_out(budgets::left_out::coroutines);
		return false;
	}
	found_.push_back(task);
	if (found_.size() % kept_at_once == 0)
		m_.forget();
	return true;
}

// The list is a ring that its head is in.
void
search::take_list(std::uint64_t head)
{
	std::uint64_t node;
	if (!m_.word(head, node))
		return;
	for (chain all(UINT32_MAX); node != head && all.goes_on(node);) {
		if (!add(node - t_.node) || !m_.word(node, node))
			break;
	}
}

// The set is the first attribute that a WeakSet is given.  Attributes lie after
// the object (3.13), in a place that a word before it leads to (3.11, 3.12), or
// in its dict.
std::uint64_t
search::set_of(std::uint64_t weak_set)
{
	std::uint64_t at = 0, set = 0;
	switch (l_.minor) {
	case 9:
	case 10:
		at = m_.word(weak_set + 16, at) && m_.word(at + 40, at) ? at :
		    0;
		break;
	case 11:
		at = m_.word(weak_set - 32, at) ? at : 0;
		break;
	case 12:
		at = m_.word(weak_set - 24, at) ? at + 1 : 0;
		break;
	default:
		at = weak_set + 24;
		break;
	}
	if (at != 0 && m_.word(at, set) && is_set(set))
		return set;
	const std::uint64_t dict = l_.minor <= 10 ? weak_set + 16 :
	    weak_set - 24;
	if (!m_.word(dict, at))
		return 0;
	set = value_of(m_, l_, at, "data");
	return is_set(set) ? set : 0;
}

// The elements are weak references.
void
search::take_set(std::uint64_t interpreter)
{
	constexpr std::uint64_t dict_of_module = 16;
	std::uint64_t modules, dict;
	if (!m_.word(interpreter + l_.modules, modules))
		return;
	const std::uint64_t module = value_of(m_, l_, modules,
	    "asyncio.tasks");
	if (module == 0 || !m_.word(module + dict_of_module, dict))
		return;
	const std::uint64_t set = set_of(value_of(m_, l_, dict,
	    l_.minor <= 11 ? "_all_tasks" : "_scheduled_tasks"));
	if (set == 0)
		return;
	std::uint64_t task;
	for (const std::uint64_t reference : elements_of(m_, l_, set))
		if (reference % 8 == 0 &&
		    m_.word(reference + header_of(l_), task) && !add(task))
			return;
}

void
search::take_interpreter(std::uint64_t interpreter)
{
	if (t_.node == 0)
		return take_set(interpreter);
	take_list(interpreter + t_.of_interpreter);
	std::uint64_t state;
	if (!m_.word(interpreter + l_.threads_head, state))
		return;
	for (chain threads(most_states); threads.goes_on(state);) {
		take_list(state + t_.of_thread);
		if (!m_.word(state + l_.next_thread, state))
			break;
	}
}

} // namespace

std::vector<std::uint64_t>
list_tasks(const question &q, const loaded &where, const layout &l,
    const task_layout &t, types &k)
{
	std::uint64_t interpreter;
	search s(q, l, t, k);
	if (!q.words.word(where.mark + l.interpreters_head, interpreter))
		return {};
	for (chain all(most_states); all.goes_on(interpreter);) {
		s.take_interpreter(interpreter);
		if (!q.words.word(interpreter + l.next_interpreter,
		    interpreter))
			break;
	}
	std::vector<std::uint64_t> found = s.take();
	std::sort(found.begin(), found.end());
	found.erase(std::unique(found.begin(), found.end()), found.end());
	return found;
}

} // namespace stack9::languages::python
