# Has a thread sleep in a system call with the GVL, and others wait for it.  Prints the tid of
# the one that has it, then those of the others, and "ready".
#
# SPDX-License-Identifier: BSD-2-Clause
$VERBOSE = nil
def tid
  syscall(186)	# gettid
end

all = Queue.new
waiting = Array.new(3) do
  Thread.new do
    all << tid
    sleep 0.3
  end
end
tids = Array.new(3) { all.pop }
Thread.new do
  puts tid, tids, "ready"
  $stdout.flush
  syscall(34)	# pause
end
waiting.each(&:join)
