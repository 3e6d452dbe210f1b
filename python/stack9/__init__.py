# SPDX-License-Identifier: BSD-2-Clause
"""Captures stacks of any thread, names them, and watches events, by libstack9.

    import stack9

    for sample in stack9.Thread.find(4711).samples():
        print(sample.comm, sample.user.reason)
        for frame in sample.user.frames(lines=True):
            print("   ", frame)

The calls are those of <stack9.h>, <stack9_watch.h>, <stack9_waits.h>,
<stack9_coroutines.h> and <stack9_async.h>, whose manual pages have the
contracts.  What C calls a sample, a stack, a frame or a thread is a class here.
An object that owns something of the library is a context manager, has close(),
and is closed too when nothing refers to it.

Errors are stack9.Error, which is an OSError: errno is the number, strerror the
sentence.  Where Python has a name for the number, that works too:
`except ProcessLookupError`.

A function that is called with samples or frames returns None, or stack9.STOP to
end the call.  An exception of such a function ends the call and is raised by it.

Needs Python 3.9 and libstack9.so.0, which $STACK9_LIBRARY may name.
"""

from __future__ import annotations

import ctypes
import enum
import errno as _errno
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int,
                    c_int32, c_int64, c_size_t, c_ubyte, c_uint, c_uint32,
                    c_uint64, c_void_p, sizeof)
from dataclasses import dataclass
from typing import (Any, Callable, Dict, Iterator, List, NamedTuple, Optional,
                    Sequence, Tuple)

__all__ = [
    "Arrival", "Async", "AgainError", "Coroutine", "Error", "FileNote", "Frame",
    "Holder", "Place", "Reading", "RightsError", "Route", "STOP", "Sample", "Side",
    "Space", "Stack", "Stat", "Submission", "Tally", "Thread",
    "ThreadGoneError", "ThreadState", "UnsupportedError", "Wait", "Watch",
    "Why", "coroutines", "demangle", "each", "file_notes", "force",
    "frames_at", "pin", "prepare", "routes", "samples", "save_self",
    "set_signal", "states", "stats", "version", "waits", "why_text",
]

# The release that this module was written for.  Structures may have got further
# members at their ends since: it does not need to know these.
_VERSION = 200


class Side(enum.IntEnum):
    """The side of a stack."""
    KERNEL = 1
    USER = 2
    BOTH = 3


class Why(enum.IntEnum):
    """The reason for an error, or for an incomplete stack; more may come."""
    NONE = 0
    USER_MODE = 1
    ON_CPU = 2
    MOVED = 3
    TORN = 4
    REFUSED = 5
    IDLE = 6
    SILENT = 7
    GONE = 8
    REUSED = 9
    ZOMBIE = 10
    EXITING = 11
    RIGHTS = 12
    MACHINE = 13
    RESOURCE = 14
    TRUNCATED = 15
    REGISTERS = 16
    UNWIND = 17
    KTHREAD = 18
    TRACED = 19
    MEMORY = 20
    LATE = 21
    AWAY = 22

    @classmethod
    def _missing_(cls, value: object) -> Optional[Why]:
        if not isinstance(value, int):
            return None
        new = int.__new__(cls, value)
        new._name_ = f"WHY_{value}"
        new._value_ = value
        return new


class Reading(enum.Enum):
    """The outcome of Watch.read()."""
    EVENTS = "events were read"
    NONE = "no event arrived in time"
    STOPPED = "the function ended the call; the next one goes on"
    ENDED = "the process or thread has ended, and all events have been read"
    WOKEN = "a signal came, or wake() was called"


class _Stop(enum.Enum):
    STOP = "ends the call"


STOP = _Stop.STOP


# Structures.  Those that the library allocates are read through pointers only,
# so that their fields here may be the first ones of more.  Those that are
# allocated here have their size as the first member, by which the library knows
# which members there are.

class _Thread(Structure):
    _fields_ = [("tid", c_int32), ("pid", c_int32), ("start", c_uint64)]


class _Stack(Structure):
    _fields_ = [
        ("side", c_int32), ("error", c_int32), ("why", c_int32),
        ("flags", c_uint32), ("depth", c_uint32), ("dropped", c_uint32),
        ("pcs", POINTER(c_uint64)), ("text", POINTER(c_char_p)),
        ("route", c_char_p), ("reason", c_char_p), ("when_ns", c_uint64),
        ("space", c_void_p), ("hash", c_uint64), ("written", c_void_p),
        ("written_count", c_uint32), ("reserved", c_uint32),
        ("written_note", c_char_p), ("written_lock", c_void_p),
        ("thread_name", c_char_p)]


class _Sample(Structure):
    _fields_ = [
        ("thread", _Thread), ("comm", c_char_p), ("state", c_int32),
        ("cpu", c_int32), ("tracer", c_int32), ("when_ns", c_uint64),
        ("kernel", POINTER(_Stack)), ("user", POINTER(_Stack)),
        ("event", c_char_p), ("events", c_uint64), ("weight_ns", c_uint64),
        ("dropped", c_uint64), ("cookie", c_uint64), ("switches", c_uint64),
        ("waker", c_void_p), ("waking", c_int32), ("kind", c_uint32),
        ("since_ns", c_uint64)]


class _Frame(Structure):
    _fields_ = [
        ("kind", c_uint32), ("flags", c_uint32), ("index", c_uint32),
        ("line", c_uint32), ("column", c_uint32), ("build_id_size", c_uint32),
        ("pc", c_uint64), ("offset", c_uint64), ("size", c_uint64),
        ("name", c_char_p), ("linkage", c_char_p), ("module", c_char_p),
        ("file", c_char_p), ("build_id", POINTER(c_ubyte)),
        ("start", c_uint64), ("end", c_uint64), ("file_offset", c_uint64),
        ("vaddr", c_uint64)]


class _Holder(Structure):
    _fields_ = [("thread", _Thread), ("role", c_int32), ("flags", c_uint32)]


class _Wait(Structure):
    _fields_ = [
        ("sample", POINTER(_Sample)), ("kind", c_int32), ("error", c_int32),
        ("flags", c_uint32), ("fd", c_int32), ("reason", c_char_p),
        ("object", c_char_p), ("call", c_char_p), ("number", c_int64),
        ("args", c_uint64 * 6), ("address", c_uint64), ("left_ns", c_uint64),
        ("idle_ns", c_uint64), ("holder", POINTER(_Holder)),
        ("holders", c_uint32), ("args_used", c_uint32), ("place", c_char_p)]


