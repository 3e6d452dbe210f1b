// Keeps the program's tree of sysctl(9) objects, finds them by name or by
// number, and calls their handlers with a request.  The library's own objects
// come after them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/proc.h>
#include <stack9/sys/sysctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <string_view>

#include "os/forked_lock.h"
#include "sysctl_native.h"

namespace stack9 {
namespace {

// The list is only added to: an object lives as long as its program, and this
// library is never unloaded.
constinit std::mutex tree_lock;
const int tree_at_fork = free_in_children<tree_lock>();
constinit struct sysctl_oid *first_oid = nullptr;
constinit int next_number = 0x100;	// as FreeBSD's first automatic number

struct known_number {
	std::string_view	name;
	int			number;
};
constexpr known_number numbers[] = {
	{"kern", CTL_KERN}, {"vm", CTL_VM}, {"vfs", CTL_VFS}, {"net", CTL_NET},
	{"debug", CTL_DEBUG}, {"hw", CTL_HW}, {"machdep", CTL_MACHDEP},
	{"user", CTL_USER}, {"kern.proc", KERN_PROC},
};
constexpr std::string_view native = "kern.proc.";

std::string dotted(const struct sysctl_oid &);

// "_vm_redzone" is the node redzone of "_vm" if the program has that, else
// vm.redzone.
std::string
dotted_parent(std::string_view parent)
{
	for (auto *o = first_oid; o != nullptr; o = o->oid_next) {
		const std::string_view above(o->oid_parent);
		if ((o->oid_kind & CTLTYPE) == CTLTYPE_NODE &&
		    parent.size() == above.size() + 1 + strlen(o->oid_name) &&
		    parent.starts_with(above) && parent[above.size()] == '_' &&
		    parent.ends_with(o->oid_name))
			return dotted(*o);
	}
	std::string name(parent.substr(parent.starts_with('_')));
	std::replace(name.begin(), name.end(), '_', '.');
	return name;
}

std::string
dotted(const struct sysctl_oid &oid)
{
	std::string name = dotted_parent(oid.oid_parent);
	return (name.empty() ? name : name + ".") + oid.oid_name;
}

struct mib {
	std::array<int, CTL_MAXNAME>	number{};
	unsigned int			count = 0;
};

// A component that nothing numbers has the number of its letters.
int
number_of(std::string_view name)
{
	for (auto *o = first_oid; o != nullptr; o = o->oid_next)
		if (name.ends_with(o->oid_name) && dotted(*o) == name)
			return o->oid_number;
	for (const known_number &k : numbers)
		if (k.name == name)
			return k.number;
	if (name.starts_with(native))
		if (const int number = native_number(name.substr(
		    native.size())); number != -1)
			return number;
	std::uint32_t letters = 0;
	for (const char c : name)
		letters = letters * 31 + static_cast<unsigned char>(c);
	return static_cast<int>(0x1000000 | (letters & 0xffffff));
}

mib
mib_of(std::string_view name)
{
	mib m;
	for (std::size_t dot = 0; dot != name.npos &&
	    m.count < m.number.size();) {
		dot = name.find('.', dot + 1);
		m.number[m.count++] = number_of(name.substr(0, dot));
	}
	return m;
}

// Finds the object whose name is the longest beginning of m, and its length.
struct sysctl_oid *
find_oid(const int *name, unsigned int count, unsigned int &matched)
{
	struct sysctl_oid *found = nullptr;
	matched = 0;
	for (auto *o = first_oid; o != nullptr; o = o->oid_next) {
		const mib m = mib_of(dotted(*o));
		if (m.count > matched && m.count <= count && std::equal(
		    name, name + m.count, m.number.begin())) {
			found = o;
			matched = m.count;
		}
	}
	return found;
}

// Copies as much as fits.  Without a buffer the length alone is counted.
int
give(struct sysctl_req *req, const void *p, std::size_t len)
{
	const std::size_t at = req->oldidx;
	req->oldidx += len;
	if (req->oldptr == nullptr)
		return 0;
	const std::size_t room = at < req->oldlen ? req->oldlen - at : 0;
	std::memcpy(static_cast<char *>(req->oldptr) + std::min(at,
	    req->oldlen), p, std::min(len, room));
	return len > room ? ENOMEM : 0;
}

int
take(struct sysctl_req *req, void *p, std::size_t len)
{
	if (req->newptr == nullptr)
		return 0;
	if (req->newlen - req->newidx < len)
		return EINVAL;
	std::memcpy(p, static_cast<char *>(req->newptr) + req->newidx, len);
	req->newidx += len;
	return 0;
}

int
request(const int *name, unsigned int count, struct sysctl_req &req)
{
	struct sysctl_oid *oid;
	unsigned int matched;
	{
		std::lock_guard hold(tree_lock);
		oid = find_oid(name, count, matched);
	}
	// The program's own objects come first; a node above has no answer.
	if (is_native(name, count) && (oid == nullptr ||
	    (matched < 3 && oid->oid_handler == nullptr)))
		return answer_native(name, count, req);
	if (oid == nullptr)
		return ENOENT;
	const bool node = (oid->oid_kind & CTLTYPE) == CTLTYPE_NODE;
	if (oid->oid_handler == nullptr)
		return matched == count ? EISDIR : ENOENT;
	if (!node && matched != count)
		return ENOTDIR;
	if (req.newptr != nullptr && (oid->oid_kind & CTLFLAG_WR) == 0)
		return EPERM;
	// A node's handler gets the rest of the name.
	return node ? oid->oid_handler(oid, const_cast<int *>(name) + matched,
	    count - matched, &req) :
	    oid->oid_handler(oid, oid->oid_arg1, oid->oid_arg2, &req);
}

// 0, or -1 and errno.  No exception may leave through C.
template <class work> int
answer_user(work f) noexcept
{
	int error;
	try {
		error = f();
	} catch (const std::bad_alloc &) {
		error = ENOMEM;
	}
	if (error == 0)
		return 0;
	errno = error;
	return -1;
}

} // namespace
} // namespace stack9

