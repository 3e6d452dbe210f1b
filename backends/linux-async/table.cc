// Loads the programs and maps the two arrays that the kernel writes to.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "table.h"

#include <bit>
#include <cerrno>

#include <bpf/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/block_signals.h"

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
async_table::load(std::uint32_t slots, std::uint32_t pieces) noexcept
{
	const block_signals in_peace;
	const s9_async_sizes sizes{slots, pieces, ring_bytes(slots)};
	s9_async_fds fds{};
	int error = s9_async_load(0, &sizes, &fds);
	if (error == ENOENT || error == EINVAL || error == ESRCH)
		error = s9_async_load(1, &sizes, &fds);
	if (error != 0)
		return error;
	sizes_ = sizes;
	submit_ = unique_fd(fds.submit);
	tracepoint_ = unique_fd(fds.at_tracepoint);
	sample_ = unique_fd(fds.at_sample);
	works_ = unique_fd(fds.works);
	ring_ = unique_fd(fds.ready);
	works_.step_aside();
	slot_map_ = unique_fd(fds.slots);
	slot_map_.step_aside();
	piece_map_ = unique_fd(fds.pieces);
	piece_map_.step_aside();
	return map_memory();
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
	if (const int error = load(limits.captures + 1, pieces + 1); error != 0)
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
