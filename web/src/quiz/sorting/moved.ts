/** The list with the thing at `from` at `to` instead; the same list when that is no move. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const thing = list[from];
  if (from === to || thing === undefined || to < 0 || to >= list.length) return list;
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), thing, ...rest.slice(to)];
}
