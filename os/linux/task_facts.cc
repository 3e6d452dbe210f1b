// Reads from /proc what it says of processes and threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "os/task_facts.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <memory>

#include <fcntl.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "os/clocks.h"
#include "os/proc_task.h"
#include "os/unique_dir.h"

namespace stack9 {
namespace {

// Reads the words after the name: they are numbers from the second on.
class stat_words {
public:
	explicit stat_words(std::string_view text) noexcept : rest_(text) {}

	// field: as proc_pid_stat(5) counts, from 4 on.
	template <class T = std::uint64_t> T
	at(int field) const noexcept
	{
		T value{};
		number(word(rest_, field - 3), value);
		return value;
	}

private:
	const std::string_view	rest_;
};

std::uint64_t
us_of_ticks(std::uint64_t ticks) noexcept
{
	static const auto per_second = static_cast<std::uint64_t>(
	    sysconf(_SC_CLK_TCK));
	return ticks * 1000000 / per_second;
}

// The kernel counts from the boot.  Two readings of the clocks differ, so the
// time is rounded to one of the kernel's ticks.
std::uint64_t
since_1970(std::uint64_t ticks) noexcept
{
	const std::int64_t boot = (clock_ns(CLOCK_REALTIME) -
	    clock_ns(CLOCK_BOOTTIME)) / 1000;
	const std::uint64_t tick = us_of_ticks(1), at =
	    static_cast<std::uint64_t>(boot) + us_of_ticks(ticks);
	return (at + tick / 2) / tick * tick;
}

bool
put_stat(std::string_view line, task_facts &f)
{
	const auto first = line.find('('), last = line.rfind(')');
	if (first == line.npos || last == line.npos || last + 2 >= line.size())
		return false;
	const stat_words w(line.substr(last + 2));
	f.name = line.substr(first + 1, last - first - 1);
	f.state = line[last + 2];
	f.parent = w.at<pid_t>(4);
	f.group = w.at<pid_t>(5);
	f.session = w.at<pid_t>(6);
	f.terminal = w.at<unsigned int>(7);
	f.terminal_group = w.at<pid_t>(8);
	f.of_kernel = (w.at(9) & flag_kernel) != 0;
	f.minor_faults = w.at(10);
	f.major_faults = w.at(12);
	f.user_us = us_of_ticks(w.at(14));
	f.system_us = us_of_ticks(w.at(15));
	f.children_user_us = us_of_ticks(w.at(16));
	f.children_system_us = us_of_ticks(w.at(17));
	f.priority = w.at<int>(18) + 100;
	f.nice = w.at<int>(19);
	f.threads = w.at<int>(20);
	f.start_us = since_1970(w.at(22));
	const std::uint64_t start = us_of_ticks(w.at(22)),
	    now = boot_ns() / 1000;
	f.age_us = now > start ? now - start : 0;
	f.bytes = w.at(23);
	f.resident = w.at(24);
	f.cpu = w.at<int>(39);
	const auto policy = w.at<int>(41);
	f.how = policy == SCHED_IDLE ? scheduling::idle :
	    policy == SCHED_OTHER || policy == SCHED_BATCH ?
	    scheduling::shared : scheduling::real_time;
	return true;
}

// The text after a key at the beginning of a line.
std::string_view
behind(std::string_view text, std::string_view key) noexcept
{
	for (std::size_t at = 0; at < text.size();) {
		const std::string_view line = text.substr(at,
		    text.find('\n', at) - at);
		if (line.starts_with(key))
			return line.substr(key.size());
		at += line.size() + 1;
	}
	return {};
}

// Takes the next number off a list that is parted by blanks.
bool
take_number(std::string_view &list, unsigned int &value) noexcept
{
	list.remove_prefix(std::min(list.find_first_not_of(" \t"),
	    list.size()));
	if (!number(list, value))
		return false;
	list.remove_prefix(std::min(list.find_first_of(" \t"), list.size()));
	return true;
}

void
put_ids(std::string_view list, unsigned int &real, unsigned int &effective,
    unsigned int &saved) noexcept
{
	take_number(list, real) && take_number(list, effective) &&
	    take_number(list, saved);
}

void
put_status(std::string_view text, task_facts &f)
{
	put_ids(behind(text, "Uid:"), f.real_uid, f.uid, f.saved_uid);
	put_ids(behind(text, "Gid:"), f.real_gid, f.gid, f.saved_gid);
	std::string_view groups = behind(text, "Groups:");
	for (unsigned int gid; take_number(groups, gid);)
		f.groups.push_back(gid);
	f.tracer = static_cast<pid_t>(number_behind(text, "TracerPid:"));
	f.most_resident = number_behind(text, "VmHWM:");
	f.pending = number_behind(text, "SigPnd:", 16) |
	    number_behind(text, "ShdPnd:", 16);
	f.blocked = number_behind(text, "SigBlk:", 16);
	f.ignored = number_behind(text, "SigIgn:", 16);
	f.caught = number_behind(text, "SigCgt:", 16);
	f.voluntary = number_behind(text, "\nvoluntary_ctxt_switches:");
	f.involuntary = number_behind(text, "nonvoluntary_ctxt_switches:");
}

// A process may be in 65,536 groups; those that do not fit the buffer are left
// out.
constexpr std::size_t room = 16384;

int
read_facts(const proc_file &dir, task_facts &f)
{
	const std::unique_ptr<char[]> buffer(new char[room]);
	const std::span<char> all(buffer.get(), room);
	std::string_view text;
	proc_file stat, status, wait;
	int error = stat.open(dir.get(), "stat");
	if (error == 0)
		error = stat.read_record(all, text);
	if (error != 0)
		return error;
	if (!put_stat(text, f))
		return ESRCH;
	error = status.open(dir.get(), "status");
	if (error == 0)
		error = status.read_record(all, text);
	if (error != 0 && error != ENAMETOOLONG)
		return error;
	put_status(text, f);
	// The kernel says 0 to those who may not trace the thread.
	if (f.state != 'R' && wait.open(dir.get(), "wchan") == 0 &&
	    wait.read(all, text) == 0 && text != "0")
		f.wait = text;
	return 0;
}

// Reads a file of any length.
int
read_whole(pid_t pid, const char *name, std::string &to)
{
	char path[48];
	std::snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
	proc_file f;
	if (const int error = f.open(AT_FDCWD, path); error != 0)
		return error;
	const std::unique_ptr<char[]> buffer(new char[room]);
	to.clear();
	for (;;) {
		std::size_t n = 0;
		if (const int error = f.read_some(to.size(),
		    {buffer.get(), room}, n); error != 0)
			return error;
		if (n == 0)
			return 0;
		to.append(buffer.get(), n);
	}
}

// The numbers in a directory.
int
list_numbers(const char *path, std::vector<pid_t> &all)
{
	const unique_dir dir = open_dir(path);
	if (dir == nullptr)
		return proc_error(errno);
	while (const dirent *e = readdir(dir.get())) {
		pid_t number;
		if (stack9::number(std::string_view(e->d_name), number))
			all.push_back(number);
	}
	std::sort(all.begin(), all.end());
	return 0;
}

} // namespace

int
list_processes(std::vector<pid_t> &all)
{
	return list_numbers("/proc", all);
}

int
list_threads(pid_t pid, std::vector<pid_t> &all)
{
	char path[32];
	std::snprintf(path, sizeof path, "/proc/%d/task", pid);
	return list_numbers(path, all);
}

int
read_process(pid_t pid, task_facts &f)
{
	char path[32];
	std::snprintf(path, sizeof path, "/proc/%d", pid);
	proc_file dir;
	f = {};
	f.pid = f.tid = pid;
	const int error = pid < 1 ? ESRCH : dir.open(AT_FDCWD, path,
	    O_PATH | O_DIRECTORY);
	return error != 0 ? error : read_facts(dir, f);
}

int
read_thread(pid_t pid, pid_t tid, task_facts &f)
{
	char path[48];
	std::snprintf(path, sizeof path, "/proc/%d/task/%d", pid, tid);
	proc_file dir;
	f = {};
	f.pid = pid;
	f.tid = tid;
	const int error = pid < 1 || tid < 1 ? ESRCH : dir.open(AT_FDCWD, path,
	    O_PATH | O_DIRECTORY);
	return error != 0 ? error : read_facts(dir, f);
}

int
read_arguments(pid_t pid, std::string &to)
{
	return read_whole(pid, "cmdline", to);
}

int
read_environment(pid_t pid, std::string &to)
{
	return read_whole(pid, "environ", to);
}

int
read_program_path(pid_t pid, std::string &to)
{
	char name[48], path[PATH_MAX];
	std::snprintf(name, sizeof name, "/proc/%d/exe", pid);
	const ssize_t n = readlink(name, path, sizeof path);
	if (n < 0)
		return proc_error(errno);
	to.assign(path, static_cast<std::size_t>(n));
	return 0;
}

} // namespace stack9
