// Defines a backend: its routes, listed by job.  To add a backend, copy
// backends/null/; the build finds the folder by itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <span>

#include "routes.h"

namespace stack9 {

template <class Route> using route_list = std::span<Route *const>;

// The list that names a route decides its job.  A route of another job's class
// does not compile there.  backends/CMakeLists.txt makes the table of backends.
struct backend {
	const char			*name;
	route_list<own_route>		 self{};
	route_list<sibling_route>	 sibling{};
	route_list<kernel_route>	 kernel{};
	route_list<running_route>	 running{};
	route_list<pass_route>		 each{};
	route_list<name_route>		 names{};
	route_list<user_route>		 user{};
	route_list<user_running_route>	 user_running{};
	route_list<user_pass_route>	 user_each{};
	route_list<wait_route>		 waits{};
	route_list<async_route>		 async{};
	route_list<event_route>		 events{};
	// stack9_pin(): keeps in dir what makes the next start faster.  NULL:
	// the backend has nothing to keep.
	int			 (*pin)(const char *dir) noexcept = nullptr;
	// stack9_stats(): gives what the backend has counted.  NULL: nothing.
	int			 (*counts)(stack9_stat_fn *, void *arg)
				     noexcept = nullptr;
};
extern const std::span<const backend *const> backends;

// Each job has one interface and one list.  A job without both does not
// compile.
template <class Route, route_list<Route> backend::*List>
struct job_traits {
	using interface = Route;
	static constexpr route_list<Route> backend::*list = List;
};
template <job J> struct traits_of;
template <> struct traits_of<job::self>
    : job_traits<own_route, &backend::self> {};
template <> struct traits_of<job::sibling>
    : job_traits<sibling_route, &backend::sibling> {};
template <> struct traits_of<job::kernel>
    : job_traits<kernel_route, &backend::kernel> {};
template <> struct traits_of<job::running>
    : job_traits<running_route, &backend::running> {};
template <> struct traits_of<job::each>
    : job_traits<pass_route, &backend::each> {};
template <> struct traits_of<job::name>
    : job_traits<name_route, &backend::names> {};
template <> struct traits_of<job::user>
    : job_traits<user_route, &backend::user> {};
template <> struct traits_of<job::user_running>
    : job_traits<user_running_route, &backend::user_running> {};
template <> struct traits_of<job::user_each>
    : job_traits<user_pass_route, &backend::user_each> {};
template <> struct traits_of<job::wait>
    : job_traits<wait_route, &backend::waits> {};
template <> struct traits_of<job::async>
    : job_traits<async_route, &backend::async> {};
template <> struct traits_of<job::events>
    : job_traits<event_route, &backend::events> {};

template <job J> using interface_of = typename traits_of<J>::interface;

template <job J>
constexpr route_list<interface_of<J>>
routes_of(const backend &b) noexcept
{
	return b.*traits_of<J>::list;
}

} // namespace stack9
