// Copies stacks, many by one system call: first the record of the goroutine,
// then its stack, then both again, and the record once more.  The kernel copies
// in this order, so that the reads of one goroutine are a microsecond apart.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "parked.h"

#include <algorithm>
#include <array>
#include <utility>

#include "budgets/budgets.h"
#include "budgets/left_out.h"

namespace stack9::coroutines {
namespace {

using outcome = parked::outcome;

// Larger stacks are copied once.
constexpr std::size_t twice_max = 64 * budgets::KiB;
constexpr std::size_t bytes_at_once = 1 * budgets::MiB;
constexpr int tries_max = 8;

// All that is read of one goroutine.
struct trial {
	parked			*of;
	std::array<goroutine, 3> g{};
	std::vector<std::byte>	first{}, second{};

	// False: no stack can be there.
	bool begin(const memory &, parked &);
	void put(std::vector<wanted> &);
	bool is_whole() const noexcept;

	std::size_t size() const noexcept { return first.size(); }
	bool is_twice() const noexcept { return !second.empty(); }
};

bool
trial::begin(const memory &m, parked &p)
{
	const std::uint64_t used = p.g.high() - p.g.sp();
	of = &p;
	p.how = !p.g.has_stack() || !m.is_code(p.g.pc()) ? outcome::unreadable :
	    budgets::exceeds(used, budgets::stack_copy) ? outcome::left_out :
	    outcome::ran;
	if (p.how != outcome::ran)
		return false;
	first.resize(used);
	second.resize(used <= twice_max ? used : 0);
	return true;
}

void
trial::put(std::vector<wanted> &to)
{
	const std::uint64_t at = of->at, sp = of->g.sp();
	to.push_back({at, &g[0].bytes, goroutine::size});
	to.push_back({sp, first.data(), first.size()});
	to.push_back({at, &g[1].bytes, goroutine::size});
	if (is_twice())
		to.push_back({sp, second.data(), second.size()});
	to.push_back({at, &g[2].bytes, goroutine::size});
}

// The range was chosen by an earlier record.
bool
trial::is_whole() const noexcept
{
	return g[0] == g[1] && g[1] == g[2] && g[0].sp() == of->g.sp() &&
	    g[0].high() == of->g.high() && (!is_twice() || first == second);
}

class copier {
public:
	copier(const memory &m, const go_runtime &r) noexcept
	    : memory_(m), runtime_(r) {}

	void add(parked &);
	void flush();
	void try_again(parked &);

private:
	void take(trial &);

	const memory		&memory_;
	const go_runtime	&runtime_;
	std::vector<trial>	trials_;
	std::size_t		bytes_ = 0;
};

void
copier::add(parked &p)
{
	constexpr std::size_t places = 5;
	trial t;
	if (!t.begin(memory_, p))
		return;
	if (trials_.size() == memory::at_once / places ||
	    bytes_ + t.size() > bytes_at_once)
		flush();
	bytes_ += t.size();
	trials_.push_back(std::move(t));
}

void
copier::take(trial &t)
{
	parked &p = *t.of;
	const bool whole = t.is_whole() && runtime_.at().is_parked(t.g[0]);
	p.g = t.g[2];
	if (!whole)
		return;
	p.how = outcome::copied;
	p.stack = std::move(t.first);
}

// One that cannot be read ends the system call, and the others are read by the
// next one.
void
copier::flush()
{
	std::vector<wanted> all;
	std::size_t begun = 0;
	while (begun < trials_.size()) {
		all.clear();
		std::vector<std::size_t> ends;
		for (std::size_t i = begun; i < trials_.size(); i++) {
			trials_[i].put(all);
			ends.push_back(all.size());
		}
		const std::size_t done = memory_.read_all(all);
		std::size_t whole = 0;
		while (whole < ends.size() && ends[whole] <= done)
			take(trials_[begun + whole++]);
		begun += whole;
		if (begun < trials_.size())
			trials_[begun++].of->how = outcome::unreadable;
	}
	trials_.clear();
	bytes_ = 0;
}

void
copier::try_again(parked &p)
{
	for (int n = 1; n < tries_max && p.how != outcome::copied; n++) {
		if (!memory_.read(p.at, p.g.bytes.data(), goroutine::size) ||
		    !p.g.may_be_at(p.at) || runtime_.at().is_dead(p.g)) {
			p.how = outcome::gone;
			return;
		}
		p.how = outcome::ran;
		if (runtime_.at().is_parked(p.g)) {
			add(p);
			flush();
		}
	}
}

} // namespace

void
copy_stacks(const memory &m, const go_runtime &r, std::vector<parked> &all)
{
	copier c(m, r);
	for (parked &p : all)
		c.add(p);
	c.flush();
	for (parked &p : all)
		if (p.how == outcome::left_out)
			leave_out(budgets::left_out::stacks);
		else if (p.how != outcome::copied)
			c.try_again(p);
}

} // namespace stack9::coroutines
