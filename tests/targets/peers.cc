// Runs gdb and eu-stack, and reads the stacks that they print.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "peers.h"

#include <cstdio>
#include <memory>
#include <sstream>

#include <fmt/format.h>

namespace {

std::string
output_of(const std::string &command)
{
	std::string all;
	char room[4096];
	FILE *const out = popen(command.c_str(), "re");
	if (out == nullptr)
		return all;
	for (std::size_t n; (n = fread(room, 1, sizeof room, out)) != 0;)
		all.append(room, n);
	pclose(out);
	return all;
}

bool
has(const char *command)
{
	return output_of(fmt::format("command -v {}", command)) != "";
}

// Both print a line "TID number:" or "TID number" for a thread, then one for a
// frame, with the pc as its second word.  The last of them is 0 where a walk
// has come to nothing.
stacks
parse(const std::string &text)
{
	stacks all;
	frames *now = nullptr;
	std::istringstream lines(text);
	for (std::string line; std::getline(lines, line);) {
		int tid, number;
		std::uintptr_t pc;
		if (std::sscanf(line.c_str(), "TID %d", &tid) == 1)
			now = &all[tid];
		else if (now != nullptr && std::sscanf(line.c_str(),
		    "#%d %lx", &number, &pc) == 2)
			now->push_back(pc);
	}
	for (auto &[tid, pcs] : all)
		while (!pcs.empty() && pcs.back() == 0)
			pcs.pop_back();
	return all;
}

stacks
ask_eu_stack(pid_t pid)
{
	return parse(output_of(fmt::format("eu-stack -n 0 -p {} 2>/dev/null",
	    pid)));
}

// Frames that are none on the stack are left out: inlined and tail calls.
constexpr char script[] = R"(
import gdb
def walk(t):
    t.switch()
    print("TID %d" % t.ptid[1])
    f, n = gdb.newest_frame(), 0
    while f is not None and f.is_valid():
        if f.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            print("#%d %x" % (n, f.pc()))
        f, n = f.older(), n + 1
for t in gdb.selected_inferior().threads():
    try:
        walk(t)
    except gdb.error:
        pass
)";

stacks
ask_gdb(pid_t pid)
{
	const scratch room;
	const std::string file = room.path() + "/walk.py";
	const std::unique_ptr<FILE, int (*)(FILE *)> out(
	    fopen(file.c_str(), "we"), fclose);
	fputs(script, out.get());
	fflush(out.get());
	return parse(output_of(fmt::format("gdb -nx -batch "
	    "-ex 'set debuginfod enabled off' -ex 'set backtrace past-main on' "
	    "-ex 'set auto-load off' -p {} -x {} 2>/dev/null", pid, file)));
}

} // namespace

const peer gdb{"gdb", ask_gdb, has("gdb")};
const peer eu_stack{"eu-stack", ask_eu_stack, has("eu-stack")};
