// Declares threads to look at, a record with room, and glibc's view of a stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <functional>
#include <string>
#include <thread>

#include "core/seam/backend.h"

#include "lib/process.h"
#include "victim.h"

namespace stack9 {
extern const backend backend_self;
}

#if defined(__SANITIZE_THREAD__)
#define	TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define	TSAN 1
#endif
#endif
#ifndef TSAN
#define	TSAN 0
#endif

// TSan holds asynchronous signals back until the thread calls into it.
inline constexpr bool signals_arrive = TSAN == 0;

// A route of job::self or job::sibling.
class any_route {
public:
	any_route(stack9::own_route &r) : own_(&r) {}
	any_route(stack9::sibling_route &r) : sibling_(&r) {}

	const char *name() const;
	stack9::verdict can() const;
	int save(const stack9_thread &, stack9::stack_record &,
	    const stack9::origin &) const;

private:
	stack9::own_route	*own_ = nullptr;
	stack9::sibling_route	*sibling_ = nullptr;
};

any_route route_named(const std::string &name);
std::span<stack9::own_route *const> own_routes();

struct capture {
	explicit capture(std::uint32_t max = 256);

	int save(any_route, const stack9_thread &,
	    std::uintptr_t first_pc = 0);
	std::vector<std::uintptr_t> frames() const;

	std::vector<std::uintptr_t>	room;
	stack9::stack_record			rec{};
};

// The frames after first: empty if it is not among them.
std::vector<std::uintptr_t> behind(const std::vector<std::uintptr_t> &frames,
    std::uintptr_t first);

std::string hex(const std::vector<std::uintptr_t> &frames);

// Ends and joins by itself.
class victim {
public:
	using way = void (*)(orders &);

	explicit victim(way, deed, std::size_t ballast = 0);
	explicit victim(std::function<void(orders &)>, deed = deed::read);
	~victim();

	void release();
	void await_sleep() const;	// as /proc says
	stack9_thread thread() const { return {tid_, 0, 0}; }

	orders			 order;

private:
	std::atomic<pid_t>	 tid_{0};
	std::thread		 thread_;
};

using lib::state_of;
