// Finds the calls of other libraries that a preloaded library replaces.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>

#include <dlfcn.h>

namespace stack9::preload {

// The call after ours in the order of the loader's search: the one that the
// program would call without this library.  It is found when the library is
// loaded, or at the first use if that is earlier.  nullptr: there is none.
template <class Function>
class next_call {
public:
	constexpr explicit next_call(const char *name) noexcept : name_(name) {}

	Function *
	get() noexcept
	{
		Function *const f = found_.load(std::memory_order_relaxed);
		return f != nullptr ? f : find();
	}

	[[gnu::noinline]] Function *
	find() noexcept
	{
		auto *const f = reinterpret_cast<Function *>(
		    dlsym(RTLD_NEXT, name_));
		found_.store(f, std::memory_order_relaxed);
		return f;
	}

private:
	const char		*const name_;
	std::atomic<Function *>	 found_{nullptr};
};

} // namespace stack9::preload
