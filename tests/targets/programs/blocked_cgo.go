// Go that calls C, and the C blocks.
//
// SPDX-License-Identifier: BSD-2-Clause
package main

/*
#include <unistd.h>

static int
read_in_c(int fd)
{
	char byte;
	return read(fd, &byte, 1);
}
*/
import "C"

import "syscall"

//go:noinline
func middle(fd int) int { return int(C.read_in_c(C.int(fd))) + 1 }

func main() {
	var ends [2]int
	syscall.Pipe(ends[:])
	go middle(ends[0])
	syscall.Write(3, []byte("ready\n"))
	middle(0)
}
