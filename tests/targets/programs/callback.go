// Go calls C, this calls Go, this calls C, and that blocks; and threads of C
// call Go that blocks in C, in a system call, and in Go.  With an argument
// there is one thread of C instead, whose Go spins.
//
// SPDX-License-Identifier: BSD-2-Clause
package main

/*
#cgo LDFLAGS: -pthread
#include <pthread.h>
#include <unistd.h>

extern int called(int);
extern void calledByThread(void);
extern void parks(void);
extern void spins(void);

static __attribute__((noinline)) int
call_go(int fd)
{
	return called(fd) + 1;
}

static __attribute__((noinline)) int
read_in_c(int fd)
{
	char byte;
	return read(fd, &byte, 1);
}

static void *
thread_in_c(void *arg)
{
	called(0);
	return arg;
}

static void *
thread_in_go(void *arg)
{
	calledByThread();
	return arg;
}

static void *
thread_parked(void *arg)
{
	parks();
	return arg;
}

static void *
thread_spinning(void *arg)
{
	spins();
	return arg;
}

static void
start_spinning(void)
{
	pthread_t a;
	pthread_create(&a, NULL, thread_spinning, NULL);
}

static void
start_threads(void)
{
	pthread_t a, b, c;
	pthread_create(&a, NULL, thread_in_c, NULL);
	pthread_create(&b, NULL, thread_in_go, NULL);
	pthread_create(&c, NULL, thread_parked, NULL);
}
*/
import "C"

import (
	"os"
	"syscall"
)

var entered = make(chan bool, 4)
var never = make(chan int)

//export called
//go:noinline
func called(fd C.int) C.int {
	entered <- true
	return C.read_in_c(fd) + 1
}

//go:noinline
func inner(n int) int {
	var byte [1]byte
	got, _ := syscall.Read(0, byte[:])
	return got + n
}

//export calledByThread
//go:noinline
func calledByThread() {
	entered <- true
	inner(1)
}

//export parks
//go:noinline
func parks() {
	entered <- true
	<-never
}

var sink int

//go:noinline
func work() {
	for i := 0; i < 1<<20; i++ {
		sink += i
	}
}

//export spins
//go:noinline
func spins() {
	entered <- true
	for {
		work()
	}
}

//go:noinline
func middle(fd int) int { return int(C.call_go(C.int(fd))) + 1 }

func main() {
	if len(os.Args) > 1 {
		C.start_spinning()
		<-entered
	} else {
		C.start_threads()
		for i := 0; i < 3; i++ {
			<-entered
		}
	}
	syscall.Write(3, []byte("ready\n"))
	middle(0)
}
