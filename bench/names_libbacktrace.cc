// Names addresses by libbacktrace, if the compiler brings it along.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names_peers.h"

#include <cstring>

#include <backtrace.h>

namespace {

void
ignore(void *, const char *, int)
{
}

class by_libbacktrace final : public namer {
public:
	bool
	open() override
	{
		state_ = backtrace_create_state(nullptr, 0, ignore, nullptr);
		return state_ != nullptr;
	}

	std::size_t
	name_length(std::uintptr_t pc) override
	{
		const char *found = nullptr;
		backtrace_syminfo(state_, pc - 1, [](void *arg, uintptr_t,
		    const char *symbol, uintptr_t, uintptr_t) {
			*static_cast<const char **>(arg) = symbol;
		}, ignore, &found);
		return found == nullptr ? 0 : std::strlen(found);
	}

	unsigned
	line(std::uintptr_t pc) override
	{
		unsigned found = 0;
		backtrace_pcinfo(state_, pc - 1, [](void *arg, uintptr_t,
		    const char *, int number, const char *) {
			*static_cast<unsigned *>(arg) =
			    static_cast<unsigned>(number);
			return 0;
		}, ignore, &found);
		return found;
	}

private:
	backtrace_state	*state_ = nullptr;
};

} // namespace

std::unique_ptr<namer>
make_libbacktrace()
{
	return std::make_unique<by_libbacktrace>();
}
