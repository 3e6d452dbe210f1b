// Pins only programs that share nothing between the processes that use them.
// The name of a pinned program carries a hash of its code, so that another
// version of this library does not use it, and its tag, by which it is known
// again.
//
// A pinned program is believed about every thread, so nobody else may have put
// it there: the directory and the pin belong to root or to the caller, others
// may not rename the pin, and the kernel says who loaded the program.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "objects.h"

#include <cstdio>
#include <cstring>
#include <string_view>

#include <bpf/bpf.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "os/unique_dir.h"
#include "user_pass.h"

namespace stack9::bpf {
namespace {

struct pinnable {
	const char	*name;
	object		&of;
	bpf_prog_type	 type;
};

bool
is_trusted(uid_t owner) noexcept
{
	return owner == 0 || owner == geteuid();
}

// Others may make files in a sticky directory, and not rename ours.
int
open_trusted(const char *path, unique_fd &dir) noexcept
{
	struct statfs fs{};
	struct stat st{};
	dir = unique_fd(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	if (!dir || fstatfs(dir.get(), &fs) != 0 ||
	    fstat(dir.get(), &st) != 0)
		return errno == ENOTDIR ? EOPNOTSUPP : errno;
	if (static_cast<unsigned long>(fs.f_type) != BPF_FS_MAGIC)
		return EOPNOTSUPP;
	const bool others_write = (st.st_mode & (S_IWGRP | S_IWOTH)) != 0 &&
	    !(st.st_mode & S_ISVTX);
	return is_trusted(st.st_uid) && !others_write ? 0 : EPERM;
}

// The part of a pin's name that this version of the library gives.
struct prefix {
	char		text[64];
	std::size_t	size;
};

prefix
prefix_of(const pinnable &p) noexcept
{
	const s9_image &image = p.of.image();
	prefix made;
	const int n = std::snprintf(made.text, sizeof made.text,
	    "stack9-%s-%016llx-", p.name, static_cast<unsigned long long>(
	    XXH3_64bits(image.elf,
	    static_cast<std::size_t>(image.elf_end - image.elf))));
	made.size = static_cast<std::size_t>(n);
	return made;
}

// name: of NAME_MAX bytes at most.
struct pin_path {
	char text[320];
	pin_path(const unique_fd &dir, const char *name) noexcept
	{
		std::snprintf(text, sizeof text, "/proc/self/fd/%d/%s",
		    dir.get(), name);
	}
};

struct pin_name {
	char text[96];
	pin_name(const prefix &before, const bpf_prog_info &p) noexcept
	{
		int n = std::snprintf(text, sizeof text, "%s", before.text);
		for (const unsigned char byte : p.tag)
			n += std::snprintf(text + n, sizeof text -
			    static_cast<std::size_t>(n), "%02x", byte);
	}
};

int
ask(int program, bpf_prog_info &info) noexcept
{
	std::uint32_t size = sizeof info;
	return -bpf_obj_get_info_by_fd(program, &info, &size);
}

// True if this is the program that its name says it is.
bool
is_genuine(const pinnable &p, const char *name, int program) noexcept
{
	bpf_prog_info info{};
	return ask(program, info) == 0 && info.type == p.type &&
	    (info.created_by_uid == 0 || info.created_by_uid == getuid()) &&
	    std::string_view(info.name) == p.of.image().prog &&
	    std::string_view(pin_name(prefix_of(p), info).text) == name;
}

// Uses the pin of this name.  EPERM: somebody else put it there.  ENOENT: it is
// another program.
int
adopt(const pinnable &p, const unique_fd &dir, const char *name) noexcept
{
	struct stat st{};
	if (fstatat(dir.get(), name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno;
	if (!S_ISREG(st.st_mode) || !is_trusted(st.st_uid))
		return EPERM;
	unique_fd program(bpf_obj_get(pin_path(dir, name).text));
	if (!program)
		return errno;
	if (!is_genuine(p, name, program.get()))
		return ENOENT;
	p.of.adopt(program.release());
	return 0;
}

// ENOENT: there is no such pin.
int
adopt_any(const pinnable &p, const unique_fd &dir) noexcept
{
	const prefix wanted = prefix_of(p);
	unique_fd again(openat(dir.get(), ".", O_RDONLY | O_DIRECTORY |
	    O_CLOEXEC));
	if (!again)
		return errno;
	const unique_dir files(fdopendir(again.get()));
	if (files == nullptr)
		return errno;
	again.release();
	int worst = ENOENT;
	while (const dirent *const d = readdir(files.get())) {
		if (std::strncmp(d->d_name, wanted.text, wanted.size) != 0)
			continue;
		const int error = adopt(p, dir, d->d_name);
		if (error == 0)
			return 0;
		if (error != ENOENT)
			worst = error;
	}
	return worst;
}

int
pin_one(const pinnable &p, const unique_fd &dir) noexcept
{
	if (const int error = adopt_any(p, dir); error != ENOENT)
		return error;
	if (const verdict v = p.of.load(); v.error != 0)
		return v.error;
	bpf_prog_info info{};
	if (const int error = ask(p.of.program(), info); error != 0)
		return error;
	const int error = -bpf_obj_pin(p.of.program(), pin_path(dir,
	    pin_name(prefix_of(p), info).text).text);
	return error == EEXIST ? 0 : error;
}

} // namespace

int
pin(const char *path) noexcept
{
	// The user who runs a program with file capabilities must not choose
	// which BPF programs it trusts.
	if (getauxval(AT_SECURE) != 0)
		return EPERM;
	unique_fd dir;
	if (const int error = open_trusted(path, dir); error != 0)
		return error;
	int best = EOPNOTSUPP;
	for (const pinnable &p : {
	    pinnable{"one", one_object(), BPF_PROG_TYPE_SYSCALL},
	    pinnable{"name", name_object(), BPF_PROG_TYPE_SYSCALL},
	    pinnable{"user", user_object(), BPF_PROG_TYPE_TRACING}}) {
		const int error = pin_one(p, dir);
		if (error != 0 && error != EOPNOTSUPP)
			return error;
		if (error == 0)		// one that this kernel can load is kept
			best = 0;
	}
	return best;
}

} // namespace stack9::bpf
