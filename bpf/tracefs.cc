// Mounts tracefs where nobody sees it, and looks into its folder of events.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tracefs.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/unique_dir.h"

namespace stack9::bpf {
namespace {

// Needs CAP_SYS_ADMIN.  glibc has these calls since 2.36 only.
unique_fd
mounted_nowhere() noexcept
{
	const unique_fd context(static_cast<int>(syscall(SYS_fsopen,
	    "tracefs", FSOPEN_CLOEXEC)));
	if (!context || syscall(SYS_fsconfig, context.get(),
	    FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
		return unique_fd();
	return unique_fd(static_cast<int>(syscall(SYS_fsmount,
	    context.get(), FSMOUNT_CLOEXEC, 0)));
}

bool
is_file_name(const std::string &name)
{
	return !name.empty() && name[0] != '.' &&
	    name.find('/') == name.npos;
}

} // namespace

std::string
tracefs()
{
	for (const char *dir : {"/sys/kernel/tracing",
	    "/sys/kernel/debug/tracing"})
		if (access((std::string(dir) + "/events").c_str(), X_OK) == 0)
			return dir;
	return {};
}

unique_fd
root_of_tracefs()
{
	const std::string mounted = tracefs();
	return mounted.empty() ? mounted_nowhere() :
	    unique_fd(open(mounted.c_str(),
	    O_PATH | O_DIRECTORY | O_CLOEXEC));
}

answer
is_category(const std::string &name)
{
	const unique_fd root = root_of_tracefs();
	if (!root || faccessat(root.get(), "events", F_OK, 0) != 0)
		return answer::unknown;
	return is_file_name(name) && faccessat(root.get(),
	    ("events/" + name).c_str(), F_OK, 0) == 0 ? answer::yes :
	    answer::no;
}

answer
is_tracepoint_of(const std::string &category, const std::string &name)
{
	const unique_fd root = root_of_tracefs();
	if (root && is_file_name(category) && is_file_name(name) &&
	    faccessat(root.get(), ("events/" + category + "/" + name).c_str(),
	    F_OK, 0) == 0)
		return answer::yes;
	return category_below(root, name).empty() ? answer::unknown :
	    answer::no;
}

std::string
category_below(const unique_fd &root, const std::string &name)
{
	const int events = root ? openat(root.get(), "events",
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (events < 0 || !is_file_name(name))
		return {};
	const unique_dir all(fdopendir(events));
	while (const dirent *e = all ? readdir(all.get()) : nullptr) {
		const std::string category(e->d_name);
		if (is_file_name(category) && faccessat(events,
		    (category + "/" + name).c_str(), F_OK, 0) == 0)
			return category;
	}
	return {};
}

} // namespace stack9::bpf
