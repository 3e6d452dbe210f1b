// Declares a bpffs to pin programs in.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

// A folder of a bpffs that only this process and its children see; it ends with
// them.  "": there can be none, and why says why.
std::string private_bpffs(std::string &why);