class _State(Structure):
    _fields_ = [
        ("thread", _Thread), ("comm", c_char_p), ("state", c_int32),
        ("cpu", c_int32), ("flags", c_uint32), ("reserved", c_uint32),
        ("switches", c_uint64), ("when_ns", c_uint64), ("since_ns", c_uint64),
        ("since_most_ns", c_uint64)]


class _Coroutine(Structure):
    _fields_ = [
        ("id", c_uint64), ("runtime", c_char_p), ("state", c_char_p),
        ("sample", POINTER(_Sample)), ("name", c_char_p),
        ("waits_for", c_uint64)]


class _Sized(Structure):
    """A structure that the caller allocates."""

    def __init__(self, **members: Any) -> None:
        super().__init__(**members)
        self.size = sizeof(self)


class _SaveOptions(_Sized):
    _fields_ = [("size", c_uint32), ("flags", c_uint32), ("frames", c_uint32),
                ("timeout_ms", c_uint32), ("space", c_void_p),
                ("states", c_char_p), ("since_ns", c_uint64)]


class _Self(_Sized):
    _fields_ = [("size", c_uint32), ("depth", c_uint32), ("dropped", c_uint32),
                ("flags", c_uint32), ("why", c_int32), ("reserved", c_int32)]


class _Place(_Sized):
    _fields_ = [("size", c_uint32), ("build_id_size", c_uint32),
                ("build_id", POINTER(c_ubyte)), ("module", c_char_p),
                ("vaddr", c_uint64)]


class _WatchOptions(_Sized):
    _fields_ = [
        ("size", c_uint32), ("flags", c_uint32), ("mode", c_int32),
        ("side", c_int32), ("pid", c_int32), ("tid", c_int32), ("cpu", c_int32),
        ("frames", c_uint32), ("stacks", c_uint32), ("reserved", c_uint32),
        ("ring", c_uint64), ("limit", c_uint64), ("min_ns", c_uint64),
        ("max_ns", c_uint64), ("comm", c_char_p), ("cgroup", c_char_p),
        ("cookie", c_uint64), ("rules", c_uint64)]


class _Tally(_Sized):
    _fields_ = [
        ("size", c_uint32), ("frames", c_uint32), ("probes", c_uint32),
        ("flags", c_uint32), ("events", c_uint64), ("kept", c_uint64),
        ("spilled", c_uint64), ("no_room", c_uint64), ("nested", c_uint64),
        ("stacks", c_uint64), ("truncated", c_uint64),
        ("skipped", c_uint64), ("walked", c_uint64), ("copied", c_uint64),
        ("refused", c_uint64), ("remembered", c_uint64),
        ("lacking", c_uint64)]


class _Ready(_Sized):
    _fields_ = [("size", c_uint32), ("reserved", c_uint32), ("id", c_uint64),
                ("cookie", c_uint64), ("dropped", c_uint64)]


_SampleFn = CFUNCTYPE(c_int, c_void_p, POINTER(_Sample))
_NO_SAMPLE_FN = _SampleFn(0)
_FrameFn = CFUNCTYPE(c_int, c_void_p, POINTER(_Frame))
_TextFn = CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)
_EventFn = CFUNCTYPE(c_int, c_void_p, c_char_p)
_RouteFn = CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p, c_int, c_char_p)
_WaitFn = CFUNCTYPE(c_int, c_void_p, POINTER(_Wait))
_StateFn = CFUNCTYPE(c_int, c_void_p, POINTER(_State))
_CoroutineFn = CFUNCTYPE(c_int, c_void_p, POINTER(_Coroutine))
_StatFn = CFUNCTYPE(c_int, c_void_p, c_char_p, c_uint64, c_char_p)
_FileNoteFn = CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p, c_char_p)

_EXACT, _GUESSED = 0x1, 0x4
_INLINED = 2
_KERNEL_FRAME, _EXACT_FRAME, _NO_PC, _DELETED, _HIDDEN = 1, 2, 4, 8, 16
_SIGNAL = 32
_TIMED, _ALL_HOLDERS, _BY_READERS, _PROCESS = 1, 2, 4, 1
_BY_OTHERS, _MOVED, _CHANGING = 8, 16, 32
_ON_CPU = 1
_NO_WALK = 1
_LINES, _DEBUGINFOD, _LINKAGE, _RETURN, _ADDRESSES = 1, 2, 4, 8, 0x100
_PLACES = 0x10


