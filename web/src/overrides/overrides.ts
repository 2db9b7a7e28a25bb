import type { TFunction } from "i18next";
import type { ExpectedOverrideInput, OverrideLimit, SetOverrideInput } from "../api/schema.generated";
import { type Column, dateOf, type Part } from "../dates/parts";
import { isShownAs, type Local, parseTyped, sentOf, shownLocal, typedOf } from "../dates/typed";
import { localOf } from "../i18n/formatDateTime";
import { EXTRA_ATTEMPTS_MAX, TIME_FACTOR_MAX } from "../limits.generated";
import type { OverrideFragment } from "./Overrides.generated";

export type Override = OverrideFragment;

/** What an override may change, in the order of the screens. */
export const LIMITS = [
  "dueAt",
  "availableUntil",
  "lateUntil",
  "extraAttempts",
  "timeFactor",
  "availableFrom",
] as const;
export type Limit = (typeof LIMITS)[number];
export type DateLimit = Exclude<Limit, "extraAttempts" | "timeFactor">;

const LIFTED: Record<Limit, OverrideLimit> = {
  dueAt: "DUE_AT",
  availableUntil: "AVAILABLE_UNTIL",
  lateUntil: "LATE_UNTIL",
  extraAttempts: "EXTRA_ATTEMPTS",
  timeFactor: "TIME_FACTOR",
  availableFrom: "AVAILABLE_FROM",
};

const COLUMN: Record<DateLimit, Column> = {
  dueAt: "due",
  availableUntil: "closes",
  lateUntil: "late",
  availableFrom: "opens",
};

/** Whether a limit is inherited, lifted, or has a value of its own. */
export const MODES = ["inherit", "own", "lift"] as const;
export type Mode = (typeof MODES)[number];

/** The form of an override: the mode of each limit and the text of its own value. */
export type Values = Record<Limit, string> & Record<`${Limit}Mode`, Mode>;

export const isDate = (limit: Limit): limit is DateLimit => limit in COLUMN;

/** Returns the limits that an override of this part may change. */
export function limitsOf(part: Part): Limit[] {
  const isQuiz = part.kind === "page" && part.item.kind === "QUIZ";
  return LIMITS.filter((limit) => {
    if (limit === "dueAt") return part.kind !== "course";
    if (limit === "timeFactor") return isQuiz || part.kind !== "page";
    if (limit === "lateUntil" || limit === "extraAttempts") return isQuiz;
    return true;
  });
}

/** Returns the id of the part that an override is of. */
export const partIdOf = ({ pageId, lessonId, moduleId }: Override, courseId: string): string =>
  pageId ?? lessonId ?? moduleId ?? courseId;

