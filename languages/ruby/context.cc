// Finds an execution context, by the thread's own memory or by the list of
// threads.  That list has every thread of the process before this one.
//
// Since 3.0 the variable ruby_current_ec is of each thread.  It is exported up
// to 3.2.  So it is not asked for by its name: a word of the memory that the C
// library gave the thread for the file is the variable if it leads to a context
// whose thread leads back to it and is the one that is asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"

#include <algorithm>

namespace stack9::languages::ruby {
namespace {

constexpr unsigned int most_threads = 1 << 12, most_files = 32;
constexpr std::uint64_t most_of_thread = 512, largest_stack = 1 << 28;

class search {
public:
	search(const question &q, const layout &l) noexcept
	    : m_(q.words), l_(l), self_(q.asked.thread_pointer) {}

	bool in_thread(std::uint64_t size, std::uint64_t &context);
	bool in_keys(std::uint64_t &context);
	bool in_machine(std::uint64_t machine, std::uint64_t &context);
	// How the first or the second of these has found it.
	const way &its_way() const noexcept { return way_; }

private:
	bool is_own(std::uint64_t thread);
	bool is_context(std::uint64_t at);
	bool has_context(std::uint64_t thread, std::uint64_t &context);
	bool in_list(std::uint64_t head, std::uint64_t &context);

	unwind::memory		&m_;
	const layout		&l_;
	const std::uint64_t	self_;
	unsigned int		left_ = most_threads;
	way			way_{};
};

// Both C libraries have pthread_self() where the thread pointer points to.
bool
search::is_own(std::uint64_t thread)
{
	std::uint64_t id, native;
	if (l_.thread_native == 0)
		return m_.word(thread + l_.thread_id, id) && id == self_;
	return m_.word(thread + l_.thread_native, native) && native != 0 &&
	    m_.word(native + l_.native_id, id) && id == self_;
}

bool
search::is_context(std::uint64_t at)
{
	std::uint64_t thread, context;
	return at >= 4096 && at % 8 == 0 &&
	    m_.word(at + l_.context_thread, thread) &&
	    thread >= 4096 && thread % 8 == 0 &&
	    m_.word(thread + l_.thread_context, context) && context == at &&
	    is_own(thread);
}

bool
search::has_context(std::uint64_t thread, std::uint64_t &context)
{
	return is_own(thread) &&
	    m_.word(thread + l_.thread_context, context) &&
	    is_context(context);
}

// The second word of a thread's memory leads to a vector with the memory of
// each file.  glibc has a pointer and another word for each, musl a pointer.
bool
search::in_thread(std::uint64_t size, std::uint64_t &context)
{
	constexpr std::uint16_t files_at = 8;
	std::uint64_t files, memory;
	if (!m_.word(self_ + files_at, files) || files < 4096 || files % 8 != 0)
		return false;
	for (unsigned int i = 1; i <= 2 * most_files; i++) {
		if (!m_.word(files + 8 * i, memory))
			return false;
		if (memory < 4096 || memory % 8 != 0)
			continue;
		for (std::uint64_t at = 0; at + 8 <= size; at += 8)
			if (!m_.word(memory + at, context))
				break;
			else if (is_context(context)) {
				way_ = {{files_at, std::uint16_t(8 * i),
				    std::uint16_t(at), S9_NOT_THERE}};
				return true;
			}
	}
	return false;
}

// Up to 2.7 a key of pthread_key_create(3) leads to the thread.  glibc has the
// values of 32 keys in the memory after the thread pointer.
bool
search::in_keys(std::uint64_t &context)
{
	constexpr std::uint64_t size = 0x510, step = 8;
	std::uint64_t thread;
	for (std::uint64_t at = self_; at < self_ + size; at += step)
		if (!m_.word(at, thread))
			return false;
		else if (thread >= 4096 && thread % 8 == 0 &&
		    has_context(thread, context)) {
			way_ = {{std::uint16_t(at - self_), l_.thread_context,
			    S9_NOT_THERE, S9_NOT_THERE}};
			return true;
		}
	return false;
}

// A list of Ruby's begins and ends with its head, and a thread with its node.
bool
search::in_list(std::uint64_t head, std::uint64_t &context)
{
	std::uint64_t thread;
	for (std::uint64_t at = head; left_ > 0 && m_.word(at, thread) &&
	    thread != head; at = thread, left_--)
		if (has_context(thread, context))
			return true;
	return false;
}

bool
search::in_machine(std::uint64_t machine, std::uint64_t &context)
{
	std::uint64_t node;
	if (l_.ractors == 0)
		return in_list(machine + l_.threads, context);
	const std::uint64_t head = machine + l_.ractors;
	for (std::uint64_t at = head; left_ > 0 && m_.word(at, node) &&
	    node != head; at = node, left_--)
		if (in_list(node - l_.ractor_node + l_.threads, context))
			return true;
	return false;
}

} // namespace

bool
find_context(const question &q, const loaded &where, const places &p,
    const layout &l, context &to)
{
	constexpr std::uint64_t stack_at = 0, size_at = 8, frame_at = 16;
	std::uint64_t at, machine, stack, words;
	search s(q, l);
	if (q.asked.thread_pointer == 0 ||
	    (!s.in_thread(std::min(p.thread_size, most_of_thread), at) &&
	    !s.in_keys(at) && (p.machine.vaddr == 0 ||
	    !q.words.word(p.machine.vaddr + where.bias, machine) ||
	    machine == 0 || !s.in_machine(machine, at))))
		return false;
	if (!q.words.word(at + l.context_thread, to.thread) ||
	    !q.words.word(at + stack_at, stack) ||
	    !q.words.word(at + size_at, words) ||
	    !q.words.word(at + frame_at, to.frame) ||
	    stack == 0 || words > largest_stack / 8)
		return false;
	to.begin = stack;
	to.end = stack + 8 * words;
	return to.frame >= stack && to.frame < to.end &&
	    (to.end - to.frame) % l.frame_size == 0;
}

bool
find_way(const question &q, const places &p, const layout &l, way &to)
{
	std::uint64_t at;
	search s(q, l);
	if (q.asked.thread_pointer == 0 ||
	    (!s.in_thread(std::min(p.thread_size, most_of_thread), at) &&
	    !s.in_keys(at)))
		return false;
	to = s.its_way();
	return true;
}

} // namespace stack9::languages::ruby
