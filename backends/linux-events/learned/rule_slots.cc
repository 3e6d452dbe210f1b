// Maps the table of rules into this process, the only writer of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "rule_slots.h"

#include <atomic>
#include <cerrno>

#include <sys/mman.h>

namespace stack9::events {
namespace {

std::size_t
size_of(unsigned int bits) noexcept
{
	return sizeof(std::uint64_t) << bits;
}

} // namespace

int
rule_slots::open(int map, unsigned int bits) noexcept
{
	close();
	void *const at = mmap(nullptr, size_of(bits), PROT_READ | PROT_WRITE,
	    MAP_SHARED, map, 0);
	if (at == MAP_FAILED)
		return errno;
	slots_ = static_cast<std::uint64_t *>(at);
	bits_ = bits;
	return 0;
}

void
rule_slots::close() noexcept
{
	if (slots_ != nullptr)
		munmap(slots_, size_of(bits_));
	slots_ = nullptr;
}

// The slot of the key, or the first free one; nullptr: there is neither.
std::uint64_t *
rule_slots::slot_of(std::uint64_t key) const noexcept
{
	const std::uint64_t first = S9_SLOT_OF_KEY(key, bits_);
	for (std::uint64_t way = 0; way < S9_WAYS; way++) {
		std::uint64_t &each = slots_[first ^ way];
		if (each == 0 || each >> S9_RULE_BITS == key)
			return &each;
	}
	return nullptr;
}

std::uint32_t
rule_slots::find(std::uint64_t key) const noexcept
{
	const std::uint64_t *const slot = slot_of(key);
	return slot == nullptr ? 0 :
	    static_cast<std::uint32_t>(*slot & S9_RULE_MASK);
}

bool
rule_slots::add(std::uint64_t key, std::uint32_t rule) noexcept
{
	std::uint64_t *const slot = slot_of(key);
	if (slot == nullptr) {
		refused_++;
		return false;
	}
	if (*slot != 0)
		return true;
	std::atomic_ref<std::uint64_t>(*slot).store(
	    key << S9_RULE_BITS | rule, std::memory_order_release);
	added_++;
	return true;
}

} // namespace stack9::events
