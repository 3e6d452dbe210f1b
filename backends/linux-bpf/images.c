/*
 * Defines the images of this backend's BPF objects.  No other file includes its
 * skeletons.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#include "images.h"

#include "bpf/skeleton.h"
#include "skeletons.h"

S9_IMAGES(S9_IMAGE, S9_IMAGE_OF_TWO, S9_IMAGE_WITH_MAP,
    S9_IMAGE_OF_TWO_WITH_MAP)
