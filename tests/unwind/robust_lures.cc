// Makes words that resemble frame pointers and return addresses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "robust_astray.h"

#include <cstdio>

#include <sys/mman.h>
#include <unistd.h>

#include "lib/lone_place.h"
#include "robust_child.h"

namespace {

char *
map(int protection, int flags, int fd)
{
	void *p = mmap(nullptr, 2 * page, protection, flags, fd, 0);
	must(p != MAP_FAILED, "there is memory");
	return static_cast<char *>(p);
}

} // namespace

lures::lures(std::uint64_t seed) : random_(seed)
{
	find_code();
	make_pages();
}

void
lures::find_code()
{
	std::FILE *const maps = std::fopen("/proc/self/maps", "r");
	must(maps != nullptr, "/proc/self/maps can be read");
	char line[512], rights[5];
	range r{};
	while (std::fgets(line, sizeof line, maps) != nullptr)
		if (std::sscanf(line, "%lx-%lx %4s", &r.begin, &r.end,
		    rights) == 3 && rights[2] == 'x')
			code_.push_back(r);
	std::fclose(maps);
}

void
lures::make_pages()
{
	hidden_ = map(PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	const int fd = memfd_create("short", MFD_CLOEXEC);
	must(ftruncate(fd, page) == 0, "a file of one page is made");
	beyond_ = map(PROT_READ | PROT_WRITE, MAP_SHARED, fd) + page;
	close(fd);
	ghost_ = reinterpret_cast<char *>(lib::lone_place);
	change_ghost();
}

// While it is there it is a chain of frames, each calling the next.
void
lures::change_ghost()
{
	if (ghost_there_) {
		munmap(ghost_, 2 * page);
		ghost_there_ = false;
		return;
	}
	void *const p = mmap(ghost_, 2 * page, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	must(p == ghost_, "the page comes back");
	auto *const words = reinterpret_cast<std::uintptr_t *>(ghost_);
	for (std::size_t i = 0; i + 4 <= 2 * page / sizeof *words; i += 4) {
		words[i] = reinterpret_cast<std::uintptr_t>(&words[i + 4]);
		words[i + 1] = code();
	}
	ghost_there_ = true;
}

// At its beginning, at its end, and somewhere.
std::uintptr_t
lures::near_page(char *p)
{
	const auto at = reinterpret_cast<std::uintptr_t>(p);
	switch (below(4)) {
	case 0:
		return at - 8 * below(4);
	case 1:
		return at + page - 8 * below(4);
	case 2:
		return at + below(page);
	default:
		return at + below(page / 16) * 16;
	}
}

std::uintptr_t
lures::code()
{
	const range &r = code_[below(code_.size())];
	return r.begin + below(r.end - r.begin);
}

std::uintptr_t
lures::pointer()
{
	static const std::uintptr_t wild[] = {0, 1, 7, 8, 16, 4096,
	    0x7ffffffffff8, 0x7ffffffff000, 0x800000000000,
	    std::uintptr_t{1} << 63, 0xffffffffff600000, ~std::uintptr_t{0},
	    ~std::uintptr_t{7}, ~std::uintptr_t{15}};
	switch (below(8)) {
	case 0:
		return wild[below(sizeof wild / sizeof *wild)];
	case 1:
		return near_page(hidden_);
	case 2:
		return near_page(beyond_);
	case 3:
	case 4:
		return near_page(ghost_ + page * below(2));
	case 5:		// back and forth on the stack
		return from_ + below(to_ - from_);
	default:
		return (from_ + below(to_ - from_)) & ~std::uintptr_t{15};
	}
}

std::uintptr_t
lures::any()
{
	switch (below(8)) {
	case 0:
		return random_();
	case 1:
		return random_() >> below(64);
	case 2:
	case 3:
		return code();
	default:
		return pointer();
	}
}
