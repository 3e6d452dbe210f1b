// Names the descriptors of threads as /proc does.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <sys/stat.h>
#include <sys/types.h>

namespace stack9::waits {

// The link of /proc/TID/fd/N; "" if it cannot be read.
std::string descriptor_name(pid_t tid, int fd);
// The file itself.  False: it cannot be read.
bool descriptor_file(pid_t tid, int fd, struct stat &);

} // namespace stack9::waits