def _load() -> ctypes.CDLL:
    # A wheel has the library beside the module.
    beside = os.path.join(
        os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
        "stack9.libs", "libstack9.so.0")
    lib = ctypes.CDLL(os.environ.get("STACK9_LIBRARY") or
                      (beside if os.path.exists(beside) else
                       "libstack9.so.0"))
    p, i, u, q = c_void_p, c_int, c_uint, c_uint64
    thread = POINTER(_Thread)
    calls: Sequence[Tuple[Any, ...]] = (
            ("version", i),
            ("reason", c_char_p),
            ("why_text", c_char_p, i),
            ("thread_self", i, thread),
            ("thread_find", i, i, thread),
            ("thread_list", i, thread, p, c_uint32, POINTER(c_uint32)),
            ("sample_hold", p, p),
            ("sample_close", None, p),
            ("sample_same", i, p, p),
            ("stack_same", i, p, p),
            ("save", i, thread, i, POINTER(_SaveOptions), POINTER(p)),
            ("each", i, thread, i, POINTER(_SaveOptions), _SampleFn, p),
            ("save_self", i, POINTER(q), c_uint32, c_uint32, POINTER(_Self)),
            ("space_open", i, thread, POINTER(p)),
            ("space_open_file", i, c_char_p, POINTER(p)),
            ("space_open_build_ids", i, POINTER(c_char_p), c_uint32,
             POINTER(p)),
            ("space_place", i, p, POINTER(_Place), POINTER(q)),
            ("write_text", i, p, u, _TextFn, p),
            ("read_text", i, p, c_char_p, c_size_t, POINTER(c_size_t),
             POINTER(p)),
            ("space_hold", p, p),
            ("space_close", None, p),
            ("frames", i, p, u, _FrameFn, p),
            ("frame_at", i, p, q, u, _FrameFn, p),
            ("print", i, p, u, _TextFn, p),
            ("demangle", i, c_char_p, c_char_p, c_size_t, POINTER(c_size_t)),
            ("waits", i, POINTER(p), c_uint32, u, _WaitFn, p),
            ("wait_text", c_char_p, i),
            ("states", i, thread, u, _StateFn, p),
            ("coroutines", i, thread, POINTER(_SaveOptions), _CoroutineFn,
             p),
            ("routes", i, _RouteFn, p),
            ("stats", i, _StatFn, p),
            ("file_notes", i, _FileNoteFn, p),
            ("force", i, c_char_p),
            ("pin", i, c_char_p),
            ("prepare", i, i),
            ("set_signal", i, i),
            ("watch_open", i, c_char_p, POINTER(_WatchOptions), POINTER(p)),
            ("watch_close", None, p),
            ("watch_fd", i, p, POINTER(i)),
            ("watch_read", i, p, i, _SampleFn, p),
            ("watch_wake", i, p),
            ("watch_each", i, p, _SampleFn, p),
            ("watch_stop", i, p),
            ("watch_tally", i, p, POINTER(_Tally)),
            ("watch_events", i, p, _EventFn, p),
            ("async_open", i, POINTER(p)),
            ("async_close", None, p),
            ("async_submit", i, p, thread, i, u, q, POINTER(q)),
            ("async_collect", i, p, q, p, POINTER(p)),
            ("async_cancel", i, p, q),
            ("async_release", i, p, q),
            ("async_next", i, p, POINTER(_Ready)),
            ("async_fd", i, p, POINTER(i)),
            ("async_watch", i, p, c_char_p, POINTER(_WatchOptions)),
            ("async_limit", i, c_uint32, c_size_t))
    for name, result, *arguments in calls:
        try:
            call = getattr(lib, "stack9_" + name)
        except AttributeError as e:
            raise ImportError(f"libstack9 is not of a release that this "
                              f"module knows: {e}") from None
        call.restype = result
        call.argtypes = arguments
    if lib.stack9_version() < _VERSION:
        raise ImportError(f"libstack9 {lib.stack9_version()} is older than "
                          f"this module, {_VERSION}")
    return lib


_lib = _load()


def version() -> int:
    """The version of the library: 10000 * major + 100 * minor + patch."""
    return int(_lib.stack9_version())


# Errors.

class Error(OSError):
    """A call failed: errno is the number, strerror the sentence."""

    @property
    def reason(self) -> str:
        """The sentence."""
        return self.strerror or ""


class ThreadGoneError(Error, ProcessLookupError):
    """ESRCH: the thread or process is gone."""


class RightsError(Error, PermissionError):
    """EPERM: needs privilege."""


class AgainError(Error, BlockingIOError):
    """EAGAIN: ask again."""


class UnsupportedError(Error):
    """EOPNOTSUPP: never on this machine."""


_CLASSES = {_errno.ESRCH: ThreadGoneError, _errno.EPERM: RightsError,
            _errno.EAGAIN: AgainError, _errno.EOPNOTSUPP: UnsupportedError}


def _reason() -> str:
    return _text(_lib.stack9_reason())


def _check(error: int, reason: str = "") -> None:
    if error == _errno.ENOMEM:
        raise MemoryError
    if error != 0:
        raise _CLASSES.get(error, Error)(error, reason or (
            "an argument is wrong" if error == _errno.EINVAL else _reason()))


def _text(raw: Optional[bytes]) -> str:
    return (raw or b"").decode("utf-8", "backslashreplace")


def _raw(text: str) -> bytes:
    return os.fsencode(text)


def _ms(seconds: Optional[float]) -> int:
    return -1 if seconds is None else min(round(seconds * 1000), 0x7fffffff)


class _Relay:
    """Calls a function from C, and keeps what it raises."""

    def __init__(self, fn: Callable[[Any], Any],
                 make: Callable[[Any], Any]) -> None:
        self._fn = fn
        self._make = make
        self._raised: Optional[BaseException] = None

    def __call__(self, _arg: Optional[int], lent: Any) -> int:
        try:
            answer = self._fn(self._make(lent))
            if answer is not None and answer is not STOP:
                raise TypeError("the function returns None, or stack9.STOP")
            return 0 if answer is None else 1
        except BaseException as e:  # pylint: disable=broad-except
            self._raised = e
            return 1

    def reraise(self) -> None:
        """Raises what the function raised."""
        if self._raised is not None:
            raise self._raised

    def finish(self, error: int) -> None:
        """Ends the call that called the function."""
        self.reraise()
        if error != _errno.ECANCELED:
            _check(error)


