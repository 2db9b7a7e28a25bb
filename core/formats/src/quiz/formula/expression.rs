//! The language of formulas: numbers, constants, parameters, `+ - * / ^`, parentheses and functions. The length and the nesting of a
//! formula are bounded.

use std::collections::BTreeSet;

use num_rational::BigRational;

use super::MAX_EXPRESSION;
use crate::quiz::number;

/// The maximum nesting of parentheses, signs, powers and calls.
const MAX_DEPTH: usize = 40;
/// The maximum number of arguments of `min` and `max`.
const MAX_ARGUMENTS: usize = 20;

/// A parsed formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression(pub(super) Node);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Number(BigRational),
    Constant(Constant),
    /// A parameter by its index.
    Parameter(usize),
    Negative(Box<Node>),
    /// A sum or a product, evaluated from left to right. It is a list so that a long one is not deeply nested.
    Chain(Box<Node>, Vec<(Operator, Node)>),
    Power(Box<Node>, Box<Node>),
    Call(Function, Vec<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constant {
    Pi,
    E,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Sqrt,
    Sin,
    Cos,
    Tan,
    Ln,
    Log10,
    Exp,
    Abs,
    Round,
    Floor,
    Ceil,
    Min,
    Max,
}

const CONSTANTS: &[(&str, Constant)] = &[("pi", Constant::Pi), ("e", Constant::E)];

/// The functions with the minimum and maximum number of their arguments.
const FUNCTIONS: &[(&str, Function, usize, usize)] = &[
    ("sqrt", Function::Sqrt, 1, 1),
    ("sin", Function::Sin, 1, 1),
    ("cos", Function::Cos, 1, 1),
    ("tan", Function::Tan, 1, 1),
    ("ln", Function::Ln, 1, 1),
    ("log10", Function::Log10, 1, 1),
    ("exp", Function::Exp, 1, 1),
    ("abs", Function::Abs, 1, 1),
    ("round", Function::Round, 1, 2),
    ("floor", Function::Floor, 1, 1),
    ("ceil", Function::Ceil, 1, 1),
    ("min", Function::Min, 1, MAX_ARGUMENTS),
    ("max", Function::Max, 1, MAX_ARGUMENTS),
];

/// Whether a constant or a function has this name.
pub(super) fn is_reserved(name: &str) -> bool {
    CONSTANTS.iter().any(|(known, _)| *known == name) || FUNCTIONS.iter().any(|(known, ..)| *known == name)
}

/// Why a formula cannot be parsed, and the number of the character at which parsing failed, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormulaError {
    pub what: Unreadable,
    pub at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The character, or the end of the formula, is not allowed here.
    Unexpected,
    /// No parameter, constant or function has this name.
    UnknownName,
    /// The function is called with a wrong number of arguments.
    Arguments,
    TooLong,
    /// Parentheses, signs, powers and calls are nested too deeply.
    TooDeep,
}

impl Expression {
    /// Parses a formula that may use these parameters.
    pub fn parse(text: &str, parameters: &[&str]) -> Result<Self, FormulaError> {
        let chars: Vec<char> = text.chars().take(MAX_EXPRESSION + 1).collect();
        if chars.len() > MAX_EXPRESSION {
            return Err(FormulaError {
                what: Unreadable::TooLong,
                at: MAX_EXPRESSION + 1,
            });
        }
        let mut parser = Parser {
            chars: &chars,
            at: 0,
            parameters,
        };
        let root = parser.sum(0)?;
        match parser.peek() {
            None => Ok(Expression(root)),
            Some(_) => Err(parser.error(Unreadable::Unexpected)),
        }
    }

    /// The indexes of the parameters that the formula uses.
    pub fn parameters(&self) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        collect(&self.0, &mut found);
        found
    }
}

fn collect(node: &Node, found: &mut BTreeSet<usize>) {
    match node {
        Node::Number(_) | Node::Constant(_) => {}
        Node::Parameter(index) => {
            found.insert(*index);
        }
        Node::Negative(inner) => collect(inner, found),
        Node::Chain(first, rest) => {
            collect(first, found);
            rest.iter().for_each(|(_, node)| collect(node, found));
        }
        Node::Power(base, exponent) => {
            collect(base, found);
            collect(exponent, found);
        }
        Node::Call(_, arguments) => arguments.iter().for_each(|argument| collect(argument, found)),
    }
}

struct Parser<'a> {
    chars: &'a [char],
    at: usize,
    parameters: &'a [&'a str],
}

