// Does one thing after the other that threads do, at random.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "ledger.h"

namespace soak {

using dice = std::minstd_rand;

inline unsigned int
below(dice &d, unsigned int n)
{
	return static_cast<unsigned int>(d() >> 4) % n;
}

// As many short times as long ones.
std::uint64_t some_time(dice &, std::uint64_t longest);

class actions {
public:
	actions(ledger &l, int number, unsigned int seed);

	void	do_one();

private:
	using action = void (actions::*)();

	bool	may_take(const object &) const;
	void	take_locks();
	void	hold();
	void	wait_unowned();
	void	wait_for_event(int, object &);
	void	read_end();
	void	join();
	void	wait_for_child();
	std::uintptr_t	bad_word();

	ledger		&l_;
	actor		&a_;
	int		 number_;
	dice		 d_;
	bool		 first_ = true;	// of its process
	std::vector<int> fds_;
};

} // namespace soak
