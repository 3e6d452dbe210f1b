// Tests the table of rights with settings that change the process alone.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <fstream>
#include <string>

#include <boost/test/unit_test.hpp>

#include "record.h"
#include "require.h"

namespace {

// The recorded words depend on these, where machines may differ.
std::string
not_as_recorded()
{
	const auto value = [](const char *path) {
		std::ifstream file(path);
		std::string all;
		std::getline(file, all);
		return all;
	};
	if (value("/proc/sys/kernel/kptr_restrict") != "0")
		return "kernel.kptr_restrict is not 0";
	const std::string yama = value("/proc/sys/kernel/yama/ptrace_scope");
	if (!yama.empty() && yama != "0")
		return "kernel.yama.ptrace_scope is not 0";
	if (value("/sys/kernel/security/lockdown").find("[confidentiality]") !=
	    std::string::npos)
		return "the kernel is locked down";
	return {};
}

} // namespace

BOOST_AUTO_TEST_CASE(as_recorded, *needs("root") * needs("bpf")
    * needs("ptrace") * boost::unit_test::description(
    "each right and surrounding gives what tests/rights/expected says, in "
    "these words"))
{
	if (const std::string why = not_as_recorded(); !why.empty()) {
		BOOST_TEST_MESSAGE("not compared: " << why);
		return;
	}
	compare_with_record(settings_of_processes());
}
