// Writes a small core of an open one: with the memory that stacks, names, waits
// and languages need, and what other debuggers look for.
//
// All of that is found by doing it.  Each thread is walked, its waits are
// found, and what was read meanwhile is what a reader of the dump will read.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <unistd.h>

#include <stack9_coroutines.h>
#include <stack9_waits.h>

#include "core/arguments.h"
#include "core/seam/space.h"
#include "unwind/walk.h"

#include "mappings.h"
#include "open_core.h"
#include "write_core.h"

namespace stack9::cores {
namespace {

// A megabyte for fifty threads, some of which the notes take.
constexpr std::uint64_t least = 960 << 10, for_thread = 20 << 10;
constexpr std::uint32_t frames = 1 << 16;

using unique_sample = std::unique_ptr<stack9_sample,
    decltype(&stack9_sample_close)>;

// Runtimes that may have more stacks than threads.
struct seen_runtimes {
	bool	go = false, python = false;
};

class dumper {
public:
	explicit dumper(stack9_core &c) : core_(c), has_(c.process->has()) {}

	int run(int fd);

private:
	std::uint64_t most_of_a_stack() const noexcept;
	void keep(std::uint64_t from, std::uint64_t size);
	void keep_frames(const user_copy &,
	    const std::vector<std::uintptr_t> &pcs);
	void keep_dynamic();
	void keep_stacks();
	void read_all();
	bool has_new_frames(const stack9_stack &);
	void find_waits();
	int write_to(int fd) const;

