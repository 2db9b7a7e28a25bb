import type { Parameter } from "./model";

/**
 * The language of formula questions, for what the author sees while typing. The server's reader decides (core/formats/src/quiz/formula); both are
 * tested with the same cases. This one calculates with floating-point numbers only.
 */

const MAX_DEPTH = 40;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,31}$/;

export type Fault = "unexpected" | "name" | "arguments" | "complex";
export type NoResult = "division" | "number" | "large";

/** Why a formula cannot be read, and where: the number of the character, from 1. */
export class Unreadable extends Error {
  constructor(
    readonly fault: Fault,
    readonly at: number,
  ) {
    super(fault);
  }
}

class WithoutResult extends Error {
  constructor(readonly why: NoResult) {
    super(why);
  }
}

type Values = Readonly<Record<string, number>>;
type Node = (values: Values) => number;

const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E };

const halfAwayFromZero = (value: number) => Math.sign(value) * Math.round(Math.abs(value));

/** The functions with their fewest and most arguments. */
const FUNCTIONS: Readonly<Record<string, [(...values: number[]) => number, number, number]>> = {
  sqrt: [Math.sqrt, 1, 1],
  sin: [Math.sin, 1, 1],
  cos: [Math.cos, 1, 1],
  tan: [Math.tan, 1, 1],
  ln: [(value) => (value === 0 ? Number.NaN : Math.log(value)), 1, 1],
  log10: [(value) => (value === 0 ? Number.NaN : Math.log10(value)), 1, 1],
  exp: [Math.exp, 1, 1],
  abs: [Math.abs, 1, 1],
  round: [
    (value, decimals = 0) =>
      Number.isInteger(decimals) && decimals >= 0 && decimals <= 12
        ? halfAwayFromZero(value * 10 ** decimals) / 10 ** decimals
        : Number.NaN,
    1,
    2,
  ],
  floor: [Math.floor, 1, 1],
  ceil: [Math.ceil, 1, 1],
  min: [Math.min, 1, 20],
  max: [Math.max, 1, 20],
};

const has = (names: object, name: string) => Object.hasOwn(names, name);

/** Whether a parameter may have this name. */
export const isParameterName = (name: string): boolean =>
  NAME.test(name) && !has(CONSTANTS, name) && !has(FUNCTIONS, name);

function finite(value: number): number {
  if (Number.isNaN(value)) throw new WithoutResult("number");
  if (!Number.isFinite(value)) throw new WithoutResult("large");
  return value;
}

function divided(left: number, right: number): number {
  if (right === 0) throw new WithoutResult("division");
  return finite(left / right);
}

function power(base: number, exponent: number): number {
  if (base === 0 && exponent < 0) throw new WithoutResult("division");
  return finite(base ** exponent);
}

