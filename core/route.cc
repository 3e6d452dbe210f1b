// Chooses which routes are allowed, by STACK9_ROUTE and stack9_force(), and
// lists them.  The choice is a bit mask, so that readers need no lock.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "route.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "arguments.h"
#include "budgets/left_out.h"
#include "os/uncancelled.h"

namespace stack9 {

// The hottest path reads it; it is stored when the choice is made.
constinit std::atomic<own_route *> first_own{nullptr};

namespace {

constexpr const char *job_titles[] = {
	"own stack",
	"stack of a sibling thread",
	"kernel stack",
	"kernel stack of a running thread",
	"kernel stacks of many threads",
	"names of kernel addresses",
	"user stack",
	"user stack of a running thread",
	"user stacks of many threads",
	"waits of threads",
	"asynchronous captures",
	"stacks that lead to events",
};
static_assert(std::size(job_titles) == job_count, "each job has a title");

constinit std::atomic<std::uint64_t> allowed{~std::uint64_t{0}};

// The bits of all routes named so.
std::uint64_t
bits_of(std::string_view name) noexcept
{
	std::uint64_t bits = 0;
	all_routes().each_row([&](std::size_t, const auto &row) {
		for (unsigned int i = 0; i < row.count; i++)
			if (name == row.of[i]->name)
				bits |= row.bit(i);
		return 0;
	});
	return bits;
}

// Finds the mask that leaves only listed routes in each job that a listed route
// serves, and all routes in the other jobs.  ENOENT: no route has that name.
int
parse(std::string_view list, std::uint64_t &mask) noexcept
{
	std::uint64_t named = 0;
	while (!list.empty()) {
		const auto comma = std::min(list.find(','), list.size());
		const std::string_view name = list.substr(0, comma);
		list.remove_prefix(std::min(comma + 1, list.size()));
		const std::uint64_t bits = bits_of(name);
		if (bits == 0 && !name.empty())
			return ENOENT;
		named |= bits;
	}
	mask = 0;
	all_routes().each_row([&](std::size_t, const auto &row) {
		const std::uint64_t of_job = row.bit(row.count) - row.bit(0);
		mask |= (named & of_job) ? named & of_job : of_job;
		return 0;
	});
	return 0;
}

void
choose_own() noexcept
{
	own_route *const r = job_routes<job::self>().next();
	first_own.store(r != nullptr && r->can().error == 0 ? r : nullptr);
}

// Builds the table at load, so that a signal handler finds it.  Reads the
// environment by secure_getenv(), because a program with file capabilities does
// not let its caller choose.
__attribute__((constructor)) void
choose_at_load()
{
	all_routes();
	if (const char *list = secure_getenv("STACK9_ROUTE"))
		// An unknown name must not pass unseen: it allows nothing.
		if (stack9_force(list) != 0)
			allowed.store(0);
	choose_own();
}

} // namespace

std::uint64_t
allowed_routes() noexcept
{
	return allowed.load(std::memory_order_relaxed);
}

bool
is_refusal(int error) noexcept
{
	return error != 0 && error != EAGAIN && error != ESRCH &&
	    error != EINVAL && error != ENOENT;
}

void
refusal::add(int error, const char *reason, const char *route) noexcept
{
	const auto helps = [](int e) {
		return e == EPERM ? 3 : e == EOPNOTSUPP ? 1 : e == 0 ? 0 : 2;
	};
	if (helps(error) > helps(error_)) {
		error_ = error;
		reason_ = reason;
		route_ = route;
	}
}

int
refusal::report(stack_record &rec) const noexcept
{
	if (error_ == 0) {
		rec.why = STACK9_WHY_MACHINE;
		rec.reason = "this library has no route for it, or "
		    "STACK9_ROUTE allows none";
		return EOPNOTSUPP;
	}
	rec.why = error_ == EPERM ? STACK9_WHY_RIGHTS :
	    error_ == EOPNOTSUPP ? STACK9_WHY_MACHINE : STACK9_WHY_RESOURCE;
	rec.reason = reason_;
	rec.route = route_;
	return error_;
}

} // namespace stack9

extern "C" int
stack9_force(const char *list)
{
	using namespace stack9;
	std::uint64_t mask = 0;
	const int error = parse(list == nullptr ? "" : list, mask);
	if (error == 0) {
		allowed.store(mask);
		choose_own();
	}
	return error == 0 ? 0 : failed(error, "no route has this name: see "
	    "stackprint --check");
}

extern "C" int
stack9_routes(stack9_route_fn *fn, void *arg)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {fn == nullptr, has_no_fn},
	    }); error != 0)
		return error;
	const uncancelled guard;
	return all_routes().each_row([&](std::size_t j, const auto &row) {
		bool stops = false;
		for (unsigned int i = 0; i < row.count && !stops; i++) {
			const verdict v = row.of[i]->can();
			stops = fn(arg, job_titles[j], row.of[i]->name,
			    v.error, v.error == 0 ? row.of[i]->does :
			    v.reason) != 0;
		}
		return stops ? ECANCELED : 0;
	});
}

extern "C" int
stack9_pin(const char *dir)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {dir == nullptr, "dir is NULL"},
	    {dir != nullptr && *dir == '\0', "dir is empty"},
	    }); error != 0)
		return error;
	const uncancelled guard;
	int best = EOPNOTSUPP;
	for (const backend *b : backends)
		if (b->pin != nullptr && (best = b->pin(dir)) == 0)
			return 0;
	return failed(best);
}

extern "C" int
stack9_stats(stack9_stat_fn *fn, void *arg)
{
	using namespace stack9;
	if (fn == nullptr)
		return EINVAL;
	for (const backend *b : backends)
		if (b->counts != nullptr && b->counts(fn, arg) != 0)
			return ECANCELED;
	for (const auto &k : budgets::left_out_kinds) {
		const char *const end = k.what != budgets::left_out::readers ?
		    nullptr : budgets::last_end.load();
		if (fn(arg, k.name, how_many(k.what), end != nullptr ? end :
		    k.meaning) != 0)
			return ECANCELED;
	}
	return 0;
}
