# Calls functions whose callees are known, for ever.
use strict;
use warnings;
$| = 1;
sub spin { my $s = 0; $s += $_ for 0 .. 40; return $s; }
sub f0 { my $n = shift; spin(); if ($n > 0) { f1($n - 1); f2($n - 1); } return spin(); }
sub f1 { my $n = shift; spin(); if ($n > 0) { f3($n - 1); f4($n - 1); } return spin(); }
sub f2 { my $n = shift; spin(); if ($n > 0) { f5($n - 1); f6($n - 1); } return spin(); }
sub f3 { my $n = shift; spin(); if ($n > 0) { my @a = sort { f0($n - 1); f1($n - 1); 0 } 1, 2; } return spin(); }
sub f4 { my $n = shift; spin(); if ($n > 0) { f2($n - 1); f3($n - 1); } return spin(); }
sub f5 { my $n = shift; spin(); if ($n > 0) { f4($n - 1); f5($n - 1); } return spin(); }
sub f6 { my $n = shift; spin(); if ($n > 0) { f6($n - 1); f0($n - 1); } return spin(); }
print "ready\n";
f0(9) while 1;
