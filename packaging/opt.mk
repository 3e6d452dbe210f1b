# Makes the empty opt_*.h that a program's sources ask for, as FreeBSD's config(8)
# makes them for a kernel.  GNU make and bmake read it:
#
#	STACK9_OPT_SRCS = redzone.c witness.c	# default: *.c
#	include /usr/share/stack9/opt.mk
#
# A header that is there already stays, so a program may write its own.  The
# compiler finds them by CPPFLAGS.
#
# SPDX-License-Identifier: BSD-2-Clause
STACK9_OPT_SRCS ?= *.c
STACK9_OPT_DIR ?= opt
# A dot stands for the number sign: makes disagree about that.
STACK9_OPT_HEADERS != mkdir -p ${STACK9_OPT_DIR} && cat ${STACK9_OPT_SRCS} | \
	sed -n 's/^[[:blank:]]*.[[:blank:]]*include[[:blank:]]*["<]\(opt_[A-Za-z0-9_]*\.h\)[">].*/\1/p' | \
	sort -u | while read -r header; do \
	[ -e "${STACK9_OPT_DIR}/$$header" ] || : > "${STACK9_OPT_DIR}/$$header"; \
	echo "$$header"; done
CPPFLAGS += -I${STACK9_OPT_DIR}
