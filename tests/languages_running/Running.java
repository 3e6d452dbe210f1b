// Calls methods whose callees are known, for ever.
public class Running {
	static int sum;

	static int spin() { int s = sum; for (int i = 0; i < 40; i++) s += i * s; return sum = s; }
	static void f0(int n) { spin(); if (n > 0) { f1(n - 1); f2(n - 1); } spin(); }
	static void f1(int n) { spin(); if (n > 0) { f3(n - 1); f4(n - 1); } spin(); }
	static void f2(int n) { spin(); if (n > 0) { f5(n - 1); f6(n - 1); } spin(); }
	static void f3(int n) { spin(); if (n > 0) { f0(n - 1); f1(n - 1); } spin(); }
	static void f4(int n) { spin(); if (n > 0) { f2(n - 1); f3(n - 1); } spin(); }
	static void f5(int n) { spin(); if (n > 0) { f4(n - 1); f5(n - 1); } spin(); }
	static void f6(int n) { spin(); if (n > 0) { f6(n - 1); f0(n - 1); } spin(); }

	public static void main(String[] args) {
		System.out.println("ready");
		for (;;)
			f0(12);
	}
}
