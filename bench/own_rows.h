// Declares the rows that own_worker can measure, each by a function:
// nanoseconds of one capture, and its number of frames.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "own_peers.h"

struct figure {
	double	value = -1;	// -1: it failed
	double	frames = 0;
};

using row_call = figure (*)(capture, unsigned frames);

figure row_fence(capture, unsigned frames);	// what each row has in it
figure row_unchanged(capture, unsigned frames);
figure row_changing(capture, unsigned frames);	// so many on average
figure row_changing_less(capture, unsigned frames);
figure row_eight_paths(capture, unsigned frames);
figure row_many_paths(capture, unsigned frames);
figure row_alone(capture, unsigned frames);	// as row_handler, without
figure row_handler(capture, unsigned frames);
figure row_two_stacks(capture, unsigned frames);
figure row_eight_stacks(capture, unsigned frames);
figure row_two_switched(capture, unsigned frames); // by stack9_switch_stack()
figure row_eight_reported(capture, unsigned frames);
figure row_first_of_thread(capture, unsigned frames);
figure row_bytes_of_thread(capture, unsigned frames);	// bytes, not ns
figure row_one_thread(capture, unsigned frames);
figure row_two_threads(capture, unsigned frames);
figure row_never_seen(capture, unsigned frames);
