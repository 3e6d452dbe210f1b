// Declares where passwords and tokens come from.  Everybody may read the
// arguments of a process, for as long as it runs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "address.h"

namespace servers {

struct secrets {
	std::string	token, password;	// "": none
};

// Reads STACK9_TOKEN and STACK9_PASSWORD, or the files that STACK9_TOKEN_FILE
// and STACK9_PASSWORD_FILE name.  Returns "" or what is wrong with a file.
std::string read_secrets(secrets &);

// Says what others may read of the secrets that are sent to this server; "" if
// they may not.
std::string exposed_secrets(const address &);

} // namespace servers
