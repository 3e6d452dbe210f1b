// Defines the places that a program can be attached to.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace stack9::events {

enum class probe_kind : std::uint8_t {
	tracepoint,	// name: of a raw tracepoint
	syscall,	// number; returns: when it is over
	kernel,		// name, offset: a function of the kernel
	user,		// path, offset in the file; name: for the label
	usdt,		// as user, and provider
	software,	// config: PERF_COUNT_SW_*; period or frequency
	off_cpu,
	trigger,	// programs of others ask; path: of their pins, or ""
	last = trigger
};

// One place to attach to.
struct probe {
	probe_kind	kind = probe_kind::tracepoint;
	std::string	label;		// an event's name that finds only it
	std::string	name, path, provider;
	std::uint64_t	offset = 0;
	std::uint64_t	semaphore = 0;	// usdt: offset in the file; 0: none
	int		number = -1;
	bool		returns = false;
	// software: PERF_COUNT_SW_*; syscall: the number of the tracepoint that
	// call_event() is to use
	std::uint64_t	config = 0;
	std::uint64_t	period = 0;	// events, or Hz:
	bool		frequency = false;
};

inline constexpr std::size_t most_probes = 1024;

} // namespace stack9::events
