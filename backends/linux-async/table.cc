// Loads the programs, maps the two arrays that the kernel writes to, and frees
// slots and pieces.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "table.h"

#include <bit>
#include <cerrno>

#include <bpf/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/linux/block_signals.h"

namespace stack9::bpf {
namespace {

// The kernel's layout of an array.
constexpr std::size_t piece_stride = (sizeof(s9_piece) + 7) / 8 * 8;
static_assert(sizeof(s9_async_slot) == S9_ASYNC_SLOT);

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

std::atomic_ref<__u64>
atomic(__u64 &n) noexcept
{
	return std::atomic_ref<__u64>(n);
}

// Pushes a number as s9_pushed() does, until it succeeds.
void
push(s9_free_list &list, std::uint32_t number, __u64 &next) noexcept
{
	__u64 head = atomic(list.head).load();
	do
		next = static_cast<std::uint32_t>(head);
	while (!atomic(list.head).compare_exchange_weak(head,
	    ((head >> 32) + 1) << 32 | number));
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
	const unique_fd slots_fd(fds.slots), pieces_fd(fds.pieces);
	return map_memory(slots_fd.get(), pieces_fd.get());
}

int
async_table::map_memory(int slots, int pieces) noexcept
{
	slots_ = static_cast<s9_async_slot *>(map_shared(slots,
	    std::uint64_t{sizes_.slots} * sizeof(s9_async_slot)));
	if (slots_ != nullptr)
		pieces_ = static_cast<char *>(map_shared(pieces,
		    sizes_.pieces * piece_stride));
	return pieces_ == nullptr ? errno : 0;
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
		munmap(pieces_, rounded(sizes_.pieces * piece_stride));
}

s9_async_slot *
async_table::slot(std::uint32_t number) const noexcept
{
	return number > 0 && number < sizes_.slots ? &slots_[number] : nullptr;
}

stack9_id
async_table::id_in(std::uint32_t number) const noexcept
{
	const std::uint64_t word = atomic(slots_[number].h.word).load();
	return word % S9_PHASES == S9_FREE ? 0 :
	    S9_ID(word / S9_PHASES, number);
}

s9_phase
async_table::phase(slot_id id) const noexcept
{
	s9_async_slot *const s = slot(id.slot);
	if (s == nullptr)
		return S9_FREE;
	const std::uint64_t word = atomic(s->h.word).load();
	return word / S9_PHASES == id.gen ?
	    static_cast<s9_phase>(word % S9_PHASES) : S9_FREE;
}

bool
async_table::change_phase(slot_id id, s9_phase from, s9_phase to) const noexcept
{
	__u64 expected = id.word(from);
	return atomic(slots_[id.slot].h.word).compare_exchange_strong(expected,
	    id.word(to));
}

std::span<const char>
async_table::piece(const s9_async_slot &s, std::uint32_t i) const noexcept
{
	if (i >= S9_PIECES || i >= s.h.pieces)
		return {};
	const std::uint32_t number = s.h.piece[i];
	if (number == 0 || number >= sizes_.pieces)
		return {};
	return {reinterpret_cast<const s9_piece *>(pieces_ +
	    number * piece_stride)->bytes, S9_PIECE};
}

void
async_table::cancel_work(std::uint32_t number) const noexcept
{
	const int kept = errno;
	bpf_map_delete_elem(works_.get(), &number);
	errno = kept;
}

void
async_table::free_slot(slot_id id) const noexcept
{
	s9_async_slot &s = slots_[id.slot];
	for (std::uint32_t i = 0; i < S9_PIECES && i < s.h.pieces; i++)
		if (const std::uint32_t n = s.h.piece[i];
		    n > 0 && n < sizes_.pieces)
			push(control().pieces, n,
			    reinterpret_cast<s9_piece *>(pieces_ +
			    n * piece_stride)->next);
	s.h.pieces = 0;
	atomic(s.h.word).store(id.word(S9_FREE));
	push(control().slots, id.slot, s.h.next);
}

} // namespace stack9::bpf
