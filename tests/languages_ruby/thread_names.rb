# Starts threads with names of all kinds, and prints what Ruby calls them.
#
# SPDX-License-Identifier: BSD-2-Clause
def tid
  File.readlink("/proc/thread-self").split("/").last.to_i
end

started = Queue.new
never = Queue.new
NAMES = ["worker", "gr\u00f6\u00dfe \u540d\u524d", "x" * 900, nil, "renamed",
         "twenty three letters ."].freeze
threads = NAMES.map do |name|
  Thread.new do
    Thread.current.name = name if name
    started << [tid, Thread.current]
    never.pop
  end
end
all = threads.map { started.pop }
all.each do |_, thread|
  thread.name = "is renamed now, as said" if thread.name == "renamed"
end
all.each { |id, thread| puts "name #{id} #{thread.name}" }
$stdout.flush
puts "ready"
$stdout.flush
sleep 1 << 20	# without a time Ruby would report a deadlock
