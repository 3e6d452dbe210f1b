// Goroutines that are blocked in system calls, in Go's own scheduler, and, when
// asked, one that reads the clock all the time.
//
// SPDX-License-Identifier: BSD-2-Clause
package main

import (
	"os"
	"syscall"
	"time"
)

//go:noinline
func inner(fd int) int {
	var room [64]byte
	n, _ := syscall.Read(fd, room[:])
	return n
}

//go:noinline
func middle(fd int) int { return inner(fd) + 1 }

func sleeper() {
	ages := syscall.Timespec{Sec: 1000000}
	syscall.Nanosleep(&ages, nil)
}

func clock() {
	for time.Now().Unix() != 0 {
	}
}

func main() {
	var ends [2]int
	syscall.Pipe(ends[:])
	go sleeper()
	go middle(ends[0])
	if len(os.Args) > 1 && os.Args[1] == "clock" {
		go clock()
	}
	time.Sleep(time.Millisecond)
	syscall.Write(3, []byte("ready\n"))
	middle(0)
}
