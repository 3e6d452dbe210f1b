/*
 * Declares spaces, the frames of stacks, and names.  Programs include
 * <stack9.h>; that includes this file and explains the returned values.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_FRAMES_H
#define STACK9_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include <stack9_settings.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct stack9_sample;
struct stack9_space;
struct stack9_stack;
struct stack9_thread;

/*
 * stack9_space_open() gives the space of td's process, or of the caller's own.
 * If nothing was mapped or unmapped meanwhile, it is the space of a stack that
 * the caller holds.  Equal pointers are equal mappings of code.  This takes
 * 50 us and more, by the number of mappings; each file is opened once, even if
 * many processes have it mapped.
 * Returns 0; ESRCH; EPERM; EOPNOTSUPP: a kernel thread; EINVAL; ENOMEM, EMFILE.
 * stack9_space_hold() adds a reference with a close of its own, and returns
 * space.  stack9_space_close(NULL) does nothing.
 * stack9_space_open_file() gives the space of one ELF file, or of a separate
 * debug file.  In it each address is one of the ELF image: stack9_frame_at()
 * names what was the vaddr of a frame, when no process has the file any more.
 * Returns 0; ENOENT, EACCES and the like of open(2); EINVAL: a pointer is NULL,
 * or path is not a regular file; ENOMEM, EMFILE.
 * stack9_space_open_build_ids() gives a space without a process to name places:
 * a build-id and an address of the ELF image.  Files are looked for in count
 * paths: a directory of debug files (PATH/.build-id/xx/yyy.debug), the cache of
 * debuginfod's client (PATH/ID/debuginfo), a directory of plain files, of which
 * 4096 are looked at, or a file.  A file that has another build-id names
 * nothing.  Files are opened when a place in them is first met.
 * Returns 0; EINVAL: a pointer is NULL; EOPNOTSUPP: the library is for its own
 * process only; ENOMEM.
 */
int	stack9_space_open(const struct stack9_thread *td,
	    struct stack9_space **space);
int	stack9_space_open_file(const char *path, struct stack9_space **space);
int	stack9_space_open_build_ids(const char *const *paths, uint32_t count,
	    struct stack9_space **space);
struct stack9_space *stack9_space_hold(struct stack9_space *space);
void	stack9_space_close(struct stack9_space *space);

/* An address of a file, whichever process had it mapped. */
struct stack9_place {
	uint32_t	 size;		/* sizeof(struct stack9_place) */
	uint32_t	 build_id_size;	/* in bytes, at most 64; 0: none */
	const unsigned char *build_id;
	const char	*module;	/* the path that it had; or NULL */
	uint64_t	 vaddr;		/* of the ELF image, below 2^47 */
};

/*
 * Stores the address that stands for a place in a space of
 * stack9_space_open_build_ids(), for stack9_frame_at(): it stays the same as
 * long as the space.  A space has room for 4096 files.
 * Returns 0; EINVAL; ENOSPC: it has places in 4096 other files; ENOMEM.
 */
int	stack9_space_place(struct stack9_space *space,
	    const struct stack9_place *place, uint64_t *pc);

/*
 * A function of a language that the machine does not know, such as Python's, at
 * a line.  It takes the place of the native frame at index, if that only runs
 * it, or comes before that frame.  Several with one index are innermost first.
 */
struct stack9_written {
	uint32_t	 index;		/* of pcs; depth: outside of all */
	uint32_t	 flags;		/* STACK9_WRITTEN_... */
	const char	*language;	/* "python", as stack9(3) lists them */
	const char	*name;		/* as its people write it */
	const char	*file;		/* of the source; "" not known */
	uint32_t	 line;		/* 0: not known */
	uint32_t	 reserved;	/* 0 */
};
#define	STACK9_WRITTEN_REPLACES	0x1u	/* the frame at index only runs it */
#define	STACK9_WRITTEN_GUESSED	0x2u	/* it may be of another moment than
					   the native frames */

/*
 * A lock of the language's machine that the thread waits for: a monitor of
 * Java, or a lock that has an owner, such as a ReentrantLock; Ruby's GVL; or an
 * object of Python's threading.  stack9_waits() gives it with its owner.
 */
