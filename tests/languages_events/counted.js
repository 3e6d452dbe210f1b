// Makes system calls in functions of many kinds, and counts them by the stacks
// that V8 gives.
//
// It reads lines: "warm" makes some calls, "run N" makes N of each kind and
// prints "count<tab>name|file|line|name|..." for each stack, innermost first, of
// the functions of this file.  It answers each line with "end".
//
// SPDX-License-Identifier: BSD-2-Clause
'use strict';
const fs = require('fs');
Error.stackTraceLimit = Infinity;
let said = new Map();

function note() {
  const words = [];
  for (const line of new Error().stack.split('\n').slice(2)) {
    const at = /^(?:(.*?) \()?([^()]*?):(\d+):\d+\)?$/.exec(line.slice(7));
    if (!at || at[2] !== __filename) continue;
    words.push((at[1] || '<anonymous>').replace(/ \[as .*\]$/, ''), at[2], at[3]);
  }
  const key = words.join('|');
  said.set(key, (said.get(key) || 0) + 1);
}
function ask() { note(); fs.accessSync('/'); return 1; }
function recurse(depth) {
  if (depth === 0) return ask();
  return recurse(depth - 1);
}
class Shop {
  total(all) {
    return all.map(x => x + ask()).length;
  }
  get size() { return ask(); }
  static made() { return ask(); }
}
class Corner extends Shop {
  total(all) { return super.total(all); }
}
function* gives(n) {
  for (let i = 0; i < n; i++)
    yield ask();
}
function caught() {
  try { throw new Error('x'); } catch (e) { return ask(); } finally { ask(); }
}
function sorted() { return [2, 1].sort((a, b) => a - b + 0 * ask()); }
const bound = recurse.bind(null, 2);
function each() {
  recurse(0);
  recurse(5);
  recurse(30);
  new Shop().total([1]);
  new Corner().total([1]);
  Shop.made();
  for (const x of gives(1));
  caught();
  sorted();
  bound();
  return new Shop().size;
}
function work(n) {
  for (let i = 0; i < n; i++)
    each();
}

let text = '';
function answer(line) {
  const words = line.split(' ');
  said = new Map();
  if (words[0] === 'warm')
    for (let i = 0; i < 20; i++) fs.accessSync('/');
  else
    work(+words[1]);
  let all = '';
  for (const [stack, n] of said) all += n + '\t' + stack + '\n';
  fs.writeSync(1, all + 'end\n');
}
process.stdin.on('data', (chunk) => {
  text += chunk;
  for (let at; (at = text.indexOf('\n')) >= 0; text = text.slice(at + 1))
    answer(text.slice(0, at));
});
