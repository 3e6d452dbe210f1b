# Calls methods whose callees are known, for ever.
def spin; s = 0; 40.times { |i| s += i }; s; end
def f0(n); spin; if n > 0 then f1(n - 1); f2(n - 1); end; spin; end
def f1(n); spin; if n > 0 then f3(n - 1); f4(n - 1); end; spin; end
def f2(n); spin; if n > 0 then f5(n - 1); f6(n - 1); end; spin; end
def f3(n); spin; if n > 0 then [n - 1].each { |m| f0(m); f1(m) }; end; spin; end
def f4(n); spin; if n > 0 then f2(n - 1); f3(n - 1); end; spin; end
def f5(n); spin; if n > 0 then f4(n - 1); f5(n - 1); end; spin; end
def f6(n); spin; if n > 0 then f6(n - 1); f0(n - 1); end; spin; end
$stdout.sync = true
puts "ready"
loop { f0(9) }
