// Loads the programs and maps the two arrays that the kernel writes to.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "table.h"

#include <bit>
#include <cerrno>
#include <initializer_list>
#include <memory>
#include <utility>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/scoped.h"
#include "os/block_signals.h"

#include "objects.h"

namespace stack9::bpf {
namespace {

std::uint64_t
page_size() noexcept
{
	return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t
rounded(std::uint64_t bytes) noexcept
{
	const std::uint64_t page = page_size();
	return (bytes + page - 1) / page * page;
}

void *
map_shared(int fd, std::uint64_t bytes) noexcept
{
	void *const at = mmap(nullptr, rounded(bytes), PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return nullptr;
	// A child may have fewer rights than its parent.
	madvise(at, rounded(bytes), MADV_DONTFORK);
	return at;
}

// The ring holds a record for each slot that is over, one for each that was
// released before its record was read, and the records' heads; see ready_list.
std::uint32_t
ring_bytes(std::uint32_t slots) noexcept
{
	constexpr std::uint32_t record = 16;
	return std::bit_ceil(slots * 2 * record +
	    static_cast<std::uint32_t>(page_size()));
}

} // namespace

int
async_table::load(const sizes &wanted, bool plain) noexcept
{
	const silence_libbpf no_prints;
	const block_signals in_peace;
	std::size_t size = 0;
	const void *const bytes = s9_async_object(S9_ASYNC_COPIES, plain,
	    &size);
	const std::unique_ptr<bpf_object, object_closer> o(
	    bpf_object__open_mem(bytes, size, nullptr));
	if (o == nullptr)
		return errno;
	const auto map = [&](const char *name) {
		return bpf_object__find_map_by_name(o.get(), name);
	};
	int error = 0;
	for (const auto &[name, n] : std::initializer_list<std::pair<
	    const char *, std::uint32_t>>{{"slots", wanted.slots},
	    {"works", wanted.slots}, {"pieces", wanted.pieces},
	    {"ready", wanted.ring}})
		if (error == 0)
			error = -bpf_map__set_max_entries(map(name), n);
	if (error == 0)
		error = -bpf_object__load(o.get());
	if (error != 0)
		return error;
	const auto program = [&](const char *name) {
		return kept_copy(bpf_program__fd(
		    bpf_object__find_program_by_name(o.get(), name)));
	};
	sizes_ = wanted;
	submit_ = program("submit");
	tracepoint_ = program("at_tracepoint");
	sample_ = program("at_sample");
	works_ = kept_copy(bpf_map__fd(map("works")));
	ring_ = kept_copy(bpf_map__fd(map("ready")));
	slot_map_ = kept_copy(bpf_map__fd(map("slots")));
	piece_map_ = kept_copy(bpf_map__fd(map("pieces")));
	return submit_ && tracepoint_ && sample_ && works_ && ring_ &&
	    slot_map_ && piece_map_ ? map_memory() : EMFILE;
}

int
async_table::map_memory() noexcept
{
	slots_ = static_cast<s9_async_slot *>(map_shared(slot_map_.get(),
	    std::uint64_t{sizes_.slots} * sizeof(s9_async_slot)));
	if (slots_ != nullptr)
		pieces_ = static_cast<char *>(map_shared(piece_map_.get(),
		    std::uint64_t{sizes_.pieces} * s9_piece_stride));
	if (pieces_ == nullptr)
		return errno;
	lie_at(slots_, sizes_.slots, pieces_, sizes_.pieces);
	return 0;
}

int
async_table::open(const async_limits &limits, std::uint64_t first_gen) noexcept
{
	const auto pieces = static_cast<std::uint32_t>(limits.bytes / S9_PIECE);
	// Number 0 is never allocated, neither of slots nor of pieces.
	const sizes wanted{limits.captures + 1, pieces + 1,
	    ring_bytes(limits.captures + 1)};
	int error = load(wanted, false);
	if (error == ENOENT || error == EINVAL || error == ESRCH)
		error = load(wanted, true);
	if (error != 0)
		return error;
	s9_control &c = control();
	c.slots = {0, 1, sizes_.slots};
	c.pieces = {0, 1, sizes_.pieces};
	c.first_gen = first_gen;
	return 0;
}

async_table::~async_table()
{
	if (slots_ != nullptr)
		munmap(slots_, rounded(std::uint64_t{sizes_.slots} *
		    sizeof(s9_async_slot)));
	if (pieces_ != nullptr)
		munmap(pieces_, rounded(std::uint64_t{sizes_.pieces} *
		    s9_piece_stride));
}

void
async_table::cancel_work(std::uint32_t number) const noexcept
{
	const int kept = errno;
	bpf_map_delete_elem(works_.get(), &number);
	errno = kept;
}

} // namespace stack9::bpf
