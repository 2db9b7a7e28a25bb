import type { TFunction } from "i18next";
import { momentOf } from "../i18n/formatDateTime";
import { isDate, LIMITS, type Limit, modeOf, type Override } from "./overrides";

/** Returns what an override says of each limit that it changes, in words. */
export function factsOf(
  override: Override,
  now: Date,
  language: string,
  zone: string,
  t: TFunction,
): [Limit, string][] {
  return LIMITS.flatMap((limit): [Limit, string][] => {
    const text = factOf(override, limit, now, language, zone, t);
    return text === null ? [] : [[limit, text]];
  });
}

/** Returns what an override says of a limit; null when it is inherited. */
function factOf(
  override: Override,
  limit: Limit,
  now: Date,
  language: string,
  zone: string,
  t: TFunction,
): string | null {
  const mode = modeOf(override, limit);
  if (mode === "inherit") return null;
  if (mode === "lift") return t(`overrides.limits.${limit}.lifted`);
  const value = override[limit] ?? "";
  if (isDate(limit))
    return t(`overrides.limits.${limit}.fact`, { ...momentOf(String(value), now, language, zone) });
  if (limit === "extraAttempts") return t("overrides.attempts", { count: Number(value) });
  return t("overrides.times", { value: Number(value) });
}
