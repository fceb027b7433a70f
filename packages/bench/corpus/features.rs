//! Traits behind pointers, closures, generics, matches, panics and threads over the standard library.
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::{self, BufRead, Write};

trait Animal { fn legs(&self) -> u32; fn name(&self) -> String { format!("animal with {} legs", self.legs()) } }
struct Dog; struct Spider(u32);
impl Animal for Dog { fn legs(&self) -> u32 { 4 } fn name(&self) -> String { "dog".to_owned() } }
impl Animal for Spider { fn legs(&self) -> u32 { self.0 } }

#[derive(Debug, Clone, PartialEq)]
enum Token { Number(f64), Plus, Minus, Times, Divide, Open, Close, Word(String) }

#[derive(Debug)]
enum Failure { Unexpected(char), Empty, Io(io::Error) }
impl From<io::Error> for Failure { fn from(e: io::Error) -> Self { Failure::Io(e) } }
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self { Failure::Unexpected(c) => write!(f, "unexpected {c:?}"), Failure::Empty => f.write_str("nothing"), Failure::Io(e) => e.fmt(f) }
    }
}

#[inline(never)]
fn tokens(text: &str) -> Result<Vec<Token>, Failure> {
    let mut out = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(&c) = rest.peek() {
        match c {
            ' ' | '\t' => { rest.next(); }
            '+' => { out.push(Token::Plus); rest.next(); }
            '-' => { out.push(Token::Minus); rest.next(); }
            '*' => { out.push(Token::Times); rest.next(); }
            '/' => { out.push(Token::Divide); rest.next(); }
            '(' => { out.push(Token::Open); rest.next(); }
            ')' => { out.push(Token::Close); rest.next(); }
            '0'..='9' => {
                let mut n = String::new();
                while let Some(d) = rest.next_if(|d| d.is_ascii_digit() || *d == '.') { n.push(d); }
                out.push(Token::Number(n.parse().unwrap_or(0.0)));
            }
            'a'..='z' => { let mut w = String::new(); while let Some(d) = rest.next_if(char::is_ascii_lowercase) { w.push(d); } out.push(Token::Word(w)); }
            other => return Err(Failure::Unexpected(other)),
        }
    }
    if out.is_empty() { Err(Failure::Empty) } else { Ok(out) }
}

#[inline(never)]
fn rank(token: &Token) -> u8 {
    match token { Token::Number(_) => 0, Token::Plus => 1, Token::Minus => 1, Token::Times => 2, Token::Divide => 3, Token::Open => 9, Token::Close => 8, Token::Word(w) => w.len() as u8 }
}

#[inline(never)]
fn apply<F: Fn(u32) -> u32>(f: F, n: u32) -> u32 { (0..n).map(f).sum() }

fn main() -> Result<(), Failure> {
    let zoo: Vec<Box<dyn Animal>> = vec![Box::new(Dog), Box::new(Spider(8))];
    let legs: u32 = zoo.iter().map(|a| a.legs()).sum();
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    let mut words: HashMap<String, u32> = HashMap::new();
    for line in io::stdin().lock().lines() {
        for token in tokens(&line?)? {
            *counts.entry(rank(&token)).or_default() += 1;
            if let Token::Word(word) = token { *words.entry(word).or_insert(legs) += 1; }
        }
    }
    let worker = std::thread::spawn(move || apply(|x| x.wrapping_mul(legs) ^ 5, 1000));
    let mut out = io::stdout().lock();
    for animal in &zoo { writeln!(out, "{}", animal.name())?; }
    writeln!(out, "{counts:?} {words:?} {}", worker.join().expect("the worker panicked"))?;
    Ok(())
}