using namespace stack9;

extern "C" {

void
stack9_sysctl_register(struct sysctl_oid *oid)
{
	std::lock_guard hold(tree_lock);
	if (oid->oid_number == OID_AUTO)
		oid->oid_number = next_number++;
	oid->oid_next = first_oid;
	first_oid = oid;
}

int
stack9_sysctl(const int *name, u_int count, void *old, std::size_t *oldlen,
    const void *to, std::size_t tolen)
{
	struct sysctl_req req{};
	req.td = curthread;
	req.oldptr = old;
	req.oldlen = old != nullptr && oldlen != nullptr ? *oldlen : 0;
	req.validlen = req.oldlen;
	req.oldfunc = give;
	req.newptr = const_cast<void *>(to);
	req.newlen = tolen;
	req.newfunc = take;
	const int result = answer_user([&] {
		return count < 1 || count > CTL_MAXNAME ? EINVAL :
		    request(name, count, req);
	});
	if (oldlen != nullptr)
		*oldlen = old != nullptr ? std::min(req.oldidx, req.oldlen) :
		    req.oldidx;
	return result;
}

int
stack9_sysctlnametomib(const char *name, int *number, std::size_t *count)
{
	return answer_user([&] {
		std::lock_guard hold(tree_lock);
		const mib m = mib_of(name);
		unsigned int matched;
		if (!is_native(m.number.data(), m.count) && (find_oid(
		    m.number.data(), m.count, matched) == nullptr ||
		    matched != m.count))
			return ENOENT;
		if (*count < m.count)
			return ENOMEM;
		std::copy_n(m.number.begin(), m.count, number);
		*count = m.count;
		return 0;
	});
}

int
stack9_sysctlbyname(const char *name, void *old, std::size_t *oldlen,
    const void *to, std::size_t tolen)
{
	int number[CTL_MAXNAME];
	std::size_t count = CTL_MAXNAME;
	const int error = stack9_sysctlnametomib(name, number, &count);
	return error != 0 ? error : stack9_sysctl(number,
	    static_cast<u_int>(count), old, oldlen, to, tolen);
}

} // extern "C"