class _Owner:
    """Owns something of the library, and gives it back."""

    _handle: Optional[int] = None
    _give_back: Callable[[Optional[int]], None]

    def close(self) -> None:
        """Gives it back; a second time does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._give_back(handle)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


# Frames and spaces.

@dataclass(frozen=True)
class Frame:
    """A function, or a call that was inlined into the next frame.

    Members that are not known are 0 or "".
    """
    name: str           #: readable; "": there is no symbol
    linkage: str        #: as the symbol table has it
    module: str         #: the file, "[vdso]", the kernel's module; "" the kernel
    file: str           #: of the source
    line: int
    column: int
    index: int          #: of pc in the stack, from 0
    pc: int
    offset: int         #: pc minus the function's start
    size: int           #: of the function
    start: int          #: the mapping that pc is in
    end: int
    file_offset: int    #: of pc in module
    vaddr: int          #: of pc in the ELF image
    build_id: bytes     #: of module
    inlined: bool
    kernel: bool        #: in the kernel
    exact: bool         #: pc is where the thread was, not a return address
    has_pc: bool        #: False: its address is not known
    deleted: bool       #: the file of module has no name now
    hidden: bool        #: names are hidden from this caller
    signal: bool        #: a signal has made it; the next one was interrupted

    def __str__(self) -> str:
        """"name+0x10", "name (inlined)", or "0x1234" without a symbol.

        " at FILE:LINE" follows if the line is known.
        """
        where = f" at {self.file}:{self.line}" if self.file and self.line else ""
        if not self.name:
            return f"{self.pc:#x}" + where
        return self.name + (" (inlined)" if self.inlined else
                            f"+{self.offset:#x}") + where

    @property
    def place(self) -> Place:
        """What names the frame later, where no process has its file."""
        return Place(self.build_id, self.vaddr, self.module, self.exact)

    @classmethod
    def _of(cls, pointer: Any) -> Frame:
        c = pointer.contents
        return cls(
            name=_text(c.name), linkage=_text(c.linkage),
            module=_text(c.module), file=_text(c.file), line=c.line,
            column=c.column, index=c.index, pc=c.pc, offset=c.offset,
            size=c.size, start=c.start, end=c.end, file_offset=c.file_offset,
            vaddr=c.vaddr,
            build_id=bytes(c.build_id[:c.build_id_size])
            if c.build_id_size else b"",
            inlined=c.kind == _INLINED, kernel=bool(c.flags & _KERNEL_FRAME),
            exact=bool(c.flags & _EXACT_FRAME), has_pc=not c.flags & _NO_PC,
            deleted=bool(c.flags & _DELETED), hidden=bool(c.flags & _HIDDEN),
            signal=bool(c.flags & _SIGNAL))


class Place(NamedTuple):
    """An address of a file, whichever process had it mapped."""
    build_id: bytes
    vaddr: int          #: of the ELF image
    module: str = ""    #: the path that the file had
    exact: bool = False  #: no return address


def _naming(lines: bool, debuginfod: bool, linkage: bool) -> int:
    return (_LINES if lines else 0) | (_DEBUGINFOD if debuginfod else 0) | (
        _LINKAGE if linkage else 0)


def _frames(call: Callable[[Any], int]) -> List[Frame]:
    found: List[Frame] = []
    relay = _Relay(found.append, Frame._of)
    relay.finish(call(_FrameFn(relay)))
    return found


class Space(_Owner):
    """A snapshot of the address space of a process, which outlives it.

    Equal spaces are equal mappings of code.
    """

    _give_back = _lib.stack9_space_close

    def __init__(self, handle: int) -> None:
        self._handle = handle

    @classmethod
    def of(cls, thread: Thread) -> Space:
        """The space that the thread's process has now."""
        handle = c_void_p()
        _check(_lib.stack9_space_open(thread._c(), byref(handle)))
        return cls(handle.value or 0)

    @classmethod
    def of_file(cls, path: str) -> Space:
        """A space of one ELF file, whose addresses are those of its image."""
        handle = c_void_p()
        _check(_lib.stack9_space_open_file(os.fsencode(path), byref(handle)))
        return cls(handle.value or 0)

    @classmethod
    def of_build_ids(cls, paths: Sequence[str]) -> Space:
        """A space without a process, which names places.

        Files are found by their build-ids in these directories and files.
        """
        handle = c_void_p()
        raw = (c_char_p * len(paths))(*(os.fsencode(p) for p in paths))
        _check(_lib.stack9_space_open_build_ids(raw, len(paths),
                                                byref(handle)))
        return cls(handle.value or 0)

    def address_of(self, place: Place) -> int:
        """The address that stands for a place in such a space."""
        raw = (c_ubyte * max(len(place.build_id), 1))(*place.build_id)
        c = _Place(build_id_size=len(place.build_id),
                   build_id=ctypes.cast(raw, POINTER(c_ubyte)),
                   module=os.fsencode(place.module), vaddr=place.vaddr)
        pc = c_uint64()
        error = _lib.stack9_space_place(self._handle, byref(c), byref(pc))
        _check(error, _reason() if error else "")
        return pc.value

    def frames_of(self, place: Place, *, lines: bool = False,
                  debuginfod: bool = False, linkage: bool = False
                  ) -> List[Frame]:
        """The frames of a place, by a space of of_build_ids()."""
        return self.frames(self.address_of(place),
                           return_address=not place.exact, lines=lines,
                           debuginfod=debuginfod, linkage=linkage)

    def read_text(self, text: str) -> List[Sample]:
        """The stacks of a text of stack9_text(3), which this space names."""
        raw, at = text.encode("utf-8", "surrogateescape"), 0
        found: List[Sample] = []
        while True:
            held, used = c_void_p(), c_size_t()
            rest = raw[at:]
            error = _lib.stack9_read_text(self._handle, rest, len(rest),
                                          byref(used), byref(held))
            if error == _errno.ENOENT and found:
                return found
            _check(error, _reason() if error else "")
            found.append(Sample(held.value or 0))
            at += used.value

    def frames(self, pc: int, *, return_address: bool = False,
               lines: bool = False, debuginfod: bool = False,
               linkage: bool = False) -> List[Frame]:
        """The frames of one address."""
        return frames_at(pc, space=self, return_address=return_address,
                         lines=lines, debuginfod=debuginfod, linkage=linkage)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and self._handle == other._handle

    def __hash__(self) -> int:
        return hash(self._handle)


def frames_at(pc: int, *, space: Optional[Space] = None,
              return_address: bool = False, lines: bool = False,
              debuginfod: bool = False, linkage: bool = False) -> List[Frame]:
    """The frames of an address of a space, of the kernel, or of this process."""
    flags = _naming(lines, debuginfod, linkage) | (
        _RETURN if return_address else 0)
    return _frames(lambda fn: int(_lib.stack9_frame_at(
        space and space._handle, pc, flags, fn, None)))


# Threads, samples and stacks.

class Thread(NamedTuple):
    """A thread, named for good: a tid may be reused, not with the same start."""
    tid: int
    pid: int
    start: int = 0

    @classmethod
    def current(cls) -> Thread:
        """The calling thread."""
        c = _Thread()
        _check(_lib.stack9_thread_self(byref(c)))
        return cls(c.tid, c.pid, c.start)

    @classmethod
    def find(cls, tid: int) -> Thread:
        """The thread that has this tid now; of a process, its first thread."""
        c = _Thread()
        _check(_lib.stack9_thread_find(tid, byref(c)))
        return cls(c.tid, c.pid, c.start)

    def siblings(self) -> List[Thread]:
        """The threads of this thread's process, by ascending tid."""
        room, there = 64, c_uint32()
        while True:
            found = (_Thread * room)()
            _check(_lib.stack9_thread_list(self._c(), found, room,
                                           byref(there)))
            if there.value <= room:
                return [Thread(c.tid, c.pid, c.start)
                        for c in found[:there.value]]
            room = there.value + 64

    def save(self, side: Side = Side.BOTH, *, frames: int = 0,
             timeout: float = 0, no_stop: bool = False,
             space: Optional[Space] = None,
             since: bool = False, languages: bool = False) -> Sample:
        """Captures the stacks, and asks again for timeout seconds.

        The user side is unwound and named by space, or by the one that the
        process has now.  since: also tell how long the thread is in its state.
        languages: with the functions that interpreters run, and the name that
        a runtime has for the thread, of another process.
        If no side has a stack, the error is raised that the sample has.
        """
        held = c_void_p()
        error = _lib.stack9_save(self._c(), side, _options(
            frames, timeout, no_stop, space, since=since,
            languages=languages), byref(held))
        sample = Sample(held.value) if held.value else None
        _check(error)
        assert sample is not None
        return sample

    def samples(self, side: Side = Side.BOTH, *, frames: int = 0,
                no_stop: bool = False,
                languages: bool = False) -> List[Sample]:
        """Captures every thread of this thread's process, in one pass."""
        return samples(side, process=self, frames=frames, no_stop=no_stop,
                       languages=languages)

    def _c(self) -> _Thread:
        return _Thread(self.tid, self.pid, self.start)


