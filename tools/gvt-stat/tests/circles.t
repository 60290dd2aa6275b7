#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# No two files of gvt-stat and its library call each other, directly or by way of others, but for
# those below: as the linker sees it, from the objects of the build.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename;
use File::Find;

# a table of functions that add findings; what a recording's readers must know is read from it first
my %known = map { $_ => 1 } (
	'check rules rules-guest rules-host rules-idle rules-share rules-wait',
	'coverage reader',
);

my $build = $ENV{GVT_STAT_BUILD} // dirname(abs_path($0)) . '/../../../build/gvt-stat';
my (%defines, %needs);

sub look_at {
	my ($object) = @_;
	my $name = basename($object, '.o');

	foreach (`nm -g '$object'`) {
		my ($type, $symbol) = /([A-Zw]) (\S+)$/ or next;
		if ($type =~ /[UVw]/) {
			push @{$needs{$object}}, $symbol;
		} else {
			$defines{$symbol} = $object;
		}
	}
}

# objects of sources that are there: others are left from before
my $tools = dirname(abs_path($0)) . '/../..';
find({ no_chdir => 1, wanted => sub {
	return unless m{^\Q$build\E/(?:(lib)/)?([a-z]+/[a-z-]+)\.o$};
	look_at($_) if -e ($1 ? "$tools/lib/$2.c" : "$tools/gvt-stat/src/$2.c");
} }, $build);

my (%index, %low, @stack, %on, @circles);
my $next = 0;
no warnings 'recursion';

# Tarjan's strongly connected components
sub visit {
	my ($object) = @_;

	$index{$object} = $low{$object} = $next++;
	push @stack, $object;
	$on{$object} = 1;
	foreach my $symbol (@{$needs{$object}}) {
		my $to = $defines{$symbol} // next;

		if (!exists $index{$to}) {
			visit($to);
			$low{$object} = $low{$to} if $low{$to} < $low{$object};
		} elsif ($on{$to} && $index{$to} < $low{$object}) {
			$low{$object} = $index{$to};
		}
	}
	return if $low{$object} != $index{$object};
	my @circle;
	do {
		push @circle, pop @stack;
		delete $on{$circle[-1]};
	} while ($circle[-1] ne $object);
	push @circles, join(' ', sort map { basename($_, '.o') } @circle) if @circle > 1;
}

foreach my $object (sort keys %needs) {
	visit($object) if !exists $index{$object};
}

my @new = grep { !$known{$_} } @circles;
print keys %defines > 1000 ? '' : 'not ', "ok 1 - the objects are there\n";
print @new ? 'not ' : '', "ok 2 - no circle but those that are known\n";
print "# $_\n" foreach @new;
my %found = map { $_ => 1 } @circles;
my @gone = grep { !$found{$_} } sort keys %known;
print @gone ? 'not ' : '', "ok 3 - and these are there: else they are known no longer\n";
print "# $_\n" foreach @gone;
print "1..3\n";
exit(@new || @gone ? 1 : 0);
