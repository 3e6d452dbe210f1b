// Declares the scripted machine's routes to user stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fake_backend.h"

namespace fake {

// Holds the members that the three kinds of copying routes share.
template <class Interface>
class scripted_copies : public Interface {
public:
	constexpr scripted_copies(const char *n, int r,
	    stack9::verdict machine::*v)
	    : Interface(n, "answers from a script", r), verdict_(v) {}

	stack9::verdict can() noexcept override { return now.*verdict_; }
	bool both_sides() const noexcept override { return now.both; }
	bool stops() const noexcept override { return false; }
	int extend_copy(const stack9_thread &, stack9::user_copy &,
	    std::uint64_t wanted) noexcept override;

protected:
	~scripted_copies() = default;

private:
	stack9::verdict	machine::*verdict_;
};

class user_route final : public scripted_copies<stack9::user_route> {
public:
	using scripted_copies::scripted_copies;
	bool stops() const noexcept override;
	int copy(const stack9_thread &, stack9::sides &, stack9::lead &)
	    noexcept override;
};

class user_running_route final
    : public scripted_copies<stack9::user_running_route> {
public:
	using scripted_copies::scripted_copies;
	int copy(const stack9_thread &, stack9::sides &, const stack9::lead &)
	    noexcept override;
};

class user_pass_route final : public scripted_copies<stack9::user_pass_route> {
public:
	using scripted_copies::scripted_copies;
	int each_copy(pid_t, bool kernel, stack9::sides_sink, void *arg)
	    noexcept override;
};

extern user_route user_first, user_second;
extern user_running_route user_running;
extern user_pass_route user_each, user_all;

} // namespace fake
