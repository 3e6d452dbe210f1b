/*
 * Sleeps in functions whose names are known.
 *
 * SPDX-License-Identifier: BSD-2-Clause
 */
public class Sleeps {
	static void innermost() throws java.io.IOException {
		System.out.println("ready");
		System.in.read();
	}

	static void outer() throws java.io.IOException {
		innermost();
	}

	public static void main(String[] args) throws java.io.IOException {
		outer();
	}
}
