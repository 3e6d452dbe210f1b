// Probes the returns of a function of a program, as tracers do (uretprobe).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/unique_fd.h"

class return_probe {
public:
	return_probe(pid_t pid, const std::string &program,
	    const std::string &function)
	{
		perf_event_attr a{};
		std::ifstream type("/sys/bus/event_source/devices/uprobe/type");
		type >> a.type;
		a.size = sizeof a;
		a.config = 1;	// format/retprobe
		a.uprobe_path = reinterpret_cast<std::uintptr_t>(
		    program.c_str());
		a.probe_offset = offset_of(program, function);
		if (type && a.probe_offset != 0)
			fd_ = stack9::unique_fd(static_cast<int>(syscall(
			    SYS_perf_event_open, &a, pid, -1, -1, 0)));
	}
	// False: this machine has no such probes, or this user may not.
	bool is_there() const { return bool(fd_); }

private:
	// The code of these programs is at its address in the file.
	static std::uint64_t
	offset_of(const std::string &program, const std::string &function)
	{
		const std::unique_ptr<FILE, int (*)(FILE *)> names(popen(("nm "
		    + program).c_str(), "r"), pclose);
		char line[4096], name[4096];
		std::uint64_t at = 0, found = 0;
		while (names && fgets(line, sizeof line, names.get()))
			if (std::sscanf(line, "%" SCNx64 " %*c %4095s", &at,
			    name) == 2 && function == name)
				found = at;
		return found;
	}

	stack9::unique_fd	fd_;
};
