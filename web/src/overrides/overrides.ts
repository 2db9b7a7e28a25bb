import type { TFunction } from "i18next";
import type {
  ExpectedOverrideInput,
  OverrideEntryInput,
  OverrideLimit,
  SetOverrideInput,
} from "../api/schema.generated";
import { takesAttempts } from "../course/takesAttempts";
import type { Part } from "../dates/parts";
import { isShownAs, parseTyped, sentOf, typedOf } from "../dates/typed";
import { shownAddress } from "../guests/guestAddress";
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

/** Whether a limit is inherited, lifted, or has a value of its own. */
export const MODES = ["inherit", "own", "lift"] as const;
export type Mode = (typeof MODES)[number];

/** The form of an override: the mode of each limit and the text of its own value. */
export type Values = Record<Limit, string> & Record<`${Limit}Mode`, Mode>;

export const isDate = (limit: Limit): limit is DateLimit =>
  limit !== "extraAttempts" && limit !== "timeFactor";

/** Returns the limits that an override of this part may change. */
export function limitsOf(part: Part): Limit[] {
  const hasAttempts = part.kind === "page" && takesAttempts(part.item.kind);
  return LIMITS.filter((limit) => {
    if (limit === "dueAt") return part.kind !== "course";
    if (limit === "timeFactor")
      return (part.kind === "page" && part.item.kind === "QUIZ") || part.kind !== "page";
    if (limit === "lateUntil" || limit === "extraAttempts") return hasAttempts;
    return true;
  });
}

/** Returns the id of the part to which an override or an end belongs. */
export const partIdOf = (
  { pageId, lessonId, moduleId }: Pick<Override, "pageId" | "lessonId" | "moduleId">,
  courseId: string,
): string => pageId ?? lessonId ?? moduleId ?? courseId;

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

/** Converts typed dates to the input of the server: absent, null, or a value. An incomplete date is absent. */
export function typedDates(
  part: Part,
  values: Values,
  now: Date,
  zone: string,
): Partial<Record<DateLimit, string | null>> {
  return Object.fromEntries(
    limitsOf(part)
      .filter(isDate)
      .flatMap((limit): [DateLimit, string | null][] => {
        const mode = values[`${limit}Mode`];
        if (mode === "lift") return [[limit, null]];
        const local = mode === "own" ? parseTyped(values[limit], now) : null;
        return local === null ? [] : [[limit, sentOf(local, zone)]];
      }),
  );
}

/** What the dialog is opened for. */
export type Aim = "dates" | "attempts";

/**
 * Returns the values of the form: those of the override, or of a new one that changes what it is made for. Another attempt is one more
 * than the override gives, or without a number of its own, the one of the student's group. `current` returns the date that holds.
 */
export function valuesOf(
  override: Override | undefined,
  part: Part,
  aim: Aim,
  current: (limit: DateLimit) => string | null,
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
    values[`${preset}Mode`] = "own";
    values[preset] = typedOf(current(preset), zone, language);
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
  const isUntouched = !isTyped(limit, typed, initial);
  return isDate(limit) && isUntouched && typed[mode] === "own" && modeOf(override, limit) === "inherit";
}

/** Returns the values to save: suggested dates that nobody has touched are inherited. */
export function withoutSuggested(typed: Values, initial: Values, override: Override | undefined): Values {
  const suggested = LIMITS.filter((limit) => isSuggested(limit, typed, initial, override));
  return { ...typed, ...Object.fromEntries(suggested.map((limit) => [`${limit}Mode`, "inherit"])) };
}

/** Whether the user has changed a limit in the form. */
export const isTyped = (limit: Limit, typed: Values, initial: Values): boolean =>
  typed[limit] !== initial[limit] || typed[`${limit}Mode`] !== initial[`${limit}Mode`];

/** Whether the user has changed the deadline: earlier ends matter only then. */
export const isDeadlineTyped = (typed: Values, initial: Values): boolean =>
  isTyped("dueAt", typed, initial) || isTyped("lateUntil", typed, initial);

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
  return hasEmail && email ? `${name} · ${shownAddress(email, t("overrides.guest"))}` : name;
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

/** Returns the ids that identify the part of an entry; at most one is set. */
export const idsOf = ({ moduleId, lessonId, pageId }: OverrideEntryInput): OverrideEntryInput => ({
  ...(moduleId && { moduleId }),
  ...(lessonId && { lessonId }),
  ...(pageId && { pageId }),
});

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
