// Go that calls C, which calls Go, which calls C, which blocks.
//
// SPDX-License-Identifier: BSD-2-Clause
package main

/*
#include <unistd.h>

extern int called(int);

static int
call_go(int fd)
{
	return called(fd) + 1;
}

static int
read_in_c(int fd)
{
	char byte;
	return read(fd, &byte, 1);
}
*/
import "C"

import "syscall"

//export called
//go:noinline
func called(fd C.int) C.int { return C.read_in_c(fd) + 1 }

//go:noinline
func middle(fd int) int { return int(C.call_go(C.int(fd))) + 1 }

func main() {
	syscall.Write(3, []byte("ready\n"))
	middle(0)
}