struct stack9_written_lock {
	const char	*object;	/* its class, "java.util.Vector", or
					   "threading.Lock in queue.Queue.put";
					   "" not known */
	uint64_t	 address;	/* in its process, then */
	uint64_t	 word_at;	/* of the word that says who has it */
	uint64_t	 owner;		/* pthread_self() of the thread with it;
					   0: not known */
	uint32_t	 word;		/* that word, as it was read */
	uint32_t	 flags;		/* STACK9_WRITTEN_LOCK_... */
};
#define	STACK9_WRITTEN_LOCK_ENDLESS 0x1u /* the wait has no end in time */
#define	STACK9_WRITTEN_LOCK_INTERPRETER 0x2u /* threads run by turns with it */
#define	STACK9_WRITTEN_LOCK_OWNERLESS 0x4u /* it does not record an owner */
#define	STACK9_WRITTEN_LOCK_OBJECT 0x8u /* of a module, not of the machine */
#define	STACK9_WRITTEN_LOCK_CONDITION 0x10u /* such a condition variable */
#define	STACK9_WRITTEN_LOCK_END 0x20u /* the end of a thread, the owner */

/* The kind of a frame.  Further kinds may come. */
enum stack9_frame_kind {
	STACK9_FRAME_FUNCTION = 1,	/* of the kernel or of a program */
	STACK9_FRAME_INLINED = 2,	/* a call inlined into the next frame */
	STACK9_FRAME_WRITTEN = 3	/* a function of an interpreter; it has
					   language, name, file and line */
};

/* Flags of a frame. */
#define	STACK9_FRAME_KERNEL	0x1u	/* in the kernel */
#define	STACK9_FRAME_EXACT	0x2u	/* pc is where the thread was, not a
					   return address */
#define	STACK9_FRAME_NO_PC	0x4u	/* its address is not known; pc is 0 */
#define	STACK9_FRAME_DELETED	0x8u	/* the file of module has no name now */
#define	STACK9_FRAME_HIDDEN	0x10u	/* names are hidden from this caller */
#define	STACK9_FRAME_SIGNAL	0x20u	/* a signal has made it; the next frame
					   was interrupted */
#define	STACK9_FRAME_GUESSED	0x40u	/* WRITTEN: it may be of another moment
					   than the native frames */
#define	STACK9_FRAME_RUNS	0x80u	/* it only runs the frames WRITTEN
					   before it */

/* One frame: a function, or a call that was inlined into it. */
struct stack9_frame {
	uint32_t	 kind;		/* STACK9_FRAME_FUNCTION, ... */
	uint32_t	 flags;		/* STACK9_FRAME_KERNEL, ... */
	uint32_t	 index;		/* of pc in the stack, from 0 */
	uint32_t	 line;		/* 0: not known */
	uint32_t	 column;	/* 0: not known */
	uint32_t	 build_id_size;	/* in bytes; 0: none known */
	uint64_t	 pc;		/* as in the stack */
	uint64_t	 offset;	/* pc minus the function's start */
	uint64_t	 size;		/* of the function; 0: not known */
	const char	*name;		/* the function, readable; "": there is
					   no symbol */
	const char	*linkage;	/* as in the symbol table; "" */
	const char	*module;	/* the file as in /proc/PID/maps,
					   "[vdso]", or the kernel's module; ""
					   the kernel itself, or no file */
	const char	*file;		/* of the source; "" not known */
	const unsigned char *build_id;	/* of module */
	uint64_t	 start, end;	/* the mapping that pc is in; 0 */
	uint64_t	 file_offset;	/* of pc in module */
	uint64_t	 vaddr;		/* of pc in the ELF image; 0: none */
	const char	*language;	/* WRITTEN: "python"; "" machine code */
};

/*
 * A function that takes frames.  The frame is lent until the function returns.
 * If it returns a value other than 0, the call ends with ECANCELED.
 */
typedef int stack9_frame_fn(void *arg, const struct stack9_frame *frame);

#define	STACK9_FRAMES_LINES	0x1u	/* with lines, and inlined calls first,
					   by the DWARF of the file */
#define	STACK9_FRAMES_DEBUGINFOD 0x2u	/* ask the servers of $DEBUGINFOD_URLS
					   for debug files that are not here */
#define	STACK9_FRAMES_LINKAGE	0x4u	/* name is linkage, not demangled */
#define	STACK9_FRAMES_RETURN	0x8u	/* stack9_frame_at(): pc is a return
					   address */
#define	STACK9_FRAMES_PLACES	0x10u	/* user sides: module, build_id and
					   vaddr, and no name */
