# Sleeps in two known places, and prints the threads that do.
#
# SPDX-License-Identifier: BSD-2-Clause
$VERBOSE = nil

module Store
  class Shop
    def reserve(queue)
      [1].each do |x|
        { x => 1 }.each_pair { |k, v| take(queue) }
      end
    end

    def take(queue)
      raise "empty"
    rescue
      Shop.open(queue)
    end

    def self.open(queue)
      queue.pop
    end
  end
end

tids = Queue.new
shop = Thread.new do
  tids << syscall(186)
  Store::Shop.new.reserve(Queue.new)
end
first = tids.pop
fiber = Thread.new do
  tids << syscall(186)
  Fiber.new { [2, 1].sort_by { sleep } }.resume
end
[shop, fiber].each { |t| Thread.pass until t.stop? }
puts first, tids.pop, "ready"
STDOUT.flush
sleep 1 << 20	# without a time Ruby would report a deadlock
