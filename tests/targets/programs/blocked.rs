// Threads of Rust's: one waits for a message, one is parked, one reads.
//
// SPDX-License-Identifier: BSD-2-Clause
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::sync::mpsc::channel;
use std::thread;

#[inline(never)]
fn inner(from: &mut dyn Read) -> usize {
    let mut byte = [0u8; 1];
    from.read(&mut byte).unwrap_or(0) + 1
}

#[inline(never)]
fn middle(from: &mut dyn Read) -> usize {
    inner(from) + 1
}

fn main() {
    let (_keep, receiver) = channel::<u32>();
    thread::spawn(move || receiver.recv());
    thread::spawn(|| loop {
        thread::park();
    });
    let mut report = unsafe { File::from_raw_fd(3) };
    report.write_all(b"ready\n").unwrap();
    let mut input = unsafe { File::from_raw_fd(0) };
    std::process::exit(middle(&mut input) as i32);
}
