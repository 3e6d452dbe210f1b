# Makes system calls in functions of many kinds, and counts them by the stacks
# that Perl says.
#
# It reads lines: "warm" makes some calls, "run N" makes N of each kind and
# prints "count<tab>name|file|line|name|..." for each stack, innermost first.
# "fresh N" does so in N functions that are gone at once, "closures N" in
# closures, and "threads N" as "run N" in three threads of Perl, if it has them.
# It answers each line with "end".
#
# SPDX-License-Identifier: BSD-2-Clause
use strict;
use warnings;
use Config;
no warnings qw(recursion once redefine);

our (%said, $in_thread);
$| = 1;
my $getsid = 124;

# caller() says where a function was called: the line of the one before.  The
# call of note() and the system call are in one line.  A thread runs a function,
# and no program.
sub note {
	my @words;
	for (my $i = 0; my @c = caller($i); $i++) {
		my $name = (caller($i + 1))[3];
		push @words, $name // 'main::RUNTIME', @c[1, 2]
		    if defined $name || !$in_thread;
	}
	$said{join '|', @words}++;
}

sub ask { note(); syscall($getsid, 0); }

sub recurse { my ($n) = @_; return $n == 0 ? ask() : recurse($n - 1) }

package Base;
sub new { return bless {}, $_[0] }
sub above { main::ask() }

package Shop;
our @ISA = ('Base');
use overload '""' => sub { main::ask(); 'text' }, '<=>' => \&by, 'bool' =>
    sub { 1 }, 'fallback' => 1;
sub by { main::ask(); return 0 }
sub reserve { my ($self) = @_; return main::ask() }
sub above { my $self = shift; return $self->SUPER::above() }
our $AUTOLOAD;
sub AUTOLOAD { return if $AUTOLOAD =~ /::DESTROY$/; main::ask() }

package Ending;
sub new { return bless {}, $_[0] }
sub DESTROY { local $@; main::ask() }

package Tied;
sub TIESCALAR { return bless {} }
sub FETCH { main::ask() }

package main;

sub compare { ask(); return 0 }
sub target { return ask() }
sub goes { goto &target }
sub with_code(&@) { my ($code, @rest) = @_; return $code->(@rest) }

sub by_map { my @a = map { ask() } 1, 2 }
sub by_sort { my @a = sort { ask(); $a <=> $b } 2, 1 }
sub by_name { my @a = sort compare 2, 1 }
sub by_sub { my $by = sub { ask(); 0 }; my @a = sort $by 2, 1 }
sub by_overload { my @a = sort { $a <=> $b } Shop->new, Shop->new }
sub in_eval { eval { ask(); 1 } and eval { eval { ask() } } }
sub in_sort { my @a = sort { eval { ask() }; 0 } 2, 1 }
sub dying { eval { my $e = Ending->new; die "in flight\n" } }
sub handled { local $SIG{__DIE__} = sub { ask() }; eval { die "here\n" } }
sub warned { local $SIG{__WARN__} = sub { ask() }; warn "handled\n" }
sub replaced { (my $t = 'a') =~ s/a/ask()/e }
sub by_tie { tie my $t, 'Tied'; my $v = $t }
sub text { my $t = '' . Shop->new }
sub signalled { local $SIG{USR1} = sub { ask() }; kill 'USR1', $$ }
sub formatted { return sprintf '%s', ask() }
sub in_pattern { 'a' =~ /a(?{ ask() })/; 'a' =~ /a(?{ ask(); 1 })/ }
sub elsif_line {
	my ($n) = @_;
	if ($n == -1) {
		return 1;
	}
	elsif (ask() == 2) {
		return 2;
	}
}
sub elsif_last { my ($n) = @_; if ($n == -1) { return 1 }
	elsif (ask()) { return 2 }
}
sub elsif_itself {
	my ($n) = @_;
	if ($n == -1) {
		return 1;
	}
	elsif (note() < 0 || syscall($getsid, 0) < -1) {
		return 2;
	}
}
sub lexical { my sub inner { ask() } inner() }
sub lines {
	my @a = (1,
	    recurse(
		2
	    ),
	    2);
}
sub methods {
	my $shop = Shop->new;
	$shop->reserve;
	$shop->above;
	$shop->absent;
}
sub closures {
	my ($n) = @_;
	my $inner = sub { ask() if $n };
	$inner->();
	with_code { ask() if $n } 1;
}

my $first = eval { require List::Util };
# It came with Perl 5.34.
my $has_try = eval q{use feature 'try'; no warnings;
    sub in_try { try { ask() } catch ($e) { } } 1};

sub all_kinds {
	recurse($_) for 0, 1, 30;
	by_map(); by_sort(); by_name(); by_sub(); by_overload();
	in_eval(); in_sort(); dying(); handled(); warned();
	replaced(); by_tie(); text(); formatted();
	# A signal may come to another thread.
	signalled() unless $in_thread;
	in_try() if $has_try;
	in_pattern(); elsif_line(1); elsif_last(1); elsif_itself(1);
	lexical(); lines(); methods(); closures(1); goes();
	&List::Util::first(sub { ask() }, 1) if $first;
	&List::Util::reduce(sub { ask() }, 1, 2) if $first;
}

# Its code, its name and its file are gone when the next one comes, which may be
# where they were.  Four in eight have no package.
my ($last, $kept);
sub fresh {
	my ($n) = @_;
	my ($name, $file) = ("gone_" . $n % 7, "file_" . $n % 7);
	my $begin = "#line 7 \"$file\"\n";
	undef $kept;
	if (defined $last) {
		no strict 'refs';
		undef &{"main::$last"};
		delete $main::{$last};
		undef $last;
	}
	if ($n & 4) {
		eval "$begin my sub $name { ask() } $name(); \$kept = \\&$name; 1"
		    or die $@;
		return;
	}
	eval "$begin sub $name { ask() } 1" or die $@;
	no strict 'refs';
	&{"main::$name"}();
	$last = $name;
}

sub all_fresh { fresh($_) for 1 .. $_[0] }
sub all_closures { closures($_) for 1 .. $_[0] }

sub answer {
	print "$said{$_}\t$_\n" for keys %said;
	%said = ();
}

# They stay, for the names of their functions go with them.
sub in_threads {
	my ($n) = @_;
	return if !$Config{useithreads} ||
	    !eval { require threads; require threads::shared };
	my %all;
	my $ended = 0;
	&threads::shared::share(\%all);
	&threads::shared::share(\$ended);
	for (1 .. 3) {
		threads->create(sub {
			%said = ();
			$in_thread = 1;
			all_kinds() for 1 .. $n;
			lock(%all);
			$all{$_} = ($all{$_} // 0) + $said{$_} for keys %said;
			$ended++;
			&threads::shared::cond_wait(\%all) while 1;
		});
	}
	select undef, undef, undef, 0.01 while $ended < 3;
	%said = %all;
}

while (defined(my $line = <STDIN>)) {
	my ($what, $n) = split ' ', $line;
	if ($what eq 'warm') {
		syscall($getsid, 0) for 1 .. 50;
	} elsif ($what eq 'fresh') {
		all_fresh($n);
		answer();
	} elsif ($what eq 'closures') {
		all_closures($n);
		answer();
	} elsif ($what eq 'threads') {
		in_threads($n);
		answer();
	} else {
		all_kinds() for 1 .. $n;
		answer();
	}
	print "end\n";
}
