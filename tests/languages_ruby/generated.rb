# Makes threads whose stacks are random, waits until they sleep, and prints
# Thread#backtrace_locations of each.
#
# Arguments: a seed, the number of threads, the depth.  A method has its class
# in its name: x_of_A__B is A::B#x_of_A__B, x_on_A is A.x_on_A, and x_of_none
# has a class without a name.
#
# SPDX-License-Identifier: BSD-2-Clause
$VERBOSE = nil

module Mixed
  def mix_of_Mixed(plan)
    yield plan
  end
end

module Outer
  class Inner
    def deep_of_Outer__Inner(top, plan)
      top.step_of_Shop(plan)
    end
  end
end

module Fine
  refine String do
    def refined_of_none(top, plan)
      top.step_of_Shop(plan)
    end
  end
end
using Fine

class Parent
  def above(plan)
    step_of_Shop(plan)
  end
end

Pair = Struct.new(:top, :plan) do
  def pair_of_Pair
    top.step_of_Shop(plan)
  end
  def <=>(other)
    top.step_of_Shop(plan)
    0
  end
  def to_s
    top.step_of_Shop(plan)
    ""
  end
end

class Shop < Parent
  include Mixed

  def initialize(random)
    @random = random
    @pipe = IO.pipe	# which would be closed without a reference
  end

  def step_of_Shop(plan)
    return wait_of_Shop if plan.empty?
    send(plan[0], plan[1..-1])
  end

  def k_recursion(plan)
    step_of_Shop(plan)
  end
  def k_each(plan)
    [1].each { |x| step_of_Shop(plan) }
  end
  def k_pairs(plan)
    { a: 1 }.each_pair do |k, v|
      [k].map do
        step_of_Shop(plan)
      end
    end
  end
  def k_rescue(plan)
    raise "in flight"
  rescue => e
    step_of_Shop(plan)
  end
  def k_ensure(plan)
    begin
      raise "in flight"
    ensure
      step_of_Shop(plan)
    end
  end
  def k_quiet_ensure(plan)
    1
  ensure
    step_of_Shop(plan)
  end
  def k_retry(plan)
    tries = 0
    begin
      tries += 1
      raise "again" if tries < 3
      step_of_Shop(plan)
    rescue
      retry
    end
  end
  def k_lambda(plan)
    l = ->(p) {
      step_of_Shop(p)
    }
    l.call(plan)
  end
  def k_proc(plan)
    pr = proc { |p| step_of_Shop(p) }
    pr.(plan)
  end
  def k_method(plan)
    method(:k_recursion).call(plan)
  end
  def k_unbound(plan)
    Shop.instance_method(:k_recursion).bind(self).call(plan)
  end
  define_method(:k_defined) do |plan|
    step_of_Shop(plan)
  end
  class << self
    def single_on_Shop(top, plan)
      top.step_of_Shop(plan)
    end
  end
  def k_singleton(plan)
    self.class.single_on_Shop(self, plan)
  end
  def k_mixed(plan)
    mix_of_Mixed(plan) { |p| step_of_Shop(p) }
  end
  def k_deep(plan)
    Outer::Inner.new.deep_of_Outer__Inner(self, plan)
  end
  def k_refined(plan)
    "".refined_of_none(self, plan)
  end
  def k_anonymous(plan)
    c = Class.new do
      def hidden_of_none(top, plan)
        top.step_of_Shop(plan)
      end
    end
    c.new.hidden_of_none(self, plan)
  end
  def k_of_object(plan)
    o = Object.new
    def o.own_of_none(top, plan)
      top.step_of_Shop(plan)
    end
    o.own_of_none(self, plan)
  end
  def k_struct(plan)
    Pair.new(self, plan).pair_of_Pair
  end
  def k_sort(plan)
    [Pair.new(self, plan), Pair.new(self, plan)].sort
  end
  def k_min(plan)
    [3, 2].min_by { |x| step_of_Shop(plan) }
  end
  def k_text(plan)
    "a#{Pair.new(self, plan)}b"
  end
  def k_join(plan)
    [1, [Pair.new(self, plan)]].join(",")
  end
  def k_public(plan)
    public_send(:step_of_Shop, plan)
  end
  def k_inject(plan)
    [1, 2, 3].inject { |a, b| step_of_Shop(plan) }
  end
  def k_times(plan)
    1.times do
      1.upto(2) { |i| step_of_Shop(plan) }
    end
  end
  def k_tap(plan)
    tap { |x| x.then { step_of_Shop(plan) } }
  end
  def k_loop(plan)
    loop { step_of_Shop(plan) }
  end
  def k_catch(plan)
    catch(:done) do
      step_of_Shop(plan)
      throw :done
    end
  end
  def k_eval(plan)
    eval "1 +\n step_of_Shop(plan)"
  end
  def k_instance(plan)
    instance_eval { step_of_Shop(plan) }
  end
  def k_executed(plan)
    instance_exec(plan) do |p|
      step_of_Shop(p)
    end
  end
  def k_class(plan)
    top = self
    Class.new { top.step_of_Shop(plan) }
  end
  def k_default(plan)
    Hash.new { |h, k| step_of_Shop(plan) }[:x]
  end
  def k_symbol(plan)
    [Pair.new(self, plan)].map(&:pair_of_Pair)
  end
  def k_mutex(plan)
    Mutex.new.synchronize { step_of_Shop(plan) }
  end
  def k_gsub(plan)
    "abc".gsub(/b/) { |s| step_of_Shop(plan) }
  end
  def k_missing(plan)
    no_such_method(plan)
  end
  def method_missing(name, *args)
    step_of_Shop(args[0])
  end
  def k_super(plan)
    above(plan)
  end
  def above(plan)
    super
  end
  def k_fiber(plan)
    Fiber.new { step_of_Shop(plan) }.resume
  end
  def k_next(plan)
    Enumerator.new { |y| step_of_Shop(plan) }.next
  end
  def k_lazy(plan)
    (1..3).lazy.map { |x| step_of_Shop(plan) }.first(1)
  end
  def k_curry(plan)
    ->(a, b) { step_of_Shop(b) }.curry[1][plan]
  end
  def k_grep(plan)
    [1].each_with_index.select { |x, i| step_of_Shop(plan) }
  end
  def k_long(plan)
    a = 1
    a += 1 if a == 2; a += 2 if a == 3; a += 3 if a == 4; a += 4 if a == 5
    a += 1 if a == 2; a += 2 if a == 3; a += 3 if a == 4; a += 4 if a == 5
    b = [a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a]
    c = { a: a, b: b, c: a, d: b, e: a, f: b, g: a, h: b, i: a, j: b, k: a }
    a += 1 if a == 2; a += 2 if a == 3; a += 3 if a == 4; a += 4 if a == 5
    b = [a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a]
    c = { a: a, b: b, c: a, d: b, e: a, f: b, g: a, h: b, i: a, j: b, k: a }
    b.each do |x|
      a += x; a -= x; a += x; a -= x; a += x; a -= x; a += x; a -= x
    end
    a = a.to_s.to_i.to_s.to_i.to_s.to_i.to_s.to_i.to_s.to_i.to_s.to_i
    b = [a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a]
    c = { a: a, b: b, c: a, d: b, e: a, f: b, g: a, h: b, i: a, j: b, k: a }
    b = [a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a]
    b = [a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a]
    c = { a: a, b: b, c: a, d: b, e: a, f: b, g: a, h: b, i: a, j: b, k: a }
    a = a.to_s.to_i.to_s.to_i.to_s.to_i.to_s.to_i.to_s.to_i.to_s.to_i
    a = a.to_s.to_i.to_s.to_i.to_s.to_i.to_s.to_i.to_s.to_i.to_s.to_i
    step_of_Shop(plan)
  end
  def k_größe(plan)
    [1].each { step_of_Shop(plan) }
  end

  KINDS = instance_methods(false).map(&:to_s).grep(/\Ak_/).sort.map(&:to_sym)

  def wait_of_Shop
    case @random.rand(6)
    when 0
      sleep
    when 1
      Queue.new.pop
    when 2
      Thread.stop
    when 3
      @pipe[0].read
    when 4
      m = Mutex.new
      m.synchronize { ConditionVariable.new.wait(m) }
    when 5
      IO.select([@pipe[0]])
    end
  end
end

seed, count, depth = ARGV.map(&:to_i)
mains = Random.new(seed)
started = Queue.new
threads = (1..count).map do |n|
  random = Random.new(mains.rand(1 << 30))
  Thread.new do
    Thread.current.report_on_exception = true
    started << syscall(186)
    plan = (1..random.rand(depth + 1)).map do
      Shop::KINDS.sample(random: random)
    end
    Shop.new(random).step_of_Shop(plan)
  end.tap { |t| t[:tid] = started.pop }
end
threads.each { |t| Thread.pass until t.stop? }
threads.each do |t|
  raise "#{t[:tid]} is dead" unless t.alive?
  all = t.backtrace_locations
  puts "thread #{t[:tid]} #{all.size}"
  all.each { |l| puts "#{l.lineno}\t#{l.path}\t#{l.label}" }
end
puts "ready"
STDOUT.flush
sleep 1 << 20	# without a time Ruby would report a deadlock
