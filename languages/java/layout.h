// Says where the structures of HotSpot have their members.  The machine itself
// describes them, in the tables that its debugger reads (vmStructs.hpp).
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "unwind/memory.h"

namespace stack9::languages::java {

inline constexpr std::uint32_t none = UINT32_MAX;

struct layout {
	using address = std::uint64_t;	// of a static variable; 0: none is
	using offset = std::uint32_t;	// in bytes, or none

	address	version = 0, threads = 0, first_thread = 0, code_heaps = 0,
		code_heap = 0, call_stub_return = 0, return_barrier = 0,
		entry_return = 0, oop_base = 0, oop_shift = 0, class_base = 0,
		class_shift = 0, zgc = 0;

	offset	list_length = none, list_threads = none, next_thread = none,
		osthread = none, thread_id = none, pthread_id = none,
		anchor = none,
		last_sp = none, last_pc = none, last_fp = none,
		wrapper_anchor = none, continuation = none;
	offset	array_length = none, array_data = none, memory = none,
		segment_map = none, segment_shift = none, low = none,
		high = none;
	offset	blob_name = none, blob_size = none, frame_size = none,
		frame_complete = none, code_begin = none, code_offset = none,
		relocation_size = none, mutable_data = none,
		blob_data = none;
	offset	compiled_method = none, scopes_data_begin = none,
		scopes_data = none, scopes_pcs = none, dependencies = none,
		metadata = none, immutable_data = none, original_pc = none,
		deopt_begin = none, deopt_mh_begin = none, deopt = none,
		deopt_mh = none;
	offset	const_method = none, access_flags = none, constants = none,
		method_flags = none, method_code_size = none,
		name_index = none;
	offset	pool_holder = none, pool_length = none, pool_file = none,
		class_file = none, class_name = none, symbol_length = none,
		symbol_counted_length = none, symbol_body = none;

	// Generational ZGC: addresses of its variables.
	offset	zgc_bad_mask = none, zgc_shift = none;
	// The waits for a lock, and its owner.
	offset	thread_object = none, virtual_thread = none,
		pending_monitor = none, stack_base = none, stack_size = none,
		lock_stack = none, lock_stack_top = none,
		lock_stack_base = none, owner_id = none, monitor_owner = none,
		monitor_object = none, superclass = none;
	// Fields of Java's objects.  No table has them, but variables of the
	// machine do: Thread.parkBlocker, AbstractOwnableSynchronizer's
	// exclusiveOwnerThread, Thread.eetop.
	offset	park_blocker = none, exclusive_owner = none,
		native_thread = none;
	// Thread.name; String.value and String.coder.
	offset	thread_name = none, string_value = none, string_coder = none;

	// Sizes of structures in bytes.
	offset	sizeof_const_method = none, sizeof_pool = none,
		sizeof_block = none, sizeof_continuation = none;

	bool	complete_is_short = false;	// the type of frame_complete
	bool	oops_are_short = false, classes_are_short = false;
	unsigned int major = 0;		// of the JDK

	// Since JDK 20 no byte of a packed number is 0.
	unsigned int excluded() const noexcept { return major >= 20; }
};

// Reads a value of a type of the machine.
template <class T>
bool
get(unwind::memory &m, std::uint64_t at, T &to) noexcept
{
	return m.read(at, &to, sizeof to);
}

} // namespace stack9::languages::java