/** Returns the number of overrides by the id of their part. */
export function countByPart(overrides: readonly Override[], courseId: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const override of overrides) {
    const id = partIdOf(override, courseId);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

export const modeOf = (override: Override | undefined, limit: Limit): Mode =>
  override?.lifted.includes(LIFTED[limit])
    ? "lift"
    : (override?.[limit] ?? null) === null
      ? "inherit"
      : "own";

/** The dates of one layer of overrides, by part: undefined inherits, null lifts. The times are local to the course. */
export type Layer = (partId: string, limit: DateLimit) => Local | null | undefined;

/** Returns the layer of the overrides of one group or one student. */
export function layerOf(overrides: readonly Override[], courseId: string, zone: string): Layer {
  const byPart = new Map(overrides.map((one) => [partIdOf(one, courseId), one]));
  return (partId, limit) => {
    const override = byPart.get(partId);
    const mode = modeOf(override, limit);
    if (mode === "inherit") return undefined;
    return mode === "lift" ? null : localOf(override?.[limit] ?? "", zone);
  };
}

/** Returns the layer with what is typed for a part in place of what it has there. */
export function typedLayer(below: Layer, part: Part, values: Values, now: Date): Layer {
  return (partId, limit) => {
    if (partId !== part.id) return below(partId, limit);
    const mode = values[`${limit}Mode`];
    if (mode === "lift") return null;
    const typed = mode === "own" ? parseTyped(values[limit], now) : null;
    return typed === null ? undefined : withTime(typed, limit);
  };
}

/** Returns a local time for a day, as the server reads it. */
const withTime = (local: Local, limit: DateLimit): Local =>
  local.includes("T") ? local : `${local}T${limit === "availableFrom" ? "00:00" : "23:59"}`;

/**
 * Returns the date that holds at a part, in the time of the course; null without one. The first layer precedes the next ones. The nearest
 * due date counts; a part opens with the last and closes with the first of the parts above it.
 */
export function holding(part: Part, limit: DateLimit, layers: readonly Layer[], zone: string): Local | null {
  const own = (one: Part) => ownDate(one, limit, layers, zone);
  if (limit === "lateUntil") return own(part) ?? null;
  const chain = [...part.above, part].reverse();
  if (limit === "dueAt") {
    for (const one of chain) {
      const date = own(one);
      if (date !== undefined) return date;
    }
    return null;
  }
  const dates = chain.flatMap((one) => own(one) ?? []).sort();
  return (limit === "availableFrom" ? dates.at(-1) : dates[0]) ?? null;
}

/** Returns the own date of a part; null if it is lifted, undefined without one. */
function ownDate(
  part: Part,
  limit: DateLimit,
  layers: readonly Layer[],
  zone: string,
): Local | null | undefined {
  for (const layer of layers) {
    const date = layer(part.id, limit);
    if (date !== undefined) return date;
  }
  const base = dateOf(part, COLUMN[limit]);
  return base === null ? undefined : localOf(base, zone);
}

/** Returns the part that closes first, itself or above, before the due date that holds; null if the due date comes first. */
export function closesBeforeDue(
  part: Part,
  layers: readonly Layer[],
  zone: string,
): { part: Part; at: Local } | null {
  const due = holding(part, "dueAt", layers, zone);
  const at = holding(part, "availableUntil", layers, zone);
  if (due === null || at === null || at >= due) return null;
  const first = [part, ...part.above].find((one) => ownDate(one, "availableUntil", layers, zone) === at);
  return first ? { part: first, at } : null;
}

/** What the dialog is opened for. */
export type Aim = "dates" | "attempts";

/**
 * Returns the values of the form: those of the override, or of a new one that changes what it is made for. Another attempt is one more
 * than the override gives, or without a number of its own, the one of the student's group.
 */
export function valuesOf(
  override: Override | undefined,
  part: Part,
  aim: Aim,
  current: (limit: DateLimit) => Local | null,
  zone: string,
  language: string,
  ofGroup?: Override,
): Values {
  const entries = LIMITS.flatMap((limit): [string, string][] => {
    const own = override?.[limit] ?? null;
    const text = isDate(limit)
      ? typedOf(own as string | null, zone, language)
      : own === null
        ? ""
        : String(own);
    return [
      [limit, text],
      [`${limit}Mode`, modeOf(override, limit)],
    ];
  });
  const values = Object.fromEntries(entries) as Values;
  const limits = limitsOf(part);
  if (aim === "attempts" && limits.includes("extraAttempts")) {
    const given = values.extraAttemptsMode === "inherit" ? ofGroup : override;
    if (modeOf(given, "extraAttempts") === "lift") values.extraAttemptsMode = "lift";
    else {
      values.extraAttemptsMode = "own";
      values.extraAttempts = String(Math.min((given?.extraAttempts ?? 0) + 1, EXTRA_ATTEMPTS_MAX));
    }
  } else if (!override) {
    const limit = limits.filter(isDate).find((one) => current(one) !== null && one !== "availableFrom");
    const preset = limit ?? (part.kind === "course" ? "availableUntil" : "dueAt");
    const local = current(preset);
    values[`${preset}Mode`] = "own";
    values[preset] = local === null ? "" : shownLocal(local, language);
  }
  return values;
}

/** Whether a limit still has the date that the form of a new override suggests: it is inherited as before. */
export function isSuggested(
  limit: Limit,
  typed: Values,
  initial: Values,
  override: Override | undefined,
): boolean {
  const mode = `${limit}Mode` as const;
  const isUntouched = typed[mode] === initial[mode] && typed[limit] === initial[limit];
  return isDate(limit) && isUntouched && typed[mode] === "own" && modeOf(override, limit) === "inherit";
}

/** Returns the values to save: suggested dates that nobody has touched are inherited. */
export function withoutSuggested(typed: Values, initial: Values, override: Override | undefined): Values {
  const suggested = LIMITS.filter((limit) => isSuggested(limit, typed, initial, override));
  return { ...typed, ...Object.fromEntries(suggested.map((limit) => [`${limit}Mode`, "inherit"])) };
}

/**
 * Returns what was changed in the form and stays when its initial values change: a typed text with its mode, and a chosen mode. Another
 * part or another person keeps what they have instead of «as for everybody». What the part does not have is dropped.
 */
export function editsOf(typed: Values, initial: Values, part: Part, isSamePlace: boolean): Partial<Values> {
  const fields = limitsOf(part).flatMap((limit): (keyof Values)[] => {
    const mode = `${limit}Mode` as const;
    if (typed[mode] === "own" && typed[limit] !== initial[limit]) return [limit, mode];
    const isChosen = typed[mode] !== initial[mode] && (isSamePlace || typed[mode] !== "inherit");
    return isChosen ? [mode] : [];
  });
  return Object.fromEntries(fields.map((field) => [field, typed[field]]));
}

/**
 * Returns the limits of an override as the server takes them: left out, null, or a value. The texts are readable, in the time of `zone`. A date
 * of the stored override that its text still shows stays as it is, with its seconds.
 */
export function limitsInput(
  part: Part,
  values: Values,
  now: Date,
  zone: string,
  stored?: Override,
): Pick<SetOverrideInput, Limit> {
  return Object.fromEntries(
    limitsOf(part)
      .filter((limit) => values[`${limit}Mode`] !== "inherit")
      .map((limit) => {
        if (values[`${limit}Mode`] === "lift") return [limit, null];
        if (!isDate(limit)) return [limit, numberOf(values[limit])];
        const local = parseTyped(values[limit], now);
        const own = stored?.[limit] ?? null;
        if (local !== null && isShownAs(local, own, zone)) return [limit, own];
        return [limit, local && sentOf(local, zone)];
      }),
  );
}

const numberOf = (text: string) => Number(text.trim().replace(",", "."));

/** The rule of a limit's own number. */
export function numberProblem(limit: Limit, text: string) {
  if (limit === "extraAttempts") {
    const isValid = /^\d{1,3}$/.test(text.trim()) && Number(text) <= EXTRA_ATTEMPTS_MAX;
    return isValid ? null : "overrides.problem.extraAttempts";
  }
  const isValid = /^\d{1,2}([.,]\d{1,2})?$/.test(text.trim());
  return isValid && numberOf(text) >= 1 && numberOf(text) <= TIME_FACTOR_MAX
    ? null
    : "overrides.problem.timeFactor";
}

/** Whom an override is for. */
export interface Target {
  kind: "student" | "group";
  /** Of the enrollment or of the group. */
  id: string;
  name: string;
  /** Of a student with a full name: tells namesakes apart. */
  email?: string | undefined;
}

export function targetOf({ group, student }: Override): Target {
  if (group) return { kind: "group", id: group.id, name: group.title };
  return student ? studentTarget(student.id, student) : { kind: "student", id: "", name: "" };
}

export const studentTarget = (id: string, user: { fullName: string | null; email: string }): Target => ({
  kind: "student",
  id,
  name: user.fullName || user.email,
  email: user.fullName ? user.email : undefined,
});

/** Returns the name of a target on the screen, of a student with the email if asked for. */
export function labelOf({ kind, name, email }: Target, t: TFunction, hasEmail: boolean): string {
  if (kind === "group") return t("overrides.group", { group: name });
  return hasEmail && email ? `${name} · ${email}` : name;
}

/** Returns the label of each target that has overrides, by its id: students with the same name have their emails in it. */
export function labelsOf(overrides: readonly Override[], t: TFunction): Map<string, string> {
  const targets = new Map(overrides.map((one) => [targetOf(one).id, targetOf(one)]));
  const names = new Map<string, number>();
  for (const { name } of targets.values()) names.set(name, (names.get(name) ?? 0) + 1);
  return new Map([...targets].map(([id, one]) => [id, labelOf(one, t, names.get(one.name) !== 1)]));
}

/** Returns the filters that can be cleared in the list, and the overrides that they leave: what is gone filters nothing. */
export function filtered<P extends { id: string }>(
  overrides: readonly Override[],
  courseId: string,
  parts: readonly P[],
  filter: { whom: string; part: string | undefined },
) {
  const whom = overrides.some((one) => targetOf(one).id === filter.whom) ? filter.whom : "";
  const part = parts.find(({ id }) => id === filter.part)?.id;
  const shown = overrides.filter(
    (one) => (whom === "" || targetOf(one).id === whom) && (!part || partIdOf(one, courseId) === part),
  );
  return { whom, part, shown };
}

/** Returns the input's names of whom and what an override is of. */
export function placeInput(
  courseId: string,
  target: Target,
  part: Pick<Part, "kind" | "id">,
): SetOverrideInput {
  return {
    courseId,
    ...(target.kind === "group" ? { groupId: target.id } : { enrollmentId: target.id }),
    ...(part.kind !== "course" && { [`${part.kind}Id`]: part.id }),
  };
}

/** Returns what identifies whom and what an override is of. */
export const placeKey = ({
  courseId,
  groupId,
  enrollmentId,
  moduleId,
  lessonId,
  pageId,
}: SetOverrideInput): string => [courseId, groupId ?? enrollmentId, pageId ?? lessonId ?? moduleId].join("/");

/** Returns the limits of an override as the server takes them: inherited ones are left out, and lifted ones are null. */
export function limitsOfOverride(override: Override): ExpectedOverrideInput {
  const limits = LIMITS.filter((limit) => modeOf(override, limit) !== "inherit");
  return Object.fromEntries(limits.map((limit) => [limit, override[limit]]));
}

/** Returns the input that sets an override as it is. */
export function inputOf(override: Override, courseId: string): SetOverrideInput {
  const { moduleId, lessonId, pageId } = override;
  const kind = pageId ? "page" : lessonId ? "lesson" : moduleId ? "module" : "course";
  return {
    ...placeInput(courseId, targetOf(override), { kind, id: partIdOf(override, courseId) }),
    ...limitsOfOverride(override),
  };
}

/**
 * Returns an override without the attempt that was added to it; undefined if it says nothing then. What others have changed since `before`
 * was read stays. The attempts are inherited as before if nobody else has given any.
 */
export function withoutAdded(
  set: Override,
  before: Override | undefined,
  ofGroup: Override | undefined,
): Override | undefined {
  const wasInherited = modeOf(before, "extraAttempts") === "inherit";
  const isLifted = modeOf(set, "extraAttempts") === "lift";
  const left = isLifted ? null : (set.extraAttempts ?? 0) - 1;
  const isOfGroup = isLifted
    ? modeOf(ofGroup, "extraAttempts") === "lift"
    : left === (ofGroup?.extraAttempts ?? 0);
  const inherits = wasInherited && isOfGroup;
  const undone = {
    ...set,
    extraAttempts: inherits ? null : left,
    lifted: inherits ? set.lifted.filter((limit) => limit !== LIFTED.extraAttempts) : set.lifted,
  };
  return LIMITS.every((limit) => modeOf(undone, limit) === "inherit") ? undefined : undone;
}
