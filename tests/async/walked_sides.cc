// Takes user sides as they come from events, and counts those that were walked.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "walked_sides.h"

#include <string_view>

#include "core_calls.h"
#include "puppets.h"
#include "watched.h"

ways
ways::now()
{
	ways all;
	stack9_stats([](void *arg, const char *name, std::uint64_t value,
	    const char *) {
		auto &to = *static_cast<ways *>(arg);
		if (std::string_view(name) == "async-walked")
			to.walked = value;
		if (std::string_view(name) == "async-captured")
			to.copied = value;
		return 0;
	}, &all);
	return all;
}

namespace {

side
collect_now(stack9_id id)
{
	std::uintptr_t pcs[512];
	stack9::stack_record rec{};
	stack9::unique_space opened;
	rec.pcs = pcs;
	rec.max = 512;
	const int error = stack9::async_collect(id, nullptr, &rec, &opened);
	return {{pcs, pcs + rec.depth}, opened == nullptr ?
	    std::vector<std::string>() : names_in(opened.get(), rec),
	    rec.flags, error == 0 && rec.why == STACK9_WHY_NONE};
}

} // namespace

void
take_until(const std::function<bool()> &enough,
    const std::function<void(const side &)> &see)
{
	do
		for (const stack9::arrival &r : stream::take_many(1)) {
			if (r.id == 0)
				continue;
			see(collect_now(r.id));
			core::release(r.id);
		}
	while (!enough());
}

void
forget_all()
{
	for (const stack9::arrival &r : stream::take())
		core::release(r.id);
}

bool
have_walked(const ways &before, std::uint64_t n)
{
	return ways::now().walked >= before.walked + n;
}

namespace {

// "": this kernel and this CPU walk.  The rules of the first copies are then
// published.
std::string
no_walks()
{
	puppets p;
	p.run(puppets::call);
	const ways before = ways::now();
	watched w({calls, p.pid(), p.tid(), STACK9_USER, 0});
	for (int seen = 0; seen < 5000 && !have_walked(before, 1);)
		take_until([] { return true; }, [&](const side &) { seen++; });
	w.end();
	p.go_on();
	p.settle();
	forget_all();
	return have_walked(before, 1) ? "" : "events walk no stacks here";
}

} // namespace

boost::unit_test::decorator::precondition
walks()
{
	return needs("async-walks", [] {
		static const std::string lack = no_walks();
		return lack;
	});
}
