// Says in words by which signal a process ended, and why it came.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "end.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iterator>

#include "crash/crash.h"

namespace stack9::cores {
namespace {

// Signals beside those of a crash that end a process with a core.
std::string
name_of(int signal)
{
	switch (signal) {
	case SIGQUIT:
		return "SIGQUIT";
	case SIGXCPU:
		return "SIGXCPU";
	case SIGXFSZ:
		return "SIGXFSZ";
	}
	const std::string name = crash::signal_name(signal);
	return name == "signal" ? name + ' ' + std::to_string(signal) : name;
}

} // namespace

bool
ends_with_core(int signal) noexcept
{
	constexpr int all[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS,
	    SIGFPE, SIGSEGV, SIGXCPU, SIGXFSZ, SIGSYS};
	return std::find(std::begin(all), std::end(all), signal) !=
	    std::end(all);
}

std::string
end_of(const facts &f, int signal)
{
	if (signal == 0)
		return {};
	std::string text = name_of(signal);
	if (f.has_siginfo == 0 || f.signal == 0)
		return text;
	siginfo_t info{};
	info.si_signo = f.signal;
	info.si_code = f.code;
	text += std::string(": ") + crash::reason_of(info);
	char number[32] = "";
	if (f.has_address != 0)
		std::snprintf(number, sizeof number, " 0x%llx",
		    static_cast<unsigned long long>(f.address));
	else if (f.has_sender != 0)
		std::snprintf(number, sizeof number, " %d", f.sender);
	return text + number;
}

} // namespace stack9::cores