def _options(frames: int, timeout: float, no_stop: bool,
             space: Optional[Space] = None, states: str = "",
             since: float = 0, languages: bool = False) -> _SaveOptions:
    return _SaveOptions(flags=(1 if no_stop else 0) | (2 if since else 0) |
                        (4 if languages else 0),
                        frames=frames, timeout_ms=_ms(timeout),
                        space=space and space._handle,
                        states=_raw(states) if states else None,
                        since_ns=0 if since is True else int(since * 1e9))


class Stack(Sequence[int]):
    """One side of a thread at one moment: a sequence of its addresses.

    The innermost one comes first.  An empty stack has an error; a stack whose
    route knows no addresses is empty too, and has frames.
    """

    def __init__(self, sample: Sample, pointer: Any) -> None:
        self._sample = sample  # which keeps the memory
        self._pointer = pointer
        c = pointer.contents
        self.side = Side(c.side)
        self.error: int = c.error       #: 0, or why depth is 0 (errno)
        self.why = Why(c.why)
        self.reason = _text(c.reason)   #: why, in a sentence
        self.route = _text(c.route)     #: that took or refused it
        self.exact = bool(c.flags & _EXACT)
        self.guessed = bool(c.flags & _GUESSED)
        #: its thread's name, as the runtime of a language has it; "": unknown
        self.thread_name = _text(c.thread_name or b"")
        self.depth: int = c.depth
        self.dropped: int = c.dropped   #: frames missing outside
        self.when_ns: int = c.when_ns   #: CLOCK_BOOTTIME; 0: unknown
        self.pcs: Tuple[int, ...] = tuple(c.pcs[:c.depth]) if c.pcs else ()
        self._hash: int = c.hash

    @property
    def complete(self) -> bool:
        """The outermost frame was reached."""
        return self.depth != 0 and self.why == Why.NONE

    @property
    def space(self) -> Optional[Space]:
        """The space that names pcs; None: the kernel, or this process."""
        held = _lib.stack9_space_hold(self._c().space)
        return Space(held) if held else None

    def places(self) -> List[Place]:
        """What names the frames of a user side later, innermost first."""
        self._c()
        return [f.place for f in _frames(lambda fn: int(_lib.stack9_frames(
            ctypes.cast(self._pointer, c_void_p), _PLACES, fn, None)))]

    def frames(self, *, lines: bool = False, debuginfod: bool = False,
               linkage: bool = False) -> List[Frame]:
        """The frames with names, innermost first."""
        flags = _naming(lines, debuginfod, linkage)
        self._c()
        return _frames(lambda fn: int(_lib.stack9_frames(
            ctypes.cast(self._pointer, c_void_p), flags, fn, None)))

    def _c(self) -> Any:
        self._sample._open()
        return self._pointer.contents

    def __getitem__(self, index: Any) -> Any:
        return self.pcs[index]

    def __len__(self) -> int:
        return len(self.pcs)

    def __bool__(self) -> bool:
        return self.depth != 0

    def __eq__(self, other: object) -> bool:
        """The same addresses by the same code, the same end and error."""
        if not isinstance(other, Stack):
            return NotImplemented
        self._c()
        other._c()
        return bool(_lib.stack9_stack_same(
            ctypes.cast(self._pointer, c_void_p),
            ctypes.cast(other._pointer, c_void_p)))

    def __hash__(self) -> int:
        return hash(self._hash)


_WAKING = {1: "thread", 2: "interrupt", 3: "unknown"}


class Sample(_Owner):
    """One thread at one moment, or one event, or events of the same stacks."""

    _give_back = _lib.stack9_sample_close

    def __init__(self, held: int) -> None:
        self._handle = held
        c = ctypes.cast(held, POINTER(_Sample)).contents
        self.thread = Thread(c.thread.tid, c.thread.pid, c.thread.start)
        self.comm = _text(c.comm)
        self.state = chr(c.state)       #: a letter as in /proc/TID/stat; "?"
        self.cpu: int = c.cpu           #: -1: unknown
        self.tracer: int = c.tracer
        self.when_ns: int = c.when_ns   #: CLOCK_BOOTTIME; 0: unknown, counted
        self.since_ns: int = c.since_ns  #: so long in its state; 0: unknown
        self.kind: int = c.kind         #: 0: a thread, 1: an event, 2: counted
        self.event = _text(c.event)     #: of an event
        self.events: int = c.events     #: 1; counted: their number
        self.weight_ns: int = c.weight_ns
        self.dropped: int = c.dropped   #: events lost since the last sample
        self.cookie: int = c.cookie
        self.waking = _WAKING.get(c.waking, "")  #: who ended the wait, in a word
        self._waker = c.waker
        self._kernel = c.kernel
        self._user = c.user

    @classmethod
    def _hold(cls, lent: Any) -> Sample:
        held = _lib.stack9_sample_hold(ctypes.cast(lent, c_void_p))
        if not held:
            raise MemoryError
        return cls(held)

    @property
    def kernel(self) -> Optional[Stack]:
        """The kernel's side; None: not asked for."""
        self._open()
        return Stack(self, self._kernel) if self._kernel else None

    @property
    def user(self) -> Optional[Stack]:
        """The user's side; None: not asked for."""
        self._open()
        return Stack(self, self._user) if self._user else None

    @property
    def waker(self) -> Optional[Sample]:
        """Who ended the wait, with its stacks then; None: not known."""
        self._open()
        return Sample._hold(self._waker) if self._waker else None

    def text(self, *, addresses: bool = False, lines: bool = False,
             debuginfod: bool = False, linkage: bool = False) -> str:
        """The sample as stackprint(1) prints it."""
        parts: List[bytes] = []

        def append(_arg: Any, text: int, size: int) -> None:
            parts.append(ctypes.string_at(text, size))

        _check(_lib.stack9_print(
            self._open(), _naming(lines, debuginfod, linkage) |
            (_ADDRESSES if addresses else 0), _TextFn(append), None))
        return _text(b"".join(parts))

    def to_text(self) -> str:
        """The text of stack9_text(3), by which the stacks are named later."""
        parts: List[bytes] = []

        def append(_arg: Any, text: int, size: int) -> None:
            parts.append(ctypes.string_at(text, size))

        _check(_lib.stack9_write_text(self._open(), 0, _TextFn(append), None))
        return _text(b"".join(parts))

    def _open(self) -> int:
        if self._handle is None:
            raise ValueError("the sample is closed")
        return self._handle

    def __str__(self) -> str:
        return self.text()

    def __eq__(self, other: object) -> bool:
        """Both stacks are the same; the thread does not count."""
        if not isinstance(other, Sample):
            return NotImplemented
        return bool(_lib.stack9_sample_same(self._open(), other._open()))

    def __hash__(self) -> int:
        self._open()
        return hash(tuple(side.contents.hash if side else 0
                          for side in (self._kernel, self._user)))


