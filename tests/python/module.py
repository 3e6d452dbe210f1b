# SPDX-License-Identifier: BSD-2-Clause
"""Tests the module stack9, and prints a line for each sentence."""

import ctypes
import errno
import gc
import inspect
import os
import platform
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import typing

import stack9
from stack9 import Side, Why

failed = 0


def ok(is_so: bool, sentence: str) -> None:
    global failed
    version = platform.python_version()
    print("ok" if is_so else "not ok", f"Python {version}: {sentence}",
          flush=True)
    failed |= not is_so


def skip(sentence: str, why: object) -> None:
    print(f"ok {sentence} # SKIP {why}", flush=True)


def raises(kind: type, call: typing.Callable, number: int = 0) -> bool:
    try:
        call()
    except kind as e:
        return number == 0 or e.errno == number
    return False


def layouts() -> None:
    """Compares each structure of the module with that of the headers."""
    pairs = {"thread": "_Thread", "stack": "_Stack", "sample": "_Sample",
             "frame": "_Frame", "save_options": "_SaveOptions",
             "self": "_Self", "watch_options": "_WatchOptions",
             "tally": "_Tally", "ready": "_Ready", "wait": "_Wait",
             "holder": "_Holder", "state": "_State",
             "coroutine": "_Coroutine"}
    rows, wanted = [], []
    for name, own in pairs.items():
        kind = getattr(stack9, own)
        for field, of in kind._fields_:
            rows.append(f'printf("%zu %zu\\n", offsetof(struct stack9_{name},'
                        f' {field}), sizeof(((struct stack9_{name} *)0)->'
                        f'{field}));')
            wanted.append(f"{getattr(kind, field).offset} {ctypes.sizeof(of)}")
        if issubclass(kind, stack9._Sized):
            rows.append(f'printf("%zu\\n", sizeof(struct stack9_{name}));')
            wanted.append(str(ctypes.sizeof(kind)))
    for prefix, kind in ("", Side), ("WHY_", Why):
        for member in kind:
            rows.append(f'printf("%d\\n", STACK9_{prefix}{member.name});')
            wanted.append(str(member.value))
    for name, bit in stack9._WATCH_FLAGS.items():
        rows.append(f'printf("%u\\n", STACK9_WATCH_{name.upper()});')
        wanted.append(str(bit))
    with tempfile.TemporaryDirectory() as scratch:
        source = os.path.join(scratch, "sizes.c")
        with open(source, "w", encoding="ascii") as f:
            f.write("#include <stdio.h>\n#include <stack9_async.h>\n"
                    "#include <stack9_waits.h>\n"
                    "#include <stack9_coroutines.h>\n"
                    "#include <stack9_watch.h>\n"
                    "int main(void) {" + "\n".join(rows) + "return 0; }")
        subprocess.run([os.environ["CC"], "-I", os.environ["SOURCE"] +
                        "/include", "-o", source[:-2], source], check=True)
        found = subprocess.run([source[:-2]], check=True, text=True,
                               stdout=subprocess.PIPE).stdout
    ok(found.split("\n")[:-1] == wanted,
       "its structures and numbers are those of the headers")


def interface() -> None:
    ok(stack9.version() >= 200, "it knows the version of the library")
    missing = [name for name in stack9.__all__
               if inspect.isclass(getattr(stack9, name)) and
               not getattr(stack9, name).__doc__ or
               inspect.isfunction(getattr(stack9, name)) and not (
                   getattr(stack9, name).__doc__ and
                   typing.get_type_hints(getattr(stack9, name)))]
    ok(not missing, "all of it is documented and typed")
    ok(Why(999).name == "WHY_999" and Why(12) is Why.RIGHTS,
       "further reasons are no errors")
    ok(stack9.why_text(Why.NONE) == "complete" and
       stack9.demangle("_ZN2n14deepEv") == "n1::deep()" and
       stack9.demangle("main") == "main", "it has texts and names")
    ok(all(r.reason for r in stack9.routes()) and
       all(s.meaning for s in stack9.stats()) and
       all(n.meaning for n in stack9.file_notes()),
       "routes, counts and notes of files are lists")


def child() -> int:
    pid = os.fork()
    if pid == 0:
        while True:
            signal.pause()
    thread = stack9.Thread.find(pid)
    while thread.save().state != "S":
        pass
    return pid


def end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


# glibc 2.41 has up to three frames of its own above pause().
def pauses(frames: typing.Sequence[stack9.Frame]) -> bool:
    return any("pause" in str(f) for f in frames[:4])


