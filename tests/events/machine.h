// Declares what the kernel of this machine has, for the tests of its events.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <set>
#include <string>

#include <boost/test/unit_test.hpp>

#include "found.h"

using labels = std::set<std::string>;

// Preconditions: the kernel has BTF; it has no kprobes.
boost::test_tools::assertion_result has_btf(boost::unit_test::test_unit_id);
boost::test_tools::assertion_result has_no_kprobes(
    boost::unit_test::test_unit_id);

bool tracefs_is_mounted();

// The names of the probes.
labels names(const found &);