def each(fn: Callable[[Sample], Any], side: Side = Side.BOTH, *,
         process: Optional[Thread] = None, frames: int = 0,
         no_stop: bool = False, states: str = "", since: float = 0,
         languages: bool = False) -> None:
    """Captures every thread of a process, or of the machine, for fn.

    states: only those in these states, "D" for instance.  since: only those
    that are in their states for so many seconds.  languages: as of save().
    """
    relay = _Relay(fn, Sample._hold)
    relay.finish(_lib.stack9_each(
        process._c() if process else None, side,
        _options(frames, 0, no_stop, None, states, since, languages),
        _SampleFn(relay), None))


def samples(side: Side = Side.BOTH, *, process: Optional[Thread] = None,
            frames: int = 0, no_stop: bool = False, states: str = "",
            since: float = 0, languages: bool = False) -> List[Sample]:
    """Captures threads of a process, or of the machine, in one pass: each()."""
    found: List[Sample] = []
    each(found.append, side, process=process, frames=frames, no_stop=no_stop,
         states=states, since=since, languages=languages)
    return found


class Holder(NamedTuple):
    """A thread that can end a wait."""
    thread: Thread
    role: str       #: "owner", "target", "tracer", "peer"; "" a newer one
    process: bool   #: any thread of the process


class Wait(NamedTuple):
    """What a thread waits for, and who can end it; see stack9_waits(3)."""
    sample: Sample
    kind: str       #: in words, as stackprint --waits prints it
    number: int     #: of the kind, STACK9_WAIT_...
    error: int      #: of a kind that is unknown: an errno
    reason: str     #: why there is no holder or no kind; "" nothing to say
    object: str     #: the file, socket or descriptors
    fd: int         #: -1: none
    call: str       #: the system call; "" none
    args: Tuple[int, ...]
    address: int    #: of the lock; 0: none
    place: str      #: the variable that the lock is in
    left_ns: int    #: until it ends by its time; 0: not known
    idle_ns: int    #: since the thread ran last; 0: not known
    timed: bool     #: it ends at a time, too
    all_holders: bool   #: nobody but the holders can end it
    by_readers: bool    #: readers have the lock
    holders: Tuple[Holder, ...]
    by_others: bool = False  #: others than the holders can end it, too
    moved: bool = False     #: the stacks are not of this wait
    changing: bool = False  #: who holds it has changed; ask again


_ROLES = {1: "owner", 2: "target", 3: "tracer", 4: "peer"}


def waits(of: Sequence[Sample]) -> List[Wait]:
    """What the threads of samples wait for, in their order."""
    found: List[Wait] = []

    def add(lent: Any) -> None:
        c = lent.contents
        found.append(Wait(
            of[len(found)], _text(_lib.stack9_wait_text(c.kind)), c.kind,
            c.error, _text(c.reason), _text(c.object), c.fd, _text(c.call),
            tuple(c.args[:c.args_used]) if c.call else (), c.address,
            _text(c.place), c.left_ns, c.idle_ns, bool(c.flags & _TIMED),
            bool(c.flags & _ALL_HOLDERS), bool(c.flags & _BY_READERS),
            tuple(Holder(Thread(h.thread.tid, h.thread.pid, h.thread.start),
                         _ROLES.get(h.role, ""), bool(h.flags & _PROCESS))
                  for h in c.holder[:c.holders]),
            bool(c.flags & _BY_OTHERS), bool(c.flags & _MOVED),
            bool(c.flags & _CHANGING)))

    relay = _Relay(add, lambda lent: lent)
    handles = (c_void_p * len(of))(*(s._open() for s in of))
    relay.finish(_lib.stack9_waits(handles, len(of), 0, _WaitFn(relay), None))
    return found


class ThreadState(NamedTuple):
    """A thread as the scheduler has it; see stack9_waits(3).

    If two looks found the same switches, and neither found it on a CPU, the
    thread has not run in between.
    """
    thread: Thread
    comm: str       #: its name
    state: str      #: a letter as in /proc/TID/stat; "?"
    cpu: int        #: on it, or last on it; -1: unknown
    on_cpu: bool    #: or it may run, where only /proc was allowed
    switches: int   #: of contexts, so far
    when_ns: int    #: CLOCK_BOOTTIME
    since_ns: int   #: in its state at least so long; 0: not known
    since_most_ns: int  #: and at most; 0: not known


def states(process: Optional[Thread] = None) -> List[ThreadState]:
    """The states of all threads of a process, or of the machine, by tid."""
    found: List[ThreadState] = []

    def add(lent: Any) -> None:
        c = lent.contents
        found.append(ThreadState(
            Thread(c.thread.tid, c.thread.pid, c.thread.start), _text(c.comm),
            chr(c.state), c.cpu, bool(c.flags & _ON_CPU), c.switches,
            c.when_ns, c.since_ns, c.since_most_ns))

    relay = _Relay(add, lambda lent: lent)
    relay.finish(_lib.stack9_states(process._c() if process else None, 0,
                                    _StateFn(relay), None))
    return found


