// Finds the goroutines and tasks of a process that run on no thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9_coroutines.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "api/save.h"
#include "arch/cpu.h"
#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "core/arguments.h"
#include "core/seam/kept_process.h"
#include "os/clocks.h"
#include "os/open_task.h"
#include "os/refusals.h"
#include "process/maps.h"

#include "delivery.h"
#include "go_runtime.h"
#include "memory.h"
#include "parked.h"
#include "tasks.h"

namespace stack9::coroutines {
namespace {

// So many addresses are read at a time, and so much of stacks.
constexpr std::size_t listed_at_once = 1024;
constexpr std::uint64_t copied_at_once = 16 * budgets::MiB;

std::int64_t
last_moment() noexcept
{
	return monotonic_ns() + static_cast<std::int64_t>(std::min<
	    std::uint64_t>(budgets::of(budgets::goroutine_ns), INT64_MAX / 2));
}

constexpr const char *unreadable = "memory that its runtime may be in cannot "
    "be read just now";

class pass {
public:
	pass(const stack9_thread &process, stack9_space *s, delivery &to)
	    : process_(process), space_(s), to_(to),
	      kept_(kept_process_of(process.start)), memory_(process),
	      runtime_(memory_), end_(last_moment()) {}

	int run();

private:
	int read_maps();
	bool has_ended() const;
	int find_space();
	int each();
	void read_parked(std::span<const std::uint64_t>);
	int copy_and_take();

	const stack9_thread	 process_;
	stack9_space		*const space_;	// the caller's, or NULL
	delivery		&to_;
	kept_process		*const kept_;	// of a core; or NULL
	memory			 memory_;
	go_runtime		 runtime_;
	const std::int64_t	 end_;
	unique_fd		 task_;
	std::vector<parked>	 found_;
	std::unordered_set<std::uint64_t> ids_;
};

int
pass::read_maps()
{
	byte_buffer text;
	if (kept_ != nullptr) {
		kept_->each_line([this](const process::maps_line &l) {
			memory_.add(l);
		});
		return 0;
	}
	int error = open_task(process_.pid, process_.start, task_);
	if (error == 0)
		error = process::read_maps(task_.get(), text);
	if (error != 0)
		return no_maps(error);
	std::string_view rest(reinterpret_cast<const char *>(text.data()),
	    text.size());
	process::maps_line l;
	while (process::next_line(rest, l))
		memory_.add(l);
	return 0;
}

// A core's process does not change any more.
bool
pass::has_ended() const
{
	std::uint64_t start;
	return kept_ == nullptr && start_of(task_.get(), start) != 0;
}

int
pass::find_space()
{
	unique_space space;
	if (const int error = space_to_read(process_, space_, space);
	    error != 0)
		return error;
	to_.use(std::move(space));
	return 0;
}

int
pass::run()
{
	if (unwind::elf_machine != EM_X86_64)
		return failed(EOPNOTSUPP, "goroutines are known on x86-64 "
		    "only");
	if (const int error = read_maps(); error != 0)
		return error;
	if (const int error = memory_.probe(); error != 0)
		return error;
	if (!runtime_.find())
		return has_ended() ? ESRCH :
		    memory_.has_failed() ? failed(EIO, unreadable) :
		    failed(ENOENT, "it has no runtime that is known, such as "
		    "Go's");
	if (const int error = find_space(); error != 0)
		return error;
	const int error = each();
	return error != 0 ? error : has_ended() ? ESRCH : 0;
}

// The time is for a process that pretends to have many goroutines with large
// stacks; real ones take far less.
int
pass::each()
{
	std::uint64_t count = runtime_.count();
	bool left_out = budgets::exceeds(count, budgets::goroutines);
	if (left_out)
		count = budgets::of(budgets::goroutines);
	std::vector<std::uint64_t> at(listed_at_once);
	for (std::uint64_t n = 0; n < count && found_.empty(); n += at.size()) {
		const std::size_t got = runtime_.list(n, std::span(at).first(
		    std::min<std::uint64_t>(at.size(), count - n)));
		if (got == 0)
			return has_ended() ? ESRCH : failed(EIO, unreadable);
		read_parked(std::span(at).first(got));
		while (!found_.empty() && monotonic_ns() < end_)
			if (const int stop = copy_and_take(); stop != 0)
				return stop;
		left_out |= !found_.empty();
	}
	if (left_out)
		leave_out(budgets::left_out::coroutines);
	return to_.finish();
}

// An id that comes twice is nobody's: the list has changed meanwhile.
void
pass::read_parked(std::span<const std::uint64_t> at)
{
	std::vector<parked> all;
	std::vector<wanted> places;
	for (const std::uint64_t a : at)
		if (a != 0)
			all.push_back({a, {}, {}, {}});
	for (parked &p : all)
		places.push_back({p.at, p.g.bytes.data(), goroutine::size});
	for (std::size_t i = 0; i < all.size(); i++) {
		const std::size_t got = memory_.read_all(
		    std::span(places).subspan(i));
		for (const std::size_t end = i + got; i < end; i++)
			if (all[i].g.may_be_at(all[i].at) &&
			    runtime_.at().is_parked(all[i].g) &&
			    ids_.insert(runtime_.at().id(all[i].g)).second)
				found_.push_back(all[i]);
	}
}

// Takes some from the end of those that were found.
int
pass::copy_and_take()
{
	std::vector<parked> some;
	for (std::uint64_t bytes = 0; !found_.empty();) {
		const goroutine &g = found_.back().g;
		bytes += g.has_stack() ? g.high() - g.sp() : 0;
		if (!some.empty() && bytes > copied_at_once)
			break;
		some.push_back(found_.back());
		found_.pop_back();
	}
	copy_stacks(memory_, runtime_, some);
	for (const parked &p : some)
		if (p.how != parked::outcome::gone)
			if (const int stop = to_.take(p,
			    runtime_.at().id(p.g), runtime_.state(p.g),
			    runtime_.at().state(p.g) == status::waiting);
			    stop != 0)
				return stop;
	return 0;
}

// Finds both, and says ENOENT only if there is neither.
class finder {
public:
	finder(const stack9_save_options &o, stack9_coroutine_fn *fn, void *arg)
	    noexcept : options_(o), fn_(fn), arg_(arg) {}

