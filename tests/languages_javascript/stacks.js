// Calls functions in the ways that JavaScript has, in an order by a seed; writes
// the stack that V8 gives, and waits for a byte, again and again.  Functions
// that were called often before are compiled, and inlined.
//
// SPDX-License-Identifier: BSD-2-Clause
'use strict';
const fs = require('fs');
Error.stackTraceLimit = Infinity;
let seed = +(process.argv[2] || 1), count = +(process.argv[3] || 50);
let live = false;
function rnd(n) { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return (seed >>> 8) % n; }
const buf = Buffer.alloc(1);
// Nobody knows which function it calls, so it need not be compiled again when
// it waits.
const waits = [() => 0, () => 1, () => 0, () => 2, () => 0, () => 3, wait];
let which = 0;
function block() {
  return waits[which]();
}
function wait() {
  fs.writeSync(1, say(new Error().stack)); fs.readSync(0, buf, 0, 1, null);
  return 1;
}
// Writes "name\tfile\tline" of each function; those of V8 have no line.
function say(stack) {
  let text = '';
  for (const line of stack.split('\n').slice(1)) {
    const call = line.slice(7);
    const evaluated = call.indexOf(' (eval at');
    const at = /^(?:(.*?) \()?([^()]*?):(\d+):\d+\)?$/.exec(call);
    if (evaluated < 0 && !at) continue;
    const name = evaluated < 0 ? (at[1] || '<anonymous>') : call.slice(0, evaluated);
    const where = evaluated < 0 ? at.slice(2, 4) : ['<anonymous>', /:(\d+):\d+\)$/.exec(call)[1]];
    text += name.replace(/ \[as .*\]$/, '') + '\t' + where.join('\t') + '\n';
  }
  return text + 'end\n';
}
class Base {
  constructor(k, n) { this.v = 1;
    if (k) go(n); }
  method(n) { return go(n) + 1; }
  get prop() { return go(this.n); }
  static make(n) {
    return go(n);
  }
  *gen(n) { yield 1;
    yield go(n); }
  async later(n) {
    const x = go(n); await null; return x; }
  valueOf() { return go(this.n) || 1; }
  toString() { return String(go(this.n)); }
  #priv(n) { return go(n); }
  callPriv(n) { return this.#priv(n); }
  [Symbol.iterator]() { const n = this.n; let d = false; return { next() { if (d) return { done: true }; d = true; return { value: go(n), done: false }; } }; }
}
class Derived extends Base {
  constructor(k, n) { super(k, n); }
  method(n) { const q = super.method(n);
    return q; }
}
function Old(n) { this.x = go(n); }
Old.prototype.run = function (n) { return go(n); };
const obj = { plain(n) { return go(n); }, arrow: (n) => go(n), fn: function (n) { return go(n); }, ['comp' + 1](n) { return go(n); } };
obj.assigned = function (n) { return go(n); };
function inl1(n) { return inl2(n) + 1; }
function inl2(n) {
  return inl3(n) + 1; }
function inl3(n) { return hotleaf(n); }
function hotleaf(n) {
  let s = 0;
  for (let i = 0; i < 3; i++) s += i;
  return s + go(n);
}
class Hot { constructor(n) { this.z = n; this.y = hotleaf(n); } step(n) { return inl1(n) + this.z; } }
function built(n) {
  const h = new Hot(n);
  return h.y + 1; }
class Far { constructor(n) { this.n = n; } near(n) { return this.n > 1e9 ? 1 : go(n); } }
function apart(n) { const f = new Far(n); return f.near(n) + f.n; }
function loopy(n) { let t = 0; for (let i = 0; i < 20000; i++) { t += i & 3; if (i === 19990) t += go(n); } return t; }
const ways = [
  n => go(n),
  n => obj.plain(n), n => obj.arrow(n), n => obj.fn(n), n => obj.comp1(n), n => obj.assigned(n),
  n => new Base(true, n).v, n => new Derived(true, n).v, n => new Derived(false, n).method(n),
  n => new Base(false, n).method(n), n => Base.make(n), n => Derived.make(n),
  n => { const b = new Base(false, n); b.n = n; return b.prop; },
  n => { const b = new Derived(false, n); b.n = n; return +b; },
  n => { const b = new Base(false, n); b.n = n; return `${b}`.length; },
  n => { let t = 0; for (const x of new Base(false, n).gen(n)) t += x; return t; },
  n => { const b = new Base(false, n); b.n = n; let t = 0; for (const x of b) t += x; return t; },
  n => { const b = new Base(false, n); b.n = n; const [x] = b; return x; },
  n => { new Base(false, n).later(n); return 1; },
  n => new Base(false, n).callPriv(n),
  n => new Old(n).x, n => { const o = Object.create(Old.prototype); return o.run(n); },
  n => [3, 1, 2].map((x, i) => i === 1 ? go(n) : x)[1],
  n => [3, 1, 2].sort((a, b) => { if (live && !once(n)) go(n); return a - b; })[0],
  n => [1, 2].reduce((a, x) => a + go(n) * 0, 0),
  n => { let r = 0; [1].forEach(function each(x) { r = go(n); }); return r; },
  n => 'abc'.replace(/b/, () => go(n)).length,
  n => JSON.parse('{"a":1}', (k, v) => { if (k) go(n); return v; }).a,
  n => JSON.stringify({ toJSON() { return go(n); } }).length,
  n => { new Promise(res => { go(n); res(); }); return 1; },
  n => new Proxy({}, { get(t, k) { return go(n); } }).foo,
  n => Reflect.apply(obj.fn, obj, [n]), n => Reflect.construct(Base, [true, n]).v, n => go.call(null, n), n => go.apply({}, [n]), n => go.bind({ a: 1 })(n),
  n => { try { throw new Error('a'); } catch (e) { return go(n); } finally { once(n); } },
  n => { try { return 1; } finally { go(n); } },
  n => { try { null.x; } catch { return go(n); } },
  n => eval('go(n)'), n => new Function('go', 'n', 'return go(n)')(go, n),
  n => (function tag(s, v) { return go(v); })`a${n}`,
  n => { const m = new Map([[1, 2]]); let r = 0; m.forEach((v, k) => { r = go(n); }); return r; },
  n => Array.from([1], x => go(n))[0],
  n => inl1(n), n => new Hot(n).step(n), n => loopy(n), n => new Hot(n).y,
  n => (0, function () { return go(n); })(),
  n => { const inner = () => { return (() => go(n))(); }; return inner(); },
  n => { class Local { static #x = go(n); static y = 1; } return Local.y; },
  n => { const o = { get g() { return go(n); }, set s(v) { go(v); } }; o.s = n; return 1; },
  n => [1, 2, 3].find(x => go(n) >= 0), n => [[1]].flatMap(x => go(n)).length,
  n => { const { a = go(n) } = {}; return a; },
  n => ((a = go(n)) => a)(),
  n => { label: for (const k in { q: 1 }) { go(n); break label; } return 1; },
  n => { switch (n % 2) { case 0: return go(n); default:
      return go(n); } },
  n => built(n), n => built(n), n => apart(n), n => apart(n),
  n => obj?.fn?.(n), n => n > 0 && go(n) || 0,
];
let seen = new Set();
function once(n) { if (seen.has(n)) return true; seen.add(n); return false; }
function go(n) {
  if (n <= 0) return block();
  return ways[live ? rnd(ways.length) : (n * 7 + (seed++)) % ways.length](n - 1);
}
const warm = +(process.argv[4] || 3000);
for (let i = 0; i < warm; i++) for (const f of [ways[i % ways.length], inl1, x => new Hot(x).step(x)]) { which = i % 6; f(0); }
const often = [inl1, built, apart, n => new Hot(n).step(n), loopy, ways[0]];
if (warm) for (let i = 0; i < 90000; i++) { which = i % 6; often[i % 4](0); }
live = true;
which = 6;
seed = +(process.argv[2] || 1);
for (let i = 0; i < count; i++) { seen.clear(); go(1 + rnd(8)); }
fs.writeSync(1, 'ended\n');
