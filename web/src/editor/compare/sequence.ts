/** Pairs of indexes, increasing in both sequences. */
type Pairs = [number, number][];

/** Bound on the number of differences that are looked for; the work grows with its square. */
const MOST_DIFFERENCES = 800;
/** The maximum depth of the recursion into the parts between anchors. */
const MOST_LEVELS = 6;

/**
 * The indexes of equal elements of two sequences: a longest common subsequence (Myers 1986). Sequences with more than `most` differences are
 * first cut at the elements that both have exactly once; what then still differs more has no equal elements.
 */
export function commonPairs(
  a: readonly string[],
  b: readonly string[],
  most: number = MOST_DIFFERENCES,
): Pairs {
  const numbers = new Map<string, number>();
  const numbered = (elements: readonly string[]) =>
    Int32Array.from(elements, (element) => {
      const known = numbers.get(element);
      if (known !== undefined) return known;
      numbers.set(element, numbers.size);
      return numbers.size - 1;
    });
  const pairs: Pairs = [];
  collect(numbered(a), numbered(b), 0, 0, most, MOST_LEVELS, pairs);
  return pairs;
}

function collect(
  a: Int32Array,
  b: Int32Array,
  atA: number,
  atB: number,
  most: number,
  levels: number,
  pairs: Pairs,
): void {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  for (let at = 0; at < start; at += 1) pairs.push([atA + at, atB + at]);

  const [midA, midB] = [a.subarray(start, a.length - end), b.subarray(start, b.length - end)];
  if (midA.length > 0 && midB.length > 0) {
    const found = shortestEdit(midA, midB, most);
    if (found) for (const [i, j] of found) pairs.push([atA + start + i, atB + start + j]);
    else if (levels > 0) {
      let [i, j] = [0, 0];
      const anchors = anchorsOf(midA, midB);
      if (anchors.length > 0)
        for (const [nextI, nextJ] of [...anchors, [midA.length, midB.length] as const]) {
          const [partA, partB] = [midA.subarray(i, nextI), midB.subarray(j, nextJ)];
          collect(partA, partB, atA + start + i, atB + start + j, most, levels - 1, pairs);
          if (nextI < midA.length) pairs.push([atA + start + nextI, atB + start + nextJ]);
          [i, j] = [nextI + 1, nextJ + 1];
        }
    }
  }
  for (let at = end; at > 0; at -= 1) pairs.push([atA + a.length - at, atB + b.length - at]);
}

/** The equal elements that a shortest edit script keeps; null if it has more than `most` insertions and deletions. */
function shortestEdit(a: Int32Array, b: Int32Array, most: number): Pairs | null {
  const max = Math.min(a.length + b.length, most);
  // The furthest x on each diagonal k = x - y, at index k + max + 1.
  const furthest = new Int32Array(2 * max + 3);
  const at = (k: number) => furthest[k + max + 1] ?? 0;
  const before: Int32Array[] = [];
  for (let d = 0; d <= max; d += 1) {
    before.push(furthest.slice(max + 1 - d, max + 2 + d));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      furthest[k + max + 1] = x;
      if (x >= a.length && x - k >= b.length) return wayBack(before, a.length, b.length);
    }
  }
  return null;
}

/** Follows the edit script back from its end; `before[d]` has the furthest x of the diagonals -d to d before step d. */
function wayBack(before: readonly Int32Array[], endX: number, endY: number): Pairs {
  const pairs: Pairs = [];
  let [x, y] = [endX, endY];
  for (let d = before.length - 1; d >= 0; d -= 1) {
    const at = (k: number) => before[d]?.[k + d] ?? 0;
    const k = x - y;
    const fromK = k === -d || (k !== d && at(k - 1) < at(k + 1)) ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : at(fromK);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      pairs.push([x, y]);
    }
    [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}

/** Returns the pairs of elements that occur exactly once in each sequence and keep their order. */
function anchorsOf(a: Int32Array, b: Int32Array): Pairs {
  const [onceA, onceB] = [placesOfUnique(a), placesOfUnique(b)];
  const candidates: Pairs = [];
  for (const [element, i] of onceA) {
    const j = onceB.get(element);
    if (j !== undefined) candidates.push([i, j]);
  }
  candidates.sort(([i], [j]) => i - j);
  return longestIncreasing(candidates);
}

function placesOfUnique(elements: Int32Array): Map<number, number> {
  const places = new Map<number, number>();
  const repeated = new Set<number>();
  for (const [at, element] of elements.entries()) {
    if (places.has(element)) repeated.add(element);
    places.set(element, at);
  }
  for (const element of repeated) places.delete(element);
  return places;
}

/** A longest part of the pairs whose second indexes increase, by patience sorting. */
function longestIncreasing(pairs: Pairs): Pairs {
  const ends: number[] = [];
  const previous: number[] = [];
  const second = (at: number | undefined) => pairs[at ?? 0]?.[1] ?? 0;
  for (const [at, [, j]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (second(ends[middle]) < j) low = middle + 1;
      else high = middle;
    }
    previous.push(ends[low - 1] ?? -1);
    ends[low] = at;
  }
  const chosen: Pairs = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair) chosen.push(pair);
  }
  return chosen.reverse();
}