class Coroutine(NamedTuple):
    """A stack that runs on no thread; see stack9_coroutines(3)."""
    id: int         #: its number in the runtime
    runtime: str    #: "go", "asyncio"
    state: str      #: in the runtime's words
    sample: Sample  #: its user side is the stack
    name: str       #: of a task; ""
    waits_for: int  #: id of the task that it waits for; 0


def coroutines(process: Thread, *, frames: int = 0,
               languages: bool = False) -> List[Coroutine]:
    """The coroutines of a process that run on no thread: goroutines of Go,
    and with languages the tasks of asyncio."""
    found: List[Coroutine] = []

    def add(lent: Any) -> None:
        c = lent.contents
        found.append(Coroutine(c.id, _text(c.runtime), _text(c.state),
                               Sample._hold(c.sample), _text(c.name),
                               c.waits_for))

    relay = _Relay(add, lambda lent: lent)
    relay.finish(_lib.stack9_coroutines(
        process._c(), _options(frames, 0, False, languages=languages),
        _CoroutineFn(relay), None))
    return found


def save_self(most: int = 128, skip: int = 0) -> Tuple[int, ...]:
    """The return addresses of the calling thread's own native stack."""
    pcs = (c_uint64 * most)()
    told = _Self()
    _check(_lib.stack9_save_self(pcs, most, skip, byref(told)),
           "there are not so many frames")
    return tuple(pcs[:told.depth])


# Watches.

class Tally(NamedTuple):
    """The events that passed, by their outcome; see stack9_watch(3)."""
    frames: int
    probes: int
    no_walk: bool    #: this kernel cannot walk user sides by learned rules
    events: int
    kept: int
    spilled: int
    no_room: int
    nested: int
    stacks: int
    truncated: int
    skipped: int
    walked: int
    copied: int
    refused: int
    remembered: int
    lacking: int


#: The options that are flags of struct stack9_watch_options.
_WATCH_FLAGS = {"regex": 2, "others": 4, "by_process": 0x10,
                "frame_pointers": 0x20, "copy": 0x400, "wakers": 0x800,
                "native": 0x1000}


def _watch_options(options: Dict[str, Any]) -> _WatchOptions:
    flags = 0
    for name, bit in _WATCH_FLAGS.items():
        flags |= bit if options.pop(name, False) else 0
    cpu = options.pop("cpu", None)
    if cpu is not None:
        flags |= 1
    for name in ("comm", "cgroup"):
        if options.get(name):
            options[name] = _raw(options[name])
    unknown = set(options) - {field[0] for field in _WatchOptions._fields_}
    if unknown:
        raise TypeError(f"unknown option {min(unknown)}")
    return _WatchOptions(flags=flags, cpu=cpu or 0, **options)


class Watch(_Owner):
    """The stacks that lead to events, named as in stackcount(1).

    Events are counted, or each is given to read() if stream is true.  Options
    are those of struct stack9_watch_options: side, pid, tid, cpu, regex, others,
    by_process, frame_pointers, copy, wakers, native, frames, stacks, ring,
    limit, min_ns, max_ns, comm, cgroup, cookie, rules.  Only one thread at a
    time may use a watch, except for wake().
    """

    _give_back = _lib.stack9_watch_close

    def __init__(self, events: str, *, stream: bool = False,
                 **options: Any) -> None:
        handle = c_void_p()
        error = _lib.stack9_watch_open(_raw(events), _watch_options(
            {"mode": 2 if stream else 1, **options}), byref(handle))
        _check(error, _reason() if error else "")
        self._handle = handle.value
        self.stream = stream

    def read(self, timeout: Optional[float] = None,
             fn: Optional[Callable[[Sample], Any]] = None) -> Reading:
        """Reads the events that have arrived, and waits for timeout seconds.

        The events of a stream go to fn.  Counted events need no fn, and have to
        be read all the same, all the time.
        """
        relay = _Relay(fn, Sample._hold) if fn is not None else None
        error = _lib.stack9_watch_read(
            self._open(), _ms(timeout),
            _SampleFn(relay) if relay else _NO_SAMPLE_FN, None)
        if relay is not None:
            relay.reraise()
        outcome = {0: Reading.EVENTS, _errno.EAGAIN: Reading.NONE,
                   _errno.ECANCELED: Reading.STOPPED,
                   _errno.ESRCH: Reading.ENDED,
                   _errno.EINTR: Reading.WOKEN}.get(error)
        if outcome is None:
            _check(error)
        assert outcome is not None
        return outcome

    def __iter__(self) -> Iterator[Sample]:
        """The events of a stream, until the process ends or wake() is called."""
        while True:
            arrived: List[Sample] = []
            outcome = self.read(None, arrived.append)
            yield from arrived
            if outcome in (Reading.ENDED, Reading.WOKEN):
                return

    def each(self, fn: Callable[[Sample], Any]) -> None:
        """Gives fn each distinct stack that was counted, in no order."""
        relay = _Relay(fn, Sample._hold)
        relay.finish(_lib.stack9_watch_each(self._open(), _SampleFn(relay),
                                            None))

    def samples(self) -> List[Sample]:
        """The distinct stacks that were counted, the most frequent first."""
        found: List[Sample] = []
        self.each(found.append)
        return sorted(found, key=lambda s: -s.events)

    def stop(self) -> None:
        """No event is captured from then on."""
        _check(_lib.stack9_watch_stop(self._open()))

    def wake(self) -> None:
        """Ends a read() in another thread, or the next one."""
        _check(_lib.stack9_watch_wake(self._open()))

    def tally(self) -> Tally:
        """The events that passed, by their outcome."""
        c = _Tally()
        _check(_lib.stack9_watch_tally(self._open(), byref(c)))
        return Tally(
            c.frames, c.probes, bool(c.flags & _NO_WALK), c.events, c.kept,
            c.spilled, c.no_room, c.nested, c.stacks, c.truncated, c.skipped,
            c.walked, c.copied, c.refused, c.remembered, c.lacking)

    def events(self) -> List[str]:
        """The name of each event that is watched."""
        found: List[str] = []
        relay = _Relay(lambda raw: found.append(_text(raw)), lambda raw: raw)
        relay.finish(_lib.stack9_watch_events(self._open(), _EventFn(relay),
                                              None))
        return found

    def fileno(self) -> int:
        """A descriptor for select and poll; neither read nor close it."""
        fd = c_int()
        _check(_lib.stack9_watch_fd(self._open(), byref(fd)))
        return fd.value

    def _open(self) -> int:
        if self._handle is None:
            raise ValueError("the watch is closed")
        return self._handle


