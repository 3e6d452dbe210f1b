// Calls functions whose callees are known, for ever.
function spin() { let s = 0; for (let i = 0; i < 40; i++) s += i; return s; }
function f0(n) { spin(); if (n > 0) { f1(n - 1); f2(n - 1); } return spin(); }
function f1(n) { spin(); if (n > 0) { f3(n - 1); f4(n - 1); } return spin(); }
function f2(n) { spin(); if (n > 0) { f5(n - 1); f6(n - 1); } return spin(); }
function f3(n) { spin(); if (n > 0) { [n - 1].map(f0); [n - 1].forEach(f1); } return spin(); }
function f4(n) { spin(); if (n > 0) { f2(n - 1); f3(n - 1); } return spin(); }
function f5(n) { spin(); if (n > 0) { f4(n - 1); f5(n - 1); } return spin(); }
function f6(n) { spin(); if (n > 0) { f6(n - 1); f0(n - 1); } return spin(); }
require('fs').writeSync(1, 'ready\n');
for (;;)
	f0(9);