/** Reads a formula; throws {@link Unreadable}. Returns its value by the parameters, and the names that it uses. */
export function parse(text: string, names: readonly string[]): { value: Node; used: ReadonlySet<string> } {
  const used = new Set<string>();
  let at = 0;
  const fail = (fault: Fault, place = at): never => {
    throw new Unreadable(fault, place + 1);
  };
  const peek = () => {
    while (/\s/.test(text[at] ?? "")) at += 1;
    return text[at] ?? "";
  };
  const takes = (sign: string) => {
    const isNext = peek() === sign;
    if (isNext) at += 1;
    return isNext;
  };
  const chain = (
    part: (depth: number) => Node,
    signs: Readonly<Record<string, (left: number, right: number) => number>>,
  ) => {
    return (depth: number): Node => {
      const first = part(depth);
      const rest: [(left: number, right: number) => number, Node][] = [];
      for (let sign = signs[peek()]; sign; sign = signs[peek()]) {
        at += 1;
        rest.push([sign, part(depth)]);
      }
      return (values) => rest.reduce((left, [sign, right]) => sign(left, right(values)), first(values));
    };
  };
  const signed = (depth: number): Node => {
    if (depth >= MAX_DEPTH) fail("complex");
    const sign = peek();
    if (sign !== "" && "-−–+".includes(sign)) {
      at += 1;
      const inner = signed(depth + 1);
      return sign === "+" ? inner : (values) => -inner(values);
    }
    const base = atom(depth + 1);
    if (!takes("^")) return base;
    const exponent = signed(depth + 1);
    return (values) => power(base(values), exponent(values));
  };
  const atom = (depth: number): Node => {
    const next = peek();
    if (next === "(") {
      at += 1;
      const inner = sum(depth);
      if (!takes(")")) fail("unexpected");
      return inner;
    }
    const rest = text.slice(at);
    const number = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(rest)?.[0];
    if (number) {
      at += number.length;
      const value = Number(number);
      return () => finite(value);
    }
    const name = /^[A-Za-z]\w*/.exec(rest)?.[0];
    return name ? named(name, depth) : fail("unexpected");
  };
  const named = (name: string, depth: number): Node => {
    const start = at;
    at += name.length;
    if (names.includes(name)) {
      used.add(name);
      return (values) => values[name] ?? Number.NaN;
    }
    const constant = has(CONSTANTS, name) ? CONSTANTS[name] : undefined;
    if (constant !== undefined) return () => constant;
    const known = has(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!known) return fail("name", start);
    if (!takes("(")) fail("unexpected");
    const parts = [sum(depth)];
    while (takes(",")) parts.push(sum(depth));
    if (!takes(")")) fail("unexpected");
    const [calculate, fewest, most] = known;
    if (parts.length < fewest || parts.length > most) fail("arguments", start);
    return (values) => finite(calculate(...parts.map((part) => part(values))));
  };
  const times = (left: number, right: number) => finite(left * right);
  const minus = (left: number, right: number) => finite(left - right);
  const product = chain(signed, {
    "*": times,
    "×": times,
    "·": times,
    "⋅": times,
    "/": divided,
    "÷": divided,
    ":": divided,
  });
  const sum = chain(product, {
    "+": (left, right) => finite(left + right),
    "-": minus,
    "−": minus,
    "–": minus,
  });
  const value = sum(0);
  if (peek() !== "") fail("unexpected");
  return { value, used };
}

/** The result for these values, or why there is none. */
export function resultOf(value: Node, values: Values): number | NoResult {
  try {
    return Number(value(values).toPrecision(12));
  } catch (error) {
    if (error instanceof WithoutResult) return error.why;
    throw error;
  }
}

/** The first and the last value in units of the last decimal; null without a value. */
export function gridOf({ min, max, decimals }: Parameter): [number, number] | null {
  if (min === null || max === null) return null;
  const scaled = (bound: number) => Number((bound * 10 ** decimals).toPrecision(15));
  const [first, last] = [Math.ceil(scaled(min)), Math.floor(scaled(max))];
  return first <= last ? [first, last] : null;
}

export interface Example {
  /** The values as learners read them, in the order of the parameters. */
  values: [name: string, value: string][];
  result: number | NoResult;
}

/** An example with random values; null while the question is incomplete. `random` returns numbers from 0 up to 1. */
export function exampleOf(
  parameters: readonly Parameter[],
  expression: string,
  random: () => number = Math.random,
): Example | null {
  const values: [string, string][] = [];
  for (const parameter of parameters) {
    const grid = gridOf(parameter);
    if (!grid || !isParameterName(parameter.name)) return null;
    const units = grid[0] + Math.floor(random() * (grid[1] - grid[0] + 1));
    values.push([parameter.name, (units / 10 ** parameter.decimals).toFixed(parameter.decimals)]);
  }
  try {
    const { value } = parse(
      expression,
      parameters.map(({ name }) => name),
    );
    const numbers = Object.fromEntries(values.map(([name, text]) => [name, Number(text)]));
    return { values, result: resultOf(value, numbers) };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** Where a formula cannot be read; null if it can. */
export function faultOf(expression: string, names: readonly string[]): Unreadable | null {
  try {
    parse(expression, names);
    return null;
  } catch (error) {
    if (error instanceof Unreadable) return error;
    throw error;
  }
}
