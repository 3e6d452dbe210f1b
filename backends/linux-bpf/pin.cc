// Pins only programs that share nothing between the processes that use them.
// The name of a pinned program carries a hash of its code, so that another
// version of this library does not use it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "objects.h"

#include <cstdio>

#include <bpf/bpf.h>
#include <linux/magic.h>
#include <sys/auxv.h>
#include <sys/vfs.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "user_pass.h"

namespace stack9::bpf {
namespace {

int
pin_one(const char *dir, const char *name, object &o) noexcept
{
	const s9_image &image = o.image();
	char path[4096];
	const int n = std::snprintf(path, sizeof path, "%s/stack9-%s-%016llx",
	    dir, name, static_cast<unsigned long long>(
	    XXH3_64bits(image.elf,
	    static_cast<std::size_t>(image.elf_end - image.elf))));
	if (n < 0 || n >= static_cast<int>(sizeof path))
		return ENAMETOOLONG;
	const int kept = bpf_obj_get(path);
	if (kept >= 0) {
		o.adopt(kept);
		return 0;
	}
	if (kept != -ENOENT)
		return -kept;
	if (const verdict v = o.load(); v.error != 0)
		return v.error;
	const int error = -bpf_obj_pin(o.program(), path);
	return error == EEXIST ? 0 : error;
}

} // namespace

int
pin(const char *dir) noexcept
{
	struct statfs fs{};
	// The user who runs a program with file capabilities must not choose
	// which BPF programs it trusts.
	if (getauxval(AT_SECURE) != 0)
		return EPERM;
	if (statfs(dir, &fs) != 0)
		return errno;
	if (static_cast<unsigned long>(fs.f_type) != BPF_FS_MAGIC)
		return EOPNOTSUPP;
	int best = EOPNOTSUPP;
	for (const int error : {pin_one(dir, "one", one_object()),
	    pin_one(dir, "name", name_object()),
	    pin_one(dir, "user", user_object())}) {
		if (error != 0 && error != EOPNOTSUPP)
			return error;
		if (error == 0)		// one that this kernel can load is kept
			best = 0;
	}
	return best;
}

} // namespace stack9::bpf
