// Makes threads that call functions by plans of their own, and wait.  Prints
// "thread TID" and the functions of each, the innermost first, as plans.c does.
//
// Arguments: a seed, and the number of threads.
//
// SPDX-License-Identifier: BSD-2-Clause
package main

import (
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"strconv"
	"syscall"
)

type said struct {
	tid  int
	plan []int
}

var names = []string{"plan_small", "plan_large", "plan_deferred", "plan_closed"}
var all [4]func([]int, int, chan said) int

//go:noinline
func plan_small(plan []int, at int, to chan said) int {
	return run(plan, at, to) + 1
}

//go:noinline
func plan_large(plan []int, at int, to chan said) int {
	var room [400]int
	room[at] = 1
	return run(plan, at, to) + room[at+1]
}

//go:noinline
func plan_deferred(plan []int, at int, to chan said) int {
	defer func() { recover() }()
	return run(plan, at, to) + 1
}

//go:noinline
func plan_closed(plan []int, at int, to chan said) int {
	call := func(n int) int { return run(plan, n, to) + 1 }
	all := []func(int) int{call}
	return all[at*0](at) + 1
}

//go:noinline
func run(plan []int, at int, to chan said) int {
	if at < len(plan) {
		return all[plan[at]](plan, at+1, to) + 1
	}
	to <- said{syscall.Gettid(), plan}
	syscall.Syscall(syscall.SYS_PAUSE, 0, 0, 0)
	return 0
}

func main() {
	seed, _ := strconv.Atoi(os.Args[1])
	threads, _ := strconv.Atoi(os.Args[2])
	all = [4]func([]int, int, chan said) int{plan_small, plan_large, plan_deferred, plan_closed}
	from := rand.New(rand.NewSource(int64(seed)))
	to := make(chan said)
	for i := 0; i < threads; i++ {
		plan := make([]int, 1+from.Intn(40))
		for n := range plan {
			plan[n] = from.Intn(4)
		}
		go func() {
			runtime.LockOSThread()
			run(plan, 0, to)
		}()
	}
	for i := 0; i < threads; i++ {
		s := <-to
		fmt.Println("thread", s.tid)
		for n := len(s.plan); n > 0; n-- {
			name := names[s.plan[n-1]]
			if name == "plan_closed" {
				fmt.Printf("main.%s.func1\t\t0\n", name)
			}
			fmt.Printf("main.%s\t\t0\n", name)
		}
	}
	fmt.Println("end")
	os.Stdin.Read(make([]byte, 1))
}