	int run(const stack9_thread &process, const thread_stat &);

private:
	int find_tasks(const stack9_thread &process, const thread_stat &);

	const stack9_save_options &options_;
	stack9_coroutine_fn	*const fn_;
	void			*const arg_;
};

int
finder::find_tasks(const stack9_thread &process, const thread_stat &stat)
{
	unique_space space;
	if (const int error = space_to_read(process, options_.space, space);
	    error != 0)
		return error;
	return deliver_tasks(process, stat, std::move(space), options_.frames,
	    fn_, arg_);
}

int
finder::run(const stack9_thread &process, const thread_stat &stat)
{
	const auto to = std::make_unique<delivery>(process, stat,
	    options_.frames, fn_, arg_);
	const int error = pass(process, options_.space, *to).run();
	if ((options_.flags & STACK9_SAVE_LANGUAGES) == 0 || (error != 0 &&
	    error != ENOENT && error != EOPNOTSUPP))
		return error;
	const int other = find_tasks(process, stat);
	return other == ENOENT ? error : other;
}

int
find(const stack9_thread &td, const stack9_save_options &o,
    stack9_coroutine_fn *fn, void *arg)
{
	stack9_thread now{};
	thread_stat stat{};
	finder by(o, fn, arg);
	if (kept_process *const k = kept_process_of(td.start)) {
		copy_name(stat.comm, k->comm());
		return by.run(td, stat);
	}
	if (const int error = find_thread(td.pid, now, stat); error != 0)
		return error;
	if (now.pid != td.pid || (td.tid == td.pid && td.start != 0 &&
	    td.start != now.start))
		return ESRCH;
	return by.run(now, stat);
}

} // namespace
} // namespace stack9::coroutines

extern "C" int
stack9_coroutines(const struct stack9_thread *td,
    const struct stack9_save_options *options, stack9_coroutine_fn *fn,
    void *arg)
{
	using namespace stack9;
	stack9_save_options o;
	const char *const wrong = read_save_options(options, o);
	if (const int error = check_arguments({
	    {td == nullptr, has_no_td},
	    {td != nullptr && td->pid < 1, has_no_pid},
	    {fn == nullptr, has_no_fn},
	    {wrong != nullptr, wrong},
	    }); error != 0)
		return error;
	return public_call([&] {
		return coroutines::find(*td, o, fn, arg);
	});
}