	stack9_core			&core_;
	const contents			&has_;
	std::vector<unique_sample>	samples_;
	seen_runtimes			runtimes_;
	std::unordered_set<std::uintptr_t> named_;
};

// One deep stack leaves room for the others.
std::uint64_t
dumper::most_of_a_stack() const noexcept
{
	const std::uint64_t all = std::max(least, has_.threads.size() *
	    for_thread);
	return has_.threads.size() > 4 ? all / 8 : all / 2;
}

// elfutils takes segments to begin with a page, and reads these and the
// loader's.
void
dumper::keep(std::uint64_t from, std::uint64_t size)
{
	const std::uint64_t before = from % kept_pages::page_size;
	core_.pages->keep(has_, from - before, std::min(size + before,
	    most_of_a_stack()));
}

// A stack may have a large array in it: threads of Ruby have a megabyte there
// for the frames of their functions, and little of it is in use.  If a stack is
// larger than its share, its innermost part is kept, and the bytes around each
// return address.
void
dumper::keep_frames(const user_copy &copy,
    const std::vector<std::uintptr_t> &pcs)
{
	const copied_piece &stack = copy.stack;
	constexpr std::uint64_t below = 1024, behind = 256;
	const std::uint64_t size = end_of_frames(copy, pcs) - stack.at,
	    most = most_of_a_stack(), share = std::max(for_thread,
	    std::min(most, least / 2 / has_.threads.size()));
	if (size <= share)
		return keep(stack.at, size);
	keep(stack.at, share / 2);
	std::vector<std::uintptr_t> sorted = pcs;
	std::sort(sorted.begin(), sorted.end());
	std::uint64_t kept = share / 2, kept_up_to = kept;
	const std::size_t width = word_size_of(copy);
	for (std::uint64_t at = kept & ~(width - 1); kept < most &&
	    at + width <= size; at += width) {
		if (!std::binary_search(sorted.begin(), sorted.end(),
		    word_at(copy, at)))
			continue;
		const std::uint64_t page = (stack.at + at - below) &
		    ~(kept_pages::page_size - 1), from = std::max(kept_up_to,
		    page - stack.at);
		kept_up_to = std::min(at + behind, size);
		kept += kept_up_to - from;
		core_.pages->keep(has_, stack.at + from, kept_up_to - from);
	}
}

// gdb reads the whole of the section that leads to the loader's list.
void
dumper::keep_dynamic()
{
	constexpr std::uint64_t most = 1024;
	const image program = read_image(*core_.process,
	    has_.about.headers & ~(kept_pages::page_size - 1));
	if (program.is_read && program.dynamic != 0)
		core_.pages->keep(has_, program.dynamic + program.bias, most);
}

// Other pieces are those of alternate stacks.
void
dumper::keep_stacks()
{
	const auto walks = std::make_unique<thread_walks>(*core_.process,
	    frames, false);
	for (const thread &t : has_.threads) {
		const stack9_stack &s = *walks->walk(t).user;
		const user_copy &copy = walks->copy();
		keep_frames(copy, {s.pcs, s.pcs + s.depth});
		for (const copied_piece *p : copy.pieces())
			if (p != &copy.stack)
				keep(p->at, p->bytes.size());
	}
}

// A thread of Go's scheduler is in every program of Go.  The search for
// goroutines reads all data of a program to find that it has none.
int
note_runtimes(void *arg, const stack9_frame *f)
{
	auto &to = *static_cast<seen_runtimes *>(arg);
	to.go |= std::string_view(f->name).starts_with("runtime.");
	to.python |= f->language == std::string_view("python");
	return 0;
}

// Each name is asked of another process.  Threads of a pool have the same
// frames.
bool
dumper::has_new_frames(const stack9_stack &s)
{
	bool is_new = s.written_count != 0;
	for (std::uint32_t n = 0; n < s.depth; n++)
		is_new |= named_.insert(s.pcs[n]).second;
	return is_new;
}

void
dumper::read_all()
{
	const auto walks = std::make_unique<thread_walks>(*core_.process,
	    frames, true);
	for (const thread &t : has_.threads) {
		stack9_sample *const held = stack9_sample_hold(
		    &walks->walk(t));
		if (held == nullptr)
			continue;
		samples_.emplace_back(held, stack9_sample_close);
		if (has_new_frames(*held->user))
			stack9_frames(held->user, 0, note_runtimes,
			    &runtimes_);
	}
}

int
no_wait(void *, const stack9_wait *)
{
	return 0;
}

int
no_coroutine(void *, const stack9_coroutine *)
{
	return 0;
}

void
dumper::find_waits()
{
	std::vector<const stack9_sample *> all;
	for (const unique_sample &s : samples_)
		all.push_back(s.get());
	if (!all.empty())
		stack9_waits(all.data(), static_cast<std::uint32_t>(
		    all.size()), 0, no_wait, nullptr);
	const stack9_thread td{has_.threads[0].tid, core_.info.pid,
	    core_.process->mark};
	if (runtimes_.go)
		stack9_coroutines(&td, nullptr, no_coroutine, nullptr);
	if (written_tasks tasks; runtimes_.python)
		find_tasks(core_.process->space(), tasks);
}

int
dumper::write_to(int fd) const
{
	const std::string all = small_core(has_, *core_.pages);
	for (std::size_t done = 0; done < all.size();) {
		const ssize_t n = ::write(fd, all.data() + done,
		    all.size() - done);
		if (n < 0 && errno != EINTR)
			return errno;
		done += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
	}
	return 0;
}

int
dumper::run(int fd)
{
	core_.pages->limit(std::max(least, has_.threads.size() * for_thread));
	contents loader = has_;
	list_files(*core_.process, loader);
	keep_dynamic();
	core_.pages->align(has_);
	keep_stacks();
	read_all();
	find_waits();
	const int error = write_to(fd);
	if (error == 0 && core_.pages->was_short())
		core_.notes.push_back("a dump has a megabyte for fifty threads "
		    "at most, and lacks what did not find room");
	core_.info.notes = static_cast<std::uint32_t>(core_.notes.size());
	return error;
}

} // namespace
} // namespace stack9::cores

extern "C" int
stack9_core_dump(struct stack9_core *core, int fd)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {core == nullptr, "core is NULL"},
	    {core != nullptr && core->pages == nullptr,
	    "core was opened without STACK9_CORE_KEEP"},
	    {fd < 0, "fd is negative"},
	    }); error != 0)
		return error;
	return public_call([&] {
		return cores::dumper(*core).run(fd);
	});
}
