// Holds goroutines in every state that a test can bring about, and prints their
// stacks as Go's own runtime sees them.  For each line on the input it answers
// with runtime.Stack() of all goroutines, a line of addresses for each of
// runtime.GoroutineProfile()'s stacks, and a line "end".
//
// With the argument "storm" they wake and stop all the time instead.  even()
// calls odd() and odd() calls even(), so that a stack of two moments shows.
//
// SPDX-License-Identifier: BSD-2-Clause
package main

import (
	"bufio"
	"bytes"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const many = 40

var (
	never  = make(chan int)
	other  = make(chan string)
	nobody sync.Mutex
	group  sync.WaitGroup
	cond   = sync.NewCond(&sync.Mutex{})
	sink   int
	writer *os.File // open, as nobody else keeps it so
	text   = make([]byte, 4<<20)
)

//go:noinline
func receive(c chan int) int { return <-c + 1 }

//go:noinline
func send(c chan string) { c <- "" }

//go:noinline
func choose() {
	select {
	case n := <-never:
		sink = n
	case other <- "":
	}
}

//go:noinline
func locked() {
	nobody.Lock()
	sink++
}

//go:noinline
func waitGroup() {
	group.Wait()
	sink++
}

//go:noinline
func waitCond() {
	cond.L.Lock()
	cond.Wait()
	sink++
}

//go:noinline
func sleeps() {
	time.Sleep(1000 * time.Hour)
	sink++
}

//go:noinline
func ticks(c <-chan time.Time) {
	for range c {
		sink++
	}
}

//go:noinline
func reads(f *os.File) {
	var b [1]byte
	f.Read(b[:])
	sink++
}

//go:noinline
func deep(n int) int {
	var room [24]byte
	if n == 0 {
		return receive(never) + int(room[3])
	}
	return deep(n-1) + 1
}

//go:noinline
func recovers() {
	defer func() {
		recover()
		receive(never)
	}()
	var p *int
	sink = *p
}

//go:noinline
func onItsThread() {
	runtime.LockOSThread()
	receive(never)
}

//go:noinline
func touch() { sink++ }

// A function without a frame could be interrupted at its first byte, and a
// return address there belongs to the function before.
//
//go:noinline
func spin() {
	for {
		for i := 0; i < 1<<30; i++ {
			sink = i
		}
		touch()
	}
}

type body struct{ n int }

//go:noinline
func (b *body) method() { receive(never); sink += b.n }

//go:noinline
func even(n int, c chan int) int {
	var room [7]int
	if n == 0 {
		return <-c + room[1]
	}
	return odd(n-1, c) + 1
}

//go:noinline
func odd(n int, c chan int) int {
	var room [7]int
	if n == 0 {
		return <-c + room[1]
	}
	return even(n-1, c) + 1
}

// Both park at the same depth, at the same place, below another caller.
//go:noinline
func left(n int, c chan int) int { return even(n, c) + 3 }

//go:noinline
func right(n int, c chan int) int { return odd(n, c) + 5 }

//go:noinline
func wakes(c chan int) {
	for n := 0; ; n++ {
		sink += left(n%8, c)
		sink += right(n%8, c)
	}
}

//go:noinline
func grows(n int, c chan int) int {
	var room [512]byte
	if n == 0 {
		return <-c + int(room[9])
	}
	return grows(n-1, c) + 1
}

//go:noinline
func moves(c chan int) {
	for n := 0; ; n++ {
		sink += grows(n%64, c)
	}
}

func storm() {
	c := make(chan int)
	for i := 0; i < 8; i++ {
		go wakes(c)
		go moves(c)
	}
	go spin()
	go func() {
		for {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}()
	for i := 0; ; i++ {
		c <- i
	}
}

func start() {
	for i := 0; i < many; i++ {
		go receive(never)
	}
	group.Add(1)
	nobody.Lock()
	go send(other)
	go choose()
	go locked()
	go waitGroup()
	go waitCond()
	go sleeps()
	go ticks(time.Tick(1000 * time.Hour))
	go deep(60)
	go deep(3000)
	go recovers()
	go onItsThread()
	go (&body{3}).method()
	go func() {
		func() { receive(nil) }()
	}()
	go func() { select {} }()
	r, w, err := os.Pipe()
	if err == nil {
		writer = w
		go reads(r)
	}
	waitForAll()
	runtime.GC()
	waitForAll()
}

// Returns once all but the caller wait.  They do; if not, the test says so.
func waitForAll() {
	for i := 0; i < 10000 && onThreads() > 1; i++ {
		time.Sleep(time.Millisecond)
	}
}

func onThreads() int {
	all := text[:runtime.Stack(text, true)]
	n := 0
	for _, s := range []string{"running", "runnable", "syscall",
		"preempted", "copystack"} {
		n += bytes.Count(all, []byte(" ["+s))
	}
	return n
}

func profile() {
	all := make([]runtime.StackRecord, 4096)
	n, _ := runtime.GoroutineProfile(all)
	for _, r := range all[:n] {
		os.Stdout.WriteString("pcs")
		for _, pc := range r.Stack() {
			os.Stdout.WriteString(" " +
				strconv.FormatUint(uint64(pc), 16))
		}
		os.Stdout.WriteString("\n")
	}
}

func main() {
	ready := os.NewFile(3, "ready")
	if len(os.Args) > 1 && os.Args[1] == "storm" {
		go storm()
		time.Sleep(20 * time.Millisecond)
	} else {
		start()
		if len(os.Args) > 1 && os.Args[1] == "spin" {
			go spin()
		}
	}
	ready.WriteString("ready\n")
	in := bufio.NewReader(os.NewFile(0, "in"))
	for {
		if _, err := in.ReadString('\n'); err != nil {
			break
		}
		n := runtime.Stack(text, true)
		os.Stdout.Write(text[:n])
		os.Stdout.WriteString("\n")
		profile()
		os.Stdout.WriteString("end\n")
	}
	syscall.Pause()
}