def asleep(thread: stack9.Thread) -> bool:
    """Whether a thread, alone in its process, sleeps from look to look."""
    first, second = stack9.states(thread), stack9.states(thread)
    return ([(s.thread, s.state, s.on_cpu, s.switches > 0) for s in first] ==
            [(thread, "S", False, True)] and
            first[0].switches == second[0].switches)


def values() -> None:
    own = stack9.Thread.current()
    ok(own.pid == os.getpid() and own in own.siblings() and
       own == stack9.Thread.find(own.tid), "threads are values")
    pid = child()
    thread = stack9.Thread.find(pid)
    first, second = thread.save(), thread.save(timeout=0.1)
    try:
        if not first.user or not second.user:
            skip("samples are values", first.user.reason)
            return
        ok(first == second and hash(first) == hash(second) and
           first.user == second.user and len({first.user, second.user}) == 1,
           "two samples of a thread that sleeps are the same")
        ok(first != own.save(), "samples of other stacks are not")
        told = thread.save(Side.USER, languages=True).user
        ok(first.user.thread_name == "" and told is not None and
           told.thread_name == threading.main_thread().name,
           "a thread has the name of its runtime")
        ok(first.user.space == second.user.space and
           hash(first.user.space) == hash(stack9.Space.of(thread)),
           "two stacks of a process have the same space")
        with stack9.Space.of(thread) as space:
            ok(thread.save(Side.USER, space=space).user.space == space,
               "a stack is captured with a space that is kept")
            one = space.frames(first.user[1], return_address=True)
        frames = first.user.frames()
        ok(frames[0].exact and pauses(frames) and
           frames[0].build_id and frames[1].name == one[0].name and
           [f.pc for f in frames] == list(first.user),
           "a stack is a sequence of addresses, and has frames")
        place = frames[1]
        with stack9.Space.of_file(place.module) as space:
            named = space.frames(place.vaddr, return_address=True)[0]
        ok(named.name == place.name and named.build_id == place.build_id,
           "a file names an address of its image")
        spot = first.user.places()[1]
        with stack9.Space.of_build_ids([place.module]) as files:
            ok([f.name for f in files.frames_of(spot)] == [place.name],
               "a file names a place by its build-id")
            ok([len(s.user.frames()) for s in
                files.read_text(2 * first.to_text())] ==
               [len(frames)] * 2, "texts are read back")
            ok(raises(stack9.Error, lambda: files.read_text("no stack")),
               "a text that is wrong says so")
        ok(raises(stack9.Error, lambda: stack9.Space.of_file("/proc")),
           "a directory is no file")
        ok(first.kernel is not None and "pause" in first.text(),
           "a sample has the text of stackprint")
        ok([w.kind for w in stack9.waits([first, own.save()])] ==
           ["signal", "nothing"], "samples have waits")
        ok(any(asleep(thread) for _ in range(1000)) and
           own in [s.thread for s in stack9.states()],
           "threads have states")
        ok(raises(stack9.Error, lambda: stack9.coroutines(thread)),
           "a process without coroutines has none, and says so")
        ok(first.thread == thread and first.comm.startswith("python") and
           first.state == "S", "a sample knows its thread")
    finally:
        end(pid)
    stack = second.user
    del second
    gc.collect()
    ok(pauses(stack.frames()),
       "a stack outlives its sample and its process")
    with first:
        pass
    ok(raises(ValueError, lambda: first.user), "a closed sample is closed")
    texts()
    one_side = own.save(Side.USER, frames=2)
    ok(one_side.kernel is None and len(one_side.user) == 2 and
       one_side.user.why == Why.TRUNCATED and not one_side.user.complete,
       "options say the side and the number of frames")
    ok(len(stack9.save_self()) > 2 and len(stack9.save_self(skip=1, most=2))
       == 2, "the native stack of the caller")


def texts() -> None:
    pid = child()
    stack9.force("procfs")
    try:
        stack = stack9.Thread.find(pid).save(Side.KERNEL).kernel
        ok(len(stack) == 0 and bool(stack) and
           any("pause" in f.name for f in stack.frames()) and
           not stack.frames()[0].has_pc,
           "a stack without addresses has frames")
    except stack9.Error as e:
        skip("a stack without addresses has frames", e.reason)
    finally:
        stack9.force("")
        end(pid)


