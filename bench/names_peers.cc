// Defines the peers that name addresses of this process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names_peers.h"

#include <cstring>

#include <dlfcn.h>
#include <stack9.h>
#include <unistd.h>

#include "names_libdwfl.h"

namespace {

// The peers do not make names readable, so neither do we here.
class ours final : public namer {
public:
	~ours() override { stack9_space_close(space_); }

	bool
	open() override
	{
		stack9_thread self{};
		return stack9_thread_self(&self) == 0 &&
		    stack9_space_open(&self, &space_) == 0;
	}

	std::size_t
	name_length(std::uintptr_t pc) override
	{
		std::size_t length = 0;
		stack9_frame_at(space_, pc, STACK9_FRAMES_RETURN |
		    STACK9_FRAMES_LINKAGE,
		    [](void *arg, const stack9_frame *f) {
			*static_cast<std::size_t *>(arg) =
			    std::strlen(f->name);
			return 0;
		}, &length);
		return length;
	}

	unsigned
	line(std::uintptr_t pc) override
	{
		unsigned found = 0;
		stack9_frame_at(space_, pc, STACK9_FRAMES_RETURN |
		    STACK9_FRAMES_LINES | STACK9_FRAMES_LINKAGE,
		    [](void *arg, const stack9_frame *f) {
			*static_cast<unsigned *>(arg) = f->line;
			return 0;
		}, &found);
		return found;
	}

private:
	stack9_space	*space_ = nullptr;
};

class by_dladdr final : public namer {
public:
	std::size_t
	name_length(std::uintptr_t pc) override
	{
		Dl_info info{};
		return dladdr(reinterpret_cast<void *>(pc - 1), &info) != 0 &&
		    info.dli_sname != nullptr ? std::strlen(info.dli_sname) : 0;
	}
};

class by_libdwfl final : public namer {
public:
	bool open() override { return view_.open(getpid()); }

	std::size_t
	name_length(std::uintptr_t pc) override
	{
		const char *const found = view_.name(pc);
		return found == nullptr ? 0 : std::strlen(found);
	}

	unsigned line(std::uintptr_t pc) override { return view_.lines(pc); }

private:
	libdwfl_view	view_;
};

} // namespace

#ifndef HAVE_LIBBACKTRACE
std::unique_ptr<namer>
make_libbacktrace()
{
	return nullptr;
}
#endif

std::unique_ptr<namer>
namer_called(std::string_view name)
{
	if (name == "stack9")
		return std::make_unique<ours>();
	if (name == "dladdr")
		return std::make_unique<by_dladdr>();
	if (name == "libdwfl")
		return std::make_unique<by_libdwfl>();
	return name == "libbacktrace" ? make_libbacktrace() : nullptr;
}
