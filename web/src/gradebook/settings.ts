import type { GradeScheme, SetGradeItemsInput } from "../api/schema.generated";
import type { GradeSettingsPartsFragment } from "./GradeSettings.generated";
import { parsePoints } from "./grades";

export type GradeSettings = GradeSettingsPartsFragment;
export type Category = GradeSettings["categories"][number];
export type GradedPage = GradeSettings["items"][number];

export const SCHEMES: readonly GradeScheme[] = ["PERCENT", "FIVE_POINT", "LETTERS", "PASS_FAIL"];

/** The labels of each scheme, the best one first, and the least percent of each but the last unless the course has others. */
export const LABELS: Record<GradeScheme, readonly string[]> = {
  PERCENT: [],
  FIVE_POINT: ["5", "4", "3", "2"],
  LETTERS: ["A", "B", "C", "D", "F"],
  PASS_FAIL: ["pass", "fail"],
};
export const DEFAULTS: Record<GradeScheme, readonly string[]> = {
  PERCENT: [],
  FIVE_POINT: ["85", "70", "50"],
  LETTERS: ["90", "80", "70", "60"],
  PASS_FAIL: ["60"],
};

export const THRESHOLD_FIELDS = ["t0", "t1", "t2", "t3"] as const;

/** A typed percent above 0 and up to 100 as the server reads it; null for anything else. */
export function parseThreshold(typed: string): string | null {
  const text = parsePoints(typed);
  return text !== null && Number(text) > 0 && Number(text) <= 100 ? text : null;
}

/** What is wrong with a threshold below `better`; undefined for the first one. */
export function thresholdProblem(typed: string, better: string | undefined) {
  const own = parseThreshold(typed);
  if (own === null) return "students.grades.settings.thresholdRange";
  const above = better === undefined ? null : parseThreshold(better);
  return above !== null && Number(own) >= Number(above) ? "students.grades.settings.thresholdOrder" : null;
}

export function weightProblem(typed: string) {
  const weight = parsePoints(typed);
  return weight === null || Number(weight) > 100 ? "students.grades.settings.weightRange" : null;
}

export function dropProblem(typed: string) {
  return /^\d{1,2}$/.test(typed.trim()) && Number(typed) <= 50 ? null : "students.grades.settings.dropRange";
}

export function itemPointsProblem(typed: string) {
  const points = parsePoints(typed);
  const isInRange = points !== null && Number(points) >= 0.01 && Number(points) <= 10_000;
  return isInRange ? null : "students.grades.settings.pointsRange";
}

/** How a page counts. */
export type Mode = "counts" | "extra" | "excluded";

export const modeOf = ({ isExcluded, extraCredit }: GradedPage): Mode =>
  isExcluded ? "excluded" : extraCredit ? "extra" : "counts";

/** The value that all pages share; null if they differ. */
export function common<T>(pages: readonly GradedPage[], of: (page: GradedPage) => T): T | null {
  const [first, ...rest] = pages.map(of);
  return first !== undefined && rest.every((one) => one === first) ? first : null;
}

type Values = Pick<SetGradeItemsInput, "categoryId" | "points" | "extraCredit" | "isExcluded">;

/** The inputs that give the pages back the values they had, of the fields that `changed` names: one for all pages with equal values. */
export function restoring(pages: readonly GradedPage[], changed: Values): (Values & { pageIds: string[] })[] {
  const groups = new Map<string, Values & { pageIds: string[] }>();
  for (const page of pages) {
    const before = Object.fromEntries(
      (Object.keys(changed) as (keyof Values)[]).map((field) => [field, page[field]]),
    ) as Values;
    const key = JSON.stringify(before);
    const group = groups.get(key) ?? { ...before, pageIds: [] };
    group.pageIds.push(page.pageId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The fields that were changed here: after a conflict only these are put back. */
export function changedOf<T extends object>(typed: T, base: T): Partial<T> {
  const changed = Object.entries(typed).filter(([field, value]) => value !== base[field as keyof T]);
  return Object.fromEntries(changed) as Partial<T>;
}

/** The same for the scheme, whose thresholds mean nothing without it. */
export function changedScheme<T extends { missingCountsAsZero: boolean; isBlind: boolean }>(
  typed: T,
  base: T,
): Partial<T> {
  const changed = changedOf(typed, base);
  const { missingCountsAsZero, isBlind, ...scheme } = typed;
  const isScheme = Object.keys(changed).some((field) => field in scheme);
  return { ...changed, ...(isScheme && (scheme as Partial<T>)) };
}

/** What a form was opened on, to notice that somebody else has changed it. */
export const schemeKey = ({ scheme, thresholds, missingCountsAsZero, isBlind }: GradeSettings) =>
  JSON.stringify([scheme, thresholds, missingCountsAsZero, isBlind]);

export const categoryKey = (category: Category | undefined) =>
  category ? JSON.stringify([category.title, category.weight, category.dropLowest]) : "";

export const itemsKey = (pages: readonly GradedPage[]) =>
  JSON.stringify(pages.map((page) => [page.pageId, page.categoryId, page.points, modeOf(page)]));