def errors() -> None:
    pid = child()
    gone = stack9.Thread.find(pid)
    end(pid)
    ok(raises(stack9.ThreadGoneError, gone.save, errno.ESRCH) and
       raises(ProcessLookupError, gone.save) and raises(OSError, gone.samples),
       "a thread that is gone is a ProcessLookupError")
    try:
        stack9.Watch("no:such event")
        ok(False, "an error has its sentence")
    except stack9.Error as e:
        ok(bool(e.reason) and e.reason in str(e), "an error has its sentence")
    ok(raises(stack9.Error, lambda: stack9.force("no-such-route"),
              errno.ENOENT), "an error has the errno")
    ok(raises(TypeError, lambda: stack9.Watch("cpu-clock", colour=1)),
       "an unknown option is an error")


def callables() -> None:
    own = stack9.Thread.current()
    kept = []
    stack9.each(kept.append, Side.USER, process=own)
    ok(len(kept) == 1 and any(f.name for f in kept[0].user.frames()),
       "a sample that a function is given is kept")

    def fail(_sample: stack9.Sample) -> None:
        raise KeyError("as meant")

    ok(raises(KeyError, lambda: stack9.each(fail, process=own)),
       "an exception of a function is raised by the call")
    ok(raises(TypeError, lambda: stack9.each(lambda s: True, process=own)),
       "a function returns None or STOP")
    times = []

    def stop(sample: stack9.Sample) -> object:
        times.append(sample)
        return stack9.STOP

    gate = threading.Event()
    threads = [threading.Thread(target=gate.wait, daemon=True)
               for _ in range(3)]
    for t in threads:
        t.start()
    stack9.each(stop, process=own)
    ok(len(times) == 1, "STOP ends the call")
    ok(len(own.samples()) == 4, "a pass has all threads")
    gate.set()
    for t in threads:
        t.join()


# Computes for 50 ms of CPU time, however busy the machine is.
def busy() -> None:
    limit = time.process_time() + 0.05
    while time.process_time() < limit:
        pass


def watches() -> None:
    try:
        watch = stack9.Watch("cpu-clock:1000", pid=os.getpid())
    except (stack9.RightsError, stack9.UnsupportedError) as e:
        skip("watches", e.reason)
        return
    with watch:
        busy()
        watch.read(0)
        watch.stop()
        found = watch.samples()
        tally = watch.tally()
        ok(len(found) == tally.stacks and
           sum(s.events for s in found) == tally.kept > 0 and
           found[0].events >= found[-1].events,
           "a watch gives the stacks that it counted")
        ok(watch.events() == ["cpu-clock:1000"], "a watch names its events")
    ok(raises(ValueError, watch.stop) and found[0].user.frames(),
       "a sample outlives its watch")
    with stack9.Watch("cpu-clock:1000", pid=os.getpid(), stream=True,
                      cookie=9) as watch:
        busy()
        ok(bool(select.select([watch], [], [], 10)[0]),
           "a watch is waited for by select")
        for sample in watch:
            ok(sample.cookie == 9 and sample.event == "cpu-clock:1000",
               "a stream is iterated over")
            watch.wake()
            break
        ok(watch.read(10, lambda s: None) == stack9.Reading.WOKEN,
           "a reader is woken")
    pid = child()
    with stack9.Watch("cpu-clock:10", pid=pid) as watch:
        end(pid)
        while (outcome := watch.read(10)) == stack9.Reading.EVENTS:
            pass
        ok(outcome == stack9.Reading.ENDED,
           "a watch tells that its process has ended")


def asynchronous() -> None:
    try:
        stream = stack9.Async()
    except (stack9.RightsError, stack9.UnsupportedError) as e:
        skip("asynchronous captures", e.reason)
        return
    with stream:
        with stream.submit(stack9.Thread.current(), cookie=7) as one:
            while (sample := one.collect()).user.error == errno.EAGAIN:
                select.select([stream], [], [], 1)
            ok(sample.cookie == 7 and len(sample.user) > 2,
               "a submission is collected")
            arrival = stream.next()
            ok(arrival.id == one.id and arrival.cookie == 7 and
               stream.next() is None, "a stream gives what is over")
            ok(raises(stack9.Error, one.cancel, errno.EALREADY),
               "what is over is not cancelled")
            other = stream.take(arrival)
        ok(raises(stack9.Error, other.collect, errno.ENOENT),
           "a submission is released")
        left = stream.submit(stack9.Thread.current())
    left.close()
    ok(raises(ValueError, left.collect), "a stream that is closed is closed")


layouts()
interface()
values()
errors()
callables()
watches()
asynchronous()
sys.exit(failed)
