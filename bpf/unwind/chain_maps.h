/*
 * Defines the maps of the frames that languages' runtimes keep.  A size of 1
 * here is replaced by the real one before the programs are loaded.
 *
 * SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 */
#ifndef STACK9_CHAIN_MAPS_H
#define STACK9_CHAIN_MAPS_H

#include "kernel_types.h"
#include "reported_layout.h"

/* Key: struct s9_space. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, 16);
	__uint(value_size, sizeof(struct s9_frame_chain));
} chains SEC(".maps");

/* As many as there are scratches. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct s9_reported);
} reported SEC(".maps");

/* Where threads were in their lists, by the low bits of their ids.  The
 * thread that is found here is compared. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} listed SEC(".maps");

#endif /* STACK9_CHAIN_MAPS_H */
