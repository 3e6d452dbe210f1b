// A goroutine that panics.  The runtime prints that on the stack of the thread,
// into a pipe that is full.
//
// SPDX-License-Identifier: BSD-2-Clause
package main

import "syscall"

func fill(fd int) {
	var bytes [4096]byte
	syscall.SetNonblock(fd, true)
	for {
		if _, err := syscall.Write(fd, bytes[:]); err != nil {
			break
		}
	}
	syscall.SetNonblock(fd, false)
}

//go:noinline
func fails(at int) int {
	if at == 0 {
		panic("nobody reads this")
	}
	return fails(at-1) + 1
}

func main() {
	var ends [2]int
	syscall.Pipe(ends[:])
	syscall.Dup2(ends[1], 2)
	fill(2)
	syscall.Write(3, []byte("ready\n"))
	fails(3)
}
