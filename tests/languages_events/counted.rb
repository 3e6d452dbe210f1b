# Makes system calls in methods of many kinds, and counts them by the stacks that
# Ruby says.
#
# It reads lines: "warm" makes some calls, "run N" makes N of each kind and
# prints "count<tab>name|file|line|name|..." for each stack, innermost first.
# "fresh N" does so in N methods that are gone at once.  It answers each line
# with "end".
#
# Ruby does not say the class.  A method has it in its name: x_of_A is A#x_of_A,
# and x_on_A is A.x_on_A.  A table has the other classes.
#
# SPDX-License-Identifier: BSD-2-Clause
$VERBOSE = nil
STDOUT.sync = true

NAMES = %w[
  Array#each Array#map Array#sort Hash#each_pair Integer#times Enumerable#sort_by
  Enumerable#inject Class#new Kernel#eval BasicObject#instance_eval Kernel#catch
  Method#call Made#initialize Object#makes
].to_h { |name| [name.split('#').last, name] }

$said = {}	# by thread

# A method of another name runs the block of makes.
def name_of(f)
  its = f.base_label
  return f.label if f.label == 'block in makes'
  return f.label.sub(its, NAMES[its]) if NAMES.key?(its)
  f.label.sub(/([[:word:]]+?)_(of|on)_(\w+)\z/) do
    "#{$3}#{$2 == 'of' ? '#' : '.'}#{$&}"
  end
end

# Some functions are in C, by release, and have no place.
def frame(f)
  in_ruby = f.path.start_with?('<internal:') || !NAMES.key?(f.base_label) ||
      %w[initialize makes].include?(f.base_label)
  [name_of(f), in_ruby ? f.path : '', in_ruby ? f.lineno : 0]
end

def note_of_Object
  words = ['Process.getsid', '', 0]
  caller_locations(1).each { |f| words.concat(frame(f)) }
  mine = $said[Thread.current] ||= Hash.new(0)
  mine[words.join('|')] += 1
end

def ask_of_Object; note_of_Object; Process.getsid(0); end

def recurse_of_Object(depth)
  return ask_of_Object if depth == 0
  recurse_of_Object(depth - 1)
end

class Thing
  include Comparable
  attr_reader :n

  def initialize(n)
    @n = n
  end

  def method_of_Thing
    ask_of_Object
  end

  def self.made_on_Thing
    ask_of_Object
  end

  def yields_of_Thing
    yield 1
  end

  def <=>(other)
    n <=> other.n
  end

  def block_of_Thing
    [1].each do |x|
      { x => 1 }.each_pair { |k, v| yields_of_Thing { ask_of_Object } }
    end
  end

  define_method(:defined) { ask_of_Object }

  def handled_of_Thing
    raise 'x'
  rescue
    ask_of_Object
  ensure
    ask_of_Object
  end
end

class Parent
  def above_of_Parent
    ask_of_Object
  end
end

class Child < Parent
  def above_of_Child
    above_of_Parent
  end
end

module Mixed
  def mixed_of_Mixed
    ask_of_Object
  end
end

class Made
  include Mixed
  def initialize
    mixed_of_Mixed
  end
end

$thing = Thing.new(1)

def by_sort_of_Object
  [2, 1].sort { |a, b| ask_of_Object; a <=> b }
  [2, 1].sort_by { |a| ask_of_Object; a }
end

def by_fiber_of_Object
  f = Fiber.new do
    ask_of_Object
    Fiber.yield
    ask_of_Object
  end
  f.resume
  ask_of_Object
  f.resume
end

def by_proc_of_Object
  a = proc { |x| ask_of_Object }
  a.call(1)
  [1].each(&a)
  method(:recurse_of_Object).call(0)
  [Thing.new(1)].map(&:method_of_Thing)
end

def by_eval_of_Object
  Thing.new(1).instance_eval { ask_of_Object }
end

def makes(thing)
  unless thing.respond_to?(:made)
    Thing.send(:define_method, :made) { ask_of_Object }
  end
  thing.made
end

def deep_blocks_of_Object
  [1].each { [1].each { [1].each { [1].each { [1].each { [1].each {
    ask_of_Object
  } } } } } }
end

def каждый_of_Object
  ask_of_Object
end

def all_kinds_of_Object
  recurse_of_Object(0)
  recurse_of_Object(7)
  recurse_of_Object(50)
  2.times { ask_of_Object }
  by_sort_of_Object
  t = Thing.new(1)
  t.method_of_Thing
  Thing.made_on_Thing
  t.block_of_Thing
  t.defined
  t.handled_of_Thing
  Child.new.above_of_Child
  Made.new
  by_fiber_of_Object
  by_proc_of_Object
  by_eval_of_Object
  makes($thing)
  deep_blocks_of_Object
  каждый_of_Object
  [1, 2].inject { |a, b| ask_of_Object; a }
  catch(:done) { ask_of_Object; throw :done }
end

def in_thread_of_Object(n)
  n.times { all_kinds_of_Object }
end

# The method is gone, and its place is another one's after a collection.
def fresh_of_Object(n)
  eval("#{"\n" * (n % 7)}def made_#{n}; ask_of_Object; end",
    TOPLEVEL_BINDING, 'made')
  send("made_#{n}")
  Object.send(:remove_method, "made_#{n}")
end

def all_fresh_of_Object(n)
  n.times do |i|
    fresh_of_Object(i)
    GC.start if i % 10 == 0
  end
end

def answer
  $said.each_value do |of_thread|
    of_thread.each { |stack, n| puts "#{n}\t#{stack}" }
  end
  $said = {}
end

while (line = STDIN.gets)
  words = line.split
  n = words[1].to_i
  case words[0]
  when 'warm'
    50.times { Process.getsid(0) }
  when 'fresh'
    all_fresh_of_Object(n)
    answer
  else
    all = 2.times.map { Thread.new { in_thread_of_Object(n) } }
    in_thread_of_Object(n)
    all.each(&:join)
    answer
  end
  puts 'end'
end