# Asynchronous captures.

class Arrival(NamedTuple):
    """A submission that is over, or events that were lost (id 0)."""
    id: int
    cookie: int
    dropped: int


class Async(_Owner):
    """A stream of asynchronous captures; see stack9_async(3)."""

    _give_back = _lib.stack9_async_close

    def __init__(self) -> None:
        handle = c_void_p()
        _check(_lib.stack9_async_open(byref(handle)))
        self._handle = handle.value

    def submit(self, thread: Thread, side: Side = Side.BOTH, *,
               wake: bool = False, cookie: int = 0) -> Submission:
        """Asks for the stacks of a thread, of any process."""
        number = c_uint64()
        _check(_lib.stack9_async_submit(self._open(), thread._c(), side,
                                        1 if wake else 0, cookie,
                                        byref(number)))
        return Submission(self, number.value)

    def next(self) -> Optional[Arrival]:
        """The next submission that is over; None: none is ready."""
        c = _Ready()
        error = _lib.stack9_async_next(self._open(), byref(c))
        if error == _errno.EAGAIN:
            return None
        _check(error)
        return Arrival(c.id, c.cookie, c.dropped)

    def take(self, arrival: Arrival) -> Submission:
        """Owns a submission that an event made."""
        return Submission(self, arrival.id)

    def watch(self, events: str, **options: Any) -> None:
        """Submits each thread to which an event happens.

        Events are t:CATEGORY:NAME or cpu-clock:HZ, options pid, tid, side and
        cookie.
        """
        _check(_lib.stack9_async_watch(self._open(), _raw(events),
                                       _watch_options(options)))

    def fileno(self) -> int:
        """A descriptor for select and poll; neither read nor close it."""
        fd = c_int()
        _check(_lib.stack9_async_fd(self._open(), byref(fd)))
        return fd.value

    @staticmethod
    def limit(captures: int, size: int) -> None:
        """Sets the memory of all streams, before the first is opened."""
        _check(_lib.stack9_async_limit(captures, size))

    def _open(self) -> int:
        if self._handle is None:
            raise ValueError("the stream is closed")
        return self._handle


class Submission(_Owner):
    """One submission, under way or over; close() releases it."""

    def __init__(self, stream: Async, number: int) -> None:
        self._stream = stream
        self._handle = number
        self.id = number

    def _give_back(self, handle: Optional[int]) -> None:
        if self._stream._handle is not None:  # None: it is released already
            _lib.stack9_async_release(self._stream._handle, handle)

    def collect(self, space: Optional[Space] = None) -> Sample:
        """The stacks.  The user side has EAGAIN while it is under way."""
        held = c_void_p()
        error = _lib.stack9_async_collect(
            self._stream._open(), self._handle or 0,
            space and space._handle, byref(held))
        if held.value:
            return Sample(held.value)
        _check(error)
        raise AssertionError("a sample was promised")

    def cancel(self) -> None:
        """EALREADY: it was over before."""
        _check(_lib.stack9_async_cancel(self._stream._open(),
                                        self._handle or 0))


# The machine.

class Route(NamedTuple):
    """A route of a job; error is 0, or the errno that says why not."""
    job: str
    name: str
    error: int
    reason: str


class Stat(NamedTuple):
    """A count of the unwinder of this process's stacks."""
    name: str
    value: int
    meaning: str


class FileNote(NamedTuple):
    """What names and lines lack because a file lacks it."""
    file: str
    lacks: str
    meaning: str


def routes() -> List[Route]:
    """The routes of all jobs, in the order in which they are tried."""
    found: List[Route] = []

    def append(_arg: Any, job: bytes, name: bytes, error: int,
               reason: bytes) -> int:
        found.append(Route(_text(job), _text(name), error, _text(reason)))
        return 0

    _check(_lib.stack9_routes(_RouteFn(append), None))
    return found


def stats() -> List[Stat]:
    """What the unwinder of this process's stacks has done so far."""
    found: List[Stat] = []

    def append(_arg: Any, name: bytes, value: int, meaning: bytes) -> int:
        found.append(Stat(_text(name), value, _text(meaning)))
        return 0

    _check(_lib.stack9_stats(_StatFn(append), None))
    return found


def file_notes() -> List[FileNote]:
    """What could not be read of files, and what would help."""
    found: List[FileNote] = []

    def append(_arg: Any, file: bytes, lacks: bytes, meaning: bytes) -> int:
        found.append(FileNote(_text(file), _text(lacks), _text(meaning)))
        return 0

    _check(_lib.stack9_file_notes(_FileNoteFn(append), None))
    return found


def force(names: str) -> None:
    """Restricts the jobs to the named routes; "" means all routes."""
    _check(_lib.stack9_force(_raw(names)))


def pin(directory: str) -> None:
    """Keeps BPF programs in a bpffs directory, for later processes."""
    _check(_lib.stack9_pin(_raw(directory)))


def prepare(side: int) -> None:
    """Loads what the first capture of a side needs."""
    _check(_lib.stack9_prepare(side))


def read_apart(flags: int = 0) -> None:
    """Has the files of other processes read by a child without rights."""
    _check(_lib.stack9_read_apart(flags))


def set_signal(number: int) -> None:
    """Sets the signal that asks a running sibling thread for its stack."""
    _check(_lib.stack9_set_signal(number))


def demangle(name: str) -> str:
    """The name as in the source of C++, Rust or D, or the name itself."""
    need = c_size_t(256)
    while True:
        room = ctypes.create_string_buffer(need.value)
        if _lib.stack9_demangle(_raw(name), room, len(room),
                                byref(need)) != _errno.ENOSPC:
            return _text(room.value)


def why_text(why: int) -> str:
    """A sentence for a reason."""
    return _text(_lib.stack9_why_text(why))
