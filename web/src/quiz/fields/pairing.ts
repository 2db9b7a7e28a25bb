/** Ids of right sides by the ids of left sides. */
export type Pairs = Readonly<Record<string, string>>;

/** Assigns a right side to a left side, and removes it from its previous one. */
export function paired(pairs: Pairs, leftId: string, rightId: string): Record<string, string> {
  return { ...without(pairs, (_, right) => right === rightId), [leftId]: rightId };
}

export function unpaired(pairs: Pairs, leftId: string): Record<string, string> {
  return without(pairs, (left) => left === leftId);
}

function without(pairs: Pairs, is: (left: string, right: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(pairs).filter(([left, right]) => !is(left, right)));
}
