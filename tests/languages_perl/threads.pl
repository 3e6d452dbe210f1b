# Has threads of Perl, each of which waits in a function of its own.
#
# SPDX-License-Identifier: BSD-2-Clause
use threads;

sub asking { my $line = <STDIN> }
sub working { my ($n) = @_; $n > 0 ? working($n - 1) : sleep 1000 }
threads->create(\&working, $_) for 1 .. 3;
<STDIN>; syswrite STDOUT, "end\n";
asking();
