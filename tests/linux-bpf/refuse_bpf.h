// Makes bpf(2) fail, in a child that lib/process.h runs.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

// From now on bpf(2), or one command of it (-1: any), fails with error.
bool refuse_bpf(int command, int error);
