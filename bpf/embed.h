/*
 * Puts the bytes of a BPF object file into the library, for libbpf's loader.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef STACK9_EMBED_H
#define STACK9_EMBED_H

/*
 * S9_EMBED(x) defines s9_bpf_x and s9_bpf_x_end, the bytes of x.bpf.o and their
 * end.  STACK9_SKELETONS is the folder of the object files; the build sets it.
 * The assembler reads the file: the compiler would have to be given five
 * characters for each byte.
 */
#define	S9_EMBED(x)							\
	__asm__(".pushsection .rodata\n"				\
	    "\t.balign 16\n"						\
	    "\t.globl s9_bpf_" #x "\n"					\
	    "\t.hidden s9_bpf_" #x "\n"				\
	    "s9_bpf_" #x ":\n"						\
	    "\t.incbin \"" STACK9_SKELETONS "/" #x ".bpf.o\"\n"	\
	    "\t.globl s9_bpf_" #x "_end\n"				\
	    "\t.hidden s9_bpf_" #x "_end\n"				\
	    "s9_bpf_" #x "_end:\n"					\
	    "\t.byte 0\n"						\
	    "\t.popsection\n");					\
	extern const unsigned char s9_bpf_##x[]				\
	    __attribute__((visibility("hidden")));			\
	extern const unsigned char s9_bpf_##x##_end[]			\
	    __attribute__((visibility("hidden")))

#endif /* STACK9_EMBED_H */
