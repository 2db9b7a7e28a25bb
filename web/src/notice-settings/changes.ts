import type { ChooseNoticesInput, ResetNoticesInput, SetNoticeSettingsInput } from "../api/schema.generated";
import type { PreferencesFragment } from "./NoticeSettings.generated";

export type Preferences = PreferencesFragment;
export type Choice = Preferences["choices"][number];
export type Kind = Choice["kind"];

/** What a user chooses for a kind; without `push`, pushes stay as they are. */
export type Delivery = Pick<Choice, "kind" | "inApp" | "mail"> & Partial<Pick<Choice, "push">>;

/** A change that is not stored yet. */
export type Change =
  | { what: "settings"; input: SetNoticeSettingsInput }
  | { what: "choose"; input: ChooseNoticesInput }
  | { what: "reset"; input: ResetNoticesInput };

/** The kinds in the order of the screen: those of learners, and those of the teams of courses. */
export const KINDS = {
  learning: [
    "ANNOUNCEMENT",
    "NUDGE",
    "GRADED",
    "RETURNED",
    "RESULT_CHANGED",
    "ATTEMPT_GIVEN",
    "DEADLINE_NEAR",
    "IMPORTANT_CHANGE",
    "ANSWERED",
  ],
  teaching: ["MENTION", "COMMENT", "COURSE_COMPLETED", "INVITED", "IMPORT_DONE", "ASKED", "REPORTED"],
} as const satisfies Record<string, readonly Kind[]>;

/** The frequencies of mails, the soonest first. */
export const MAILS = ["ONCE", "DAILY", "WEEKLY", "OFF"] as const satisfies readonly Choice["mail"][];

const HINTED = ["DEADLINE_NEAR", "IMPORTANT_CHANGE", "INVITED"] as const satisfies readonly Kind[];

/** Whether the name of a kind needs an explanation. */
export const hasHint = (kind: Kind): kind is (typeof HINTED)[number] =>
  (HINTED as readonly Kind[]).includes(kind);

/** The preferences as they are once a change is stored. After a reset only the server knows the default, so the choice stays until then. */
export function changed(preferences: Preferences, { what, input }: Change): Preferences {
  if (what === "settings")
    return { ...preferences, ...input, quietHours: input.quietHours ?? null, isStored: true };
  const { kind, courseId } = input;
  if (!courseId) {
    if (what === "reset") return preferences;
    const choices = preferences.choices.map((choice) =>
      choice.kind === kind ? choiceOf(input, choice.push) : choice,
    );
    return { ...preferences, choices };
  }
  const courses = preferences.courses.map((one) => {
    if (one.course.id !== courseId) return one;
    const at = one.choices.findIndex((choice) => choice.kind === kind);
    const choices = [...one.choices];
    if (what === "reset") return { ...one, choices: choices.filter((choice) => choice.kind !== kind) };
    const push = choiceIn(preferences, courseId, kind)?.push ?? false;
    choices.splice(at < 0 ? choices.length : at, at < 0 ? 0 : 1, choiceOf(input, push));
    return { ...one, choices };
  });
  return { ...preferences, courses };
}

const choiceOf = ({ kind, inApp, mail, push }: ChooseNoticesInput, before: boolean): Choice => ({
  kind,
  inApp,
  mail,
  push: push ?? before,
  isDefault: false,
});

/** Whether a later change replaces an earlier one that is still waiting. */
export function replaces(later: Change, earlier: Change): boolean {
  if (later.what === "settings" || earlier.what === "settings") return later.what === earlier.what;
  return (
    later.input.kind === earlier.input.kind &&
    (later.input.courseId ?? null) === (earlier.input.courseId ?? null)
  );
}

/** The effective choice for a kind in a course: its own, or that for all courses. */
export function choiceIn(preferences: Preferences, courseId: string, kind: Kind): Choice | undefined {
  const own = preferences.courses.find(({ course }) => course.id === courseId)?.choices;
  return [...(own ?? []), ...preferences.choices].find((choice) => choice.kind === kind);
}