#define	STACK9_FRAMES_NATIVE	0x20u	/* without frames WRITTEN */
#define	STACK9_FRAMES_ALL	0x40u	/* also those with RUNS, otherwise left
					   out */

/*
 * stack9_frames() calls fn for each frame of a stack, innermost first, of which
 * side and process ever: one that is text has frames with names.
 * stack9_frame_at() does so for one address: of a process, by its space, or of
 * the kernel or the calling process if space is NULL.
 * Names come from the symbol tables of the file that pc was mapped from, of its
 * separate debug file, or of Go, from the perf map that a JIT keeps in its
 * /tmp, or from the kernel.  An address without a symbol is a frame whose name
 * is "".
 * Returns 0; ECANCELED; EINVAL; ENOMEM.
 * The first names of a file take some 50 us each, the seventh up to 1 ms for
 * most files.  Later names take 0.3 us, and 0.1 us for an address that this
 * thread has asked for lately.  A kernel address takes 1 to 2 us, or 50 ns once
 * /proc/kallsyms was read (40 to 60 ms, only if the kernel does not answer
 * itself).  The first line of a file takes milliseconds, later ones take
 * microseconds.
 */
int	stack9_frames(const struct stack9_stack *stack, unsigned int flags,
	    stack9_frame_fn *fn, void *arg);
int	stack9_frame_at(struct stack9_space *space, uint64_t pc,
	    unsigned int flags, stack9_frame_fn *fn, void *arg);

/*
 * Stores the name of pc, an address of the kernel or of this process, as in the
 * symbol table, and the distance of pc from its start.  name is always
 * NUL-ended.  flags: STACK9_FRAMES_RETURN or 0.  offset may be NULL.
 * Returns 0; ENOSPC: the name was cut; ENOENT: no symbol covers it; EPERM:
 * names are hidden from this caller; EAGAIN: the answer would have to wait;
 * EINVAL.
 * The call is async-signal-safe, takes no lock, nothing from the heap, and up
 * to 1 ms; it stores no reason.
 */
int	stack9_name_self(uint64_t pc, unsigned int flags, char *name,
	    size_t size, uint64_t *offset);

/*
 * Prints a sample as stackprint(1) does: a line about the thread, each side
 * with its frames, and a line that says whether each side is complete.  Text
 * goes to fn, or to stdio's stdout if fn is NULL; flags are those of
 * stack9_frames(), and STACK9_PRINT_...
 * Returns 0; EINVAL; ENOMEM; EIO: stdout cannot be written.
 */
#define	STACK9_PRINT_ADDRESSES	0x100u	/* addresses, and the modules */
int	stack9_print(const struct stack9_sample *sample, unsigned int flags,
	    stack9_text_fn *fn, void *arg);

/*
 * Writes a sample as plain text, by which its stacks can be named later, also
 * where no process has its files: stack9_text(3) has the form.  A frame of a
 * user side is a place, or a name if it is in no file.  Frames of the kernel
 * are names.  Text goes to fn, or to stdio's stdout if fn is NULL.  flags: 0.
 * Returns 0; EINVAL; ENOMEM; EIO: stdout cannot be written.
 */
int	stack9_write_text(const struct stack9_sample *sample,
	    unsigned int flags, stack9_text_fn *fn, void *arg);

/*
 * Reads one stack, the first in the size bytes of text, and stores a sample.
 * The caller closes it.  space is one of stack9_space_open_build_ids(), by
 * which stack9_frames() and stack9_print() name the sample.  A text has at most
 * 65536 frames of a side and 8192 bytes in a line.  *used, if used is not NULL,
 * is where the next stack begins.
 * Returns 0; ENOENT: there is no stack in text; EINVAL: a pointer is NULL, the
 * space is another one, or a line is wrong: stack9_reason() has its number;
 * ENOSPC: as stack9_space_place(); ENOMEM.  A megabyte takes 20 ms.
 */
int	stack9_read_text(struct stack9_space *space, const char *text,
	    size_t size, size_t *used, struct stack9_sample **sample);

/*
 * Makes a readable name: C++, Rust and D names as in the source.  The name is
 * stored in text, cut to size and NUL-ended; text may be NULL if size is 0.
 * *need, if need is not NULL, is the size that the whole name needs, with its
 * NUL.
 * Returns 0; ENOSPC: the name was cut; ENOENT: name is not mangled, and text is
 * name; EINVAL.
 */
int	stack9_demangle(const char *name, char *text, size_t size,
	    size_t *need);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* STACK9_FRAMES_H */
