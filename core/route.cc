// The table of routes: sorted once by job and rank; forcing is a bit mask, so
// that readers need no lock.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "route.h"

#include "async_retry.h"
#include "core/seam/names.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <string_view>

#include "os/linux/uncancelled.h"

namespace stack9 {

// Of the hottest path: found when the choice is made.
constinit std::atomic<route *> first_own{nullptr};

namespace {

constexpr unsigned int max_routes = 8;	// of one job

constexpr const char *job_names[job_count] = {
	"own stack",
	"stack of a sibling thread",
	"kernel stack",
	"kernel stack of a running thread",
	"kernel stacks of many threads",
	"names of kernel addresses",
	"user stack",
	"user stack of a running thread",
	"user stacks of many threads",
	"asynchronous captures",
	"stacks that lead to events",
};

struct route_table {
	std::array<std::array<route *, max_routes>, job_count> of{};
	std::array<unsigned int, job_count> count{};
	// Of the mask of those that are allowed; there are 24 routes, and 64
	// bits.
	std::array<unsigned int, job_count> first_bit{};

	route_table() noexcept
	{
		for (const backend *b : backends)
			for (route *r : b->routes)
				add(r);
		add(&table_route());
		add(&retry_route());
		for (auto &list : of)
			std::stable_sort(list.begin(), list.begin() +
			    count[static_cast<std::size_t>(&list - &of[0])],
			    [](const route *a, const route *b) {
				    return a->rank < b->rank;
			    });
		for (std::size_t j = 1; j < job_count; j++)
			first_bit[j] = first_bit[j - 1] + count[j - 1];
	}

private:
	void
	add(route *r) noexcept
	{
		const auto j = static_cast<std::size_t>(r->what);
		if (count[j] < max_routes)
			of[j][count[j]++] = r;
	}
};

std::atomic<std::uint64_t> allowed{~std::uint64_t{0}};

const route_table &
table() noexcept
{
	static const route_table built;
	return built;
}

std::uint64_t
bit(std::size_t j, unsigned int i) noexcept
{
	return std::uint64_t{1} << (table().first_bit[j] + i);
}

// The mask that leaves, in each job that a listed route serves, only listed
// ones.  ENOENT for a name that no route has.
int
parse(std::string_view list, std::uint64_t &mask) noexcept
{
	std::uint64_t named = 0;
	while (!list.empty()) {
		const auto comma = std::min(list.find(','), list.size());
		const std::string_view name = list.substr(0, comma);
		list.remove_prefix(std::min(comma + 1, list.size()));
		bool known = name.empty();
		for (std::size_t j = 0; j < job_count; j++)
			for (unsigned int i = 0; i < table().count[j]; i++)
				if (name == table().of[j][i]->name) {
					named |= bit(j, i);
					known = true;
				}
		if (!known)
			return ENOENT;
	}
	mask = 0;
	for (std::size_t j = 0; j < job_count; j++) {
		const std::uint64_t job_bits = bit(j, table().count[j]) -
		    bit(j, 0);
		mask |= (named & job_bits) ? named & job_bits : job_bits;
	}
	return 0;
}

void
choose_own() noexcept
{
	route *const r = job_routes(job::self).next();
	first_own.store(r != nullptr && r->can().error == 0 ? r : nullptr);
}

// At load, so that a signal handler finds the table built.  secure_getenv():
// a program with file capabilities does not let its caller choose.
__attribute__((constructor)) void
at_load()
{
	table();
	if (const char *list = secure_getenv("STACK9_ROUTE"))
		// An unknown name must not pass unseen: it allows nothing.
		if (stack9_force(list) != 0)
			allowed.store(0);
	choose_own();
}

} // namespace

job_routes::job_routes(job what) noexcept
    : what_(what), mask_(allowed.load(std::memory_order_relaxed))
{
}

route *
job_routes::next() noexcept
{
	const auto j = static_cast<std::size_t>(what_);
	while (at_ < table().count[j]) {
		const unsigned int i = at_++;
		if (mask_ & bit(j, i))
			return table().of[j][i];
	}
	return nullptr;
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
refusal::report(stack9_record &rec) const noexcept
{
	if (error_ == 0) {
		rec.why = STACK9_WHY_MACHINE;
		rec.reason = "no route is allowed: see STACK9_ROUTE";
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
	return error;
}

extern "C" int
stack9_routes(stack9_route_fn *fn, void *arg)
{
	using namespace stack9;
	if (fn == nullptr)
		return EINVAL;
	const uncancelled guard;
	for (std::size_t j = 0; j < job_count; j++)
		for (unsigned int i = 0; i < table().count[j]; i++) {
			route *r = table().of[j][i];
			const verdict v = r->can();
			const int stop = fn(arg, job_names[j], r->name, v.error,
			    v.error == 0 ? r->does : v.reason);
			if (stop != 0)
				return stop;
		}
	return 0;
}

extern "C" int
stack9_pin(const char *dir)
{
	using namespace stack9;
	if (dir == nullptr || *dir == '\0')
		return EINVAL;
	const uncancelled guard;
	int best = EOPNOTSUPP;
	for (const backend *b : backends)
		if (b->pin != nullptr && (best = b->pin(dir)) == 0)
			return 0;
	return best;
}

extern "C" int
stack9_counts(stack9_count_fn *fn, void *arg)
{
	using namespace stack9;
	if (fn == nullptr)
		return EINVAL;
	for (const backend *b : backends) {
		const int stop = b->counts != nullptr ? b->counts(fn, arg) : 0;
		if (stop != 0)
			return stop;
	}
	return 0;
}
