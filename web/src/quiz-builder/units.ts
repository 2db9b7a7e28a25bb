import type { Unit } from "./model";

/** Why a unit cannot be stored. */
export type UnitFault = "name" | "repeated" | "factor";

/** A new unit after the first, which gets its factor from the author. */
export const UNTOUCHED: Unit = { name: "", factor: 0 };

/** Whether nothing was written in a unit. */
const isBlank = (unit: Unit): boolean => unit === UNTOUCHED || (unit.name.trim() === "" && unit.factor === 1);

/** The units without those in which nothing was written; the first stays, because the others are multiples of it. */
export const writtenUnits = (units: readonly Unit[]): Unit[] =>
  units.every(isBlank) ? [] : units.filter((unit, index) => index === 0 || !isBlank(unit));

/** Why the server would refuse a unit; null if it would not. It refuses such units also in a draft, so they are not sent. */
export function unitFault(units: readonly Unit[], index: number): UnitFault | null {
  const names = units.map(({ name }) => name.trim());
  const name = names[index] ?? "";
  if (name === "") return "name";
  if (names.indexOf(name) < index) return "repeated";
  return (units[index]?.factor ?? 0) > 0 ? null : "factor";
}

export const canStore = (units: readonly Unit[]): boolean =>
  units.every((_, index) => unitFault(units, index) === null);