impl Parser<'_> {
    fn error(&self, what: Unreadable) -> FormulaError {
        FormulaError { what, at: self.at + 1 }
    }

    /// Skips white space and returns the next character.
    fn peek(&mut self) -> Option<char> {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.chars.get(self.at).copied()
    }

    fn takes(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        self.at += usize::from(is_next);
        is_next
    }

    fn sum(&mut self, depth: usize) -> Result<Node, FormulaError> {
        self.chain(depth, Self::product, |c| match c {
            '+' => Some(Operator::Add),
            '-' | '−' | '–' => Some(Operator::Subtract),
            _ => None,
        })
    }

    fn product(&mut self, depth: usize) -> Result<Node, FormulaError> {
        self.chain(depth, Self::signed, |c| match c {
            '*' | '×' | '·' | '⋅' => Some(Operator::Multiply),
            '/' | '÷' | ':' => Some(Operator::Divide),
            _ => None,
        })
    }

    fn chain(
        &mut self,
        depth: usize,
        part: fn(&mut Self, usize) -> Result<Node, FormulaError>,
        operator: fn(char) -> Option<Operator>,
    ) -> Result<Node, FormulaError> {
        let first = part(self, depth)?;
        let mut rest = Vec::new();
        while let Some(operator) = self.peek().and_then(operator) {
            self.at += 1;
            rest.push((operator, part(self, depth)?));
        }
        Ok(match rest.is_empty() {
            true => first,
            false => Node::Chain(Box::new(first), rest),
        })
    }

    fn signed(&mut self, depth: usize) -> Result<Node, FormulaError> {
        let depth = self.deeper(depth)?;
        match self.peek() {
            Some('-' | '−' | '–') => {
                self.at += 1;
                Ok(Node::Negative(Box::new(self.signed(depth)?)))
            }
            Some('+') => {
                self.at += 1;
                self.signed(depth)
            }
            _ => self.power(depth),
        }
    }

    /// A power binds more tightly than a sign before it and is right-associative: `-2^2` is −4, `2^3^2` is 512.
    fn power(&mut self, depth: usize) -> Result<Node, FormulaError> {
        let base = self.atom(depth)?;
        if !self.takes('^') {
            return Ok(base);
        }
        let exponent = self.signed(depth)?;
        Ok(Node::Power(Box::new(base), Box::new(exponent)))
    }

    fn deeper(&self, depth: usize) -> Result<usize, FormulaError> {
        match depth < MAX_DEPTH {
            true => Ok(depth + 1),
            false => Err(self.error(Unreadable::TooDeep)),
        }
    }

    fn atom(&mut self, depth: usize) -> Result<Node, FormulaError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.sum(depth)?;
                self.closing()?;
                Ok(inner)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.name(depth),
            _ => Err(self.error(Unreadable::Unexpected)),
        }
    }

    fn closing(&mut self) -> Result<(), FormulaError> {
        match self.takes(')') {
            true => Ok(()),
            false => Err(self.error(Unreadable::Unexpected)),
        }
    }

    fn number(&mut self) -> Result<Node, FormulaError> {
        let start = self.at;
        self.digits();
        if self.chars.get(self.at) == Some(&'.') {
            self.at += 1;
            self.digits();
        }
        // An exponent, unless the `e` is the constant or the start of a name.
        if matches!(self.chars.get(self.at), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.chars.get(self.at + 1), Some('+' | '-')));
            if self.chars.get(self.at + 1 + sign).is_some_and(char::is_ascii_digit) {
                self.at += 1 + sign;
                self.digits();
            }
        }
        let text: String = self.chars.get(start..self.at).unwrap_or_default().iter().collect();
        match number::decimal(&text) {
            Some(number) => Ok(Node::Number(number)),
            None => {
                self.at = start;
                Err(self.error(Unreadable::Unexpected))
            }
        }
    }

    fn digits(&mut self) {
        while self.chars.get(self.at).is_some_and(char::is_ascii_digit) {
            self.at += 1;
        }
    }

    fn name(&mut self, depth: usize) -> Result<Node, FormulaError> {
        let start = self.at;
        while self
            .chars
            .get(self.at)
            .is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_')
        {
            self.at += 1;
        }
        let name: String = self.chars.get(start..self.at).unwrap_or_default().iter().collect();
        let error = |what| FormulaError { what, at: start + 1 };
        if let Some(index) = self.parameters.iter().position(|known| *known == name) {
            return Ok(Node::Parameter(index));
        }
        if let Some((_, constant)) = CONSTANTS.iter().find(|(known, _)| *known == name) {
            return Ok(Node::Constant(*constant));
        }
        let Some((_, function, fewest, most)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
            return Err(error(Unreadable::UnknownName));
        };
        if !self.takes('(') {
            return Err(self.error(Unreadable::Unexpected));
        }
        let mut arguments = vec![self.sum(depth)?];
        while self.takes(',') {
            arguments.push(self.sum(depth)?);
        }
        self.closing()?;
        match (*fewest..=*most).contains(&arguments.len()) {
            true => Ok(Node::Call(*function, arguments)),
            false => Err(error(Unreadable::Arguments)),
        }
    }
}
