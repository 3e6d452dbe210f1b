// Prints the time that a process spends in malloc(3) by the stacks that call
// it, as malloc_time.c does: the same BPF programs, loaded by cilium/ebpf.
//
//	malloc_time object pid [seconds]
//
// The exit status is 77 if this machine cannot do it, or this user may not.
//
// SPDX-License-Identifier: BSD-2-Clause
package main

// #cgo LDFLAGS: -lstack9
// #include <stdlib.h>
// #include <stack9_rules.h>
// extern int goAdd(void *, struct stack9_sample *);
// extern int goFrame(void *, struct stack9_frame *);
// static int read_sent(struct stack9_rules *r, int ms) {
//	return stack9_rules_read(r, ms, (stack9_sample_fn *)goAdd, NULL);
// }
// static int make_sample(struct stack9_rules *r, void *stack, size_t size) {
//	return stack9_rules_sample(r, stack, size, (stack9_sample_fn *)goAdd,
//	    NULL);
// }
// static void each_frame(const struct stack9_sample *s) {
//	stack9_frames(s->user, 0, (stack9_frame_fn *)goFrame, NULL);
// }
import "C"

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"github.com/cilium/ebpf/ringbuf"
)

type spent struct{ ns, calls uint64 }

var (
	now string // the stack that is read
	all = map[string]*spent{}
)

//export goFrame
func goFrame(_ unsafe.Pointer, f *C.struct_stack9_frame) C.int {
	name := C.GoString(f.name)
	if name == "" {
		name = "?"
	}
	now += "  " + name + "\n"
	return 0
}

// Both ways lead here.  The cookie is the time.
//
//export goAdd
func goAdd(_ unsafe.Pointer, s *C.struct_stack9_sample) C.int {
	now = ""
	C.each_frame(s)
	if all[now] == nil {
		all[now] = &spent{}
	}
	all[now].ns += uint64(s.cookie)
	all[now].calls++
	return 0
}

func fail(what string, why interface{}, status int) {
	fmt.Fprintf(os.Stderr, "malloc_time: %s: %v\n", what, why)
	os.Exit(status)
}

// A loader that is not libbpf puts the maps of the rules in place of those
// that the object has under the same names.
func load(object string, rules *C.struct_stack9_rules) *ebpf.Collection {
	spec, err := ebpf.LoadCollectionSpec(object)
	if err != nil {
		fail(object, err, 1)
	}
	lent := map[string]*ebpf.Map{}
	for name := range spec.Maps {
		var fd C.int
		cname := C.CString(name)
		if C.stack9_rules_map(rules, cname, &fd) == 0 {
			if lent[name], err = ebpf.NewMapFromFD(int(fd)); err != nil {
				fail(name, err, 1)
			}
		}
		C.free(unsafe.Pointer(cname))
	}
	loaded, err := ebpf.NewCollectionWithOptions(spec,
		ebpf.CollectionOptions{MapReplacements: lent})
	if err != nil {
		fail(object, err, 1)
	}
	return loaded
}

func libcOf(pid int) string {
	maps, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	for _, line := range strings.Split(string(maps), "\n") {
		if at := strings.Index(line, "/"); at >= 0 && strings.Contains(line, "/libc.so.6") {
			return line[at:]
		}
	}
	fail("libc.so.6", "the process has none", 1)
	return ""
}

func attach(programs *ebpf.Collection, pid int) {
	libc, err := link.OpenExecutable(libcOf(pid))
	if err != nil {
		fail("libc.so.6", err, 1)
	}
	of := &link.UprobeOptions{PID: pid}
	_, atReturn := libc.Uretprobe("malloc", programs.Programs["at_return"], of)
	_, atEntry := libc.Uprobe("malloc", programs.Programs["at_entry"], of)
	if atReturn != nil || atEntry != nil {
		fail("malloc", fmt.Sprint(atReturn, ", ", atEntry), 77)
	}
}

func main() {
	if len(os.Args) < 3 {
		fail("usage", "malloc_time object pid [seconds]", 1)
	}
	pid, _ := strconv.Atoi(os.Args[2])
	seconds := 1
	if len(os.Args) > 3 {
		seconds, _ = strconv.Atoi(os.Args[3])
	}
	var rules *C.struct_stack9_rules
	if C.stack9_rules_open(nil, &rules) != 0 {
		fail("rules", C.GoString(C.stack9_reason()), 77)
	}
	programs := load(os.Args[1], rules)
	stacks, err := ringbuf.NewReader(programs.Maps["stacks"])
	if err != nil {
		fail("stacks", err, 1)
	}
	attach(programs, pid)
	stored := make(chan []byte, 4096)
	go func() {
		for {
			record, err := stacks.Read()
			if errors.Is(err, ringbuf.ErrClosed) {
				close(stored)
				return
			} else if err == nil {
				stored <- record.RawSample
			}
		}
	}()
	// Takes what was stored until nothing comes for so long.
	take := func(quiet time.Duration) {
		for {
			select {
			case stack := <-stored:
				C.make_sample(rules, unsafe.Pointer(&stack[0]), C.size_t(len(stack)))
			case <-time.After(quiet):
				return
			}
		}
	}
	for end := time.Now().Add(time.Duration(seconds) * time.Second); time.Now().Before(end); {
		C.read_sent(rules, 10)
		take(0)
	}
	var lost uint64
	programs.Maps["lost"].Lookup(uint32(0), &lost)
	C.stack9_rules_stop(rules)
	for C.read_sent(rules, 0) == 0 {
	}
	take(200 * time.Millisecond)
	stacks.Close()
	for stack, s := range all {
		fmt.Printf("%s    %d ns in %d calls\n\n", stack, s.ns, s.calls)
	}
	fmt.Printf("%d calls lost\n", lost)
	C.stack9_rules_close(rules)
}
