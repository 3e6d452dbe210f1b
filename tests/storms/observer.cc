// Counts what a user saw of a program that has root's rights at times.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "observer.h"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

namespace {

// The program has root's rights in a function between these addresses.
constexpr std::uint64_t root_begins = PRIVILEGED, root_ends = root_begins +
    0x1000;

} // namespace

bool
is_expected(int error)
{
	return error == 0 || error == EPERM || error == ESRCH ||
	    error == EAGAIN || error == EACCES;
}

void
observer::note(int error, const stack9_sample *s)
{
	ends_[error]++;
	if (!is_expected(error))
		fault(fmt::format("error {}", error));
	if (s == nullptr || s->user == nullptr)
		return;
	const stack9_stack &u = *s->user;
	if ((u.error == 0) != (u.depth > 0))
		fault("frames with an error, or none without");
	if (u.error != 0 && u.why == STACK9_WHY_NONE)
		fault(fmt::format("no reason for {}", u.error));
	for (std::uint32_t i = 0; i < u.depth; i++)
		if (u.pcs[i] >= root_begins && u.pcs[i] < root_ends) {
			of_root_++;
			if (!may_see_root_)
				fault("a frame of the privileged "
				    "program by " + std::string(
				    u.route));
			break;
		}
}

void
observer::fault(const std::string &what)
{
	if (faults_++ < 5)
		fmt::print(stderr, "    {}\n", what);
}

long
observer::times(int error) const
{
	const auto at = ends_.find(error);
	return at == ends_.end() ? 0 : at->second;
}

bool
observer::tell(const char *who) const
{
	std::string text;
	for (const auto &[error, n] : ends_)
		text += fmt::format(" {} {}", n, error == 0 ? "whole" :
		    strerrorname_np(error));
	fmt::print("    {}:{}, {} with root's rights\n", who, text,
	    of_root_);
	return faults_ == 0;
}
