import type { TFunction } from "i18next";
import { countCharacters, isBlank } from "../forms/rules";
import { momentOf } from "../i18n/formatDateTime";
import type {
  SnapshotDifferencesFragment,
  SnapshotOutlineQuery,
  SnapshotPartFragment,
  SnapshotSummaryFragment,
} from "./Snapshots.generated";

export type Snapshot = SnapshotSummaryFragment;
export type Changes = SnapshotDifferencesFragment;
export type Part = SnapshotPartFragment;
type Outline = NonNullable<SnapshotOutlineQuery["course"]["snapshot"]>["outline"];

/** The longest name of a snapshot, in characters. */
const NAME_MAX = 120;

/** The kinds of changes of parts, in display order. */
export const GROUPS = ["removed", "added", "changed", "moved"] as const;
export type Group = (typeof GROUPS)[number];

/** The rule of a snapshot's name: the key of its problem, or null. */
export function nameProblem(name: string) {
  if (isBlank(name)) return "snapshots.nameRequired";
  return countCharacters(name.trim()) > NAME_MAX ? "snapshots.nameTooLong" : null;
}

/** How a snapshot is called: by its name, or by what it was taken before. */
export const snapshotName = ({ name, reason }: Pick<Snapshot, "name" | "reason">, t: TFunction): string =>
  name ?? t(`snapshots.reasons.${reason}`);

/** The day until which an automatic snapshot is kept; null for one that is kept until it is deleted. */
export function keptUntil({ expiresAt }: Pick<Snapshot, "expiresAt">, now: Date, language: string) {
  return expiresAt === null ? null : momentOf(expiresAt, now, language).day;
}

/** A page of a snapshot with its place. */
export interface PlacedPage {
  id: string;
  title: string | null;
  /** Its number in the lesson, from 1: the name of a page without a title. */
  number: number;
  module: string;
  lesson: string;
}

/** The pages of a snapshot in the order of its contents. */
export const pagesOf = (outline: Outline): PlacedPage[] =>
  outline.flatMap((module) =>
    module.lessons.flatMap((lesson) =>
      lesson.pages.map(({ id, title }, index) => ({
        id,
        title,
        number: index + 1,
        module: module.title,
        lesson: lesson.title,
      })),
    ),
  );

/** The page that the address names, else the first one. */
export const shownPage = (pages: readonly PlacedPage[], wanted: string | undefined): PlacedPage | undefined =>
  pages.find(({ id }) => id === wanted) ?? pages[0];

/** What is compared: changes lead from one side to the other. Null stands for the course as it is now. */
export interface Sides {
  from: Snapshot | null;
  to: Snapshot;
}

/** Changes between snapshots are shown in the order in which they were made, and those from the course as restoring makes them. */
export function sidesOf(shown: Snapshot, other: Snapshot | null): Sides {
  if (other === null || Date.parse(other.takenAt) <= Date.parse(shown.takenAt))
    return { from: other, to: shown };
  return { from: shown, to: other };
}

export const hasChanges = (changes: Changes): boolean =>
  changes.course.length > 0 || GROUPS.some((group) => changes[group].length > 0);

/** The numbers of modules, lessons and pages in words: «1 модуль, 3 страницы». */
export function countText(parts: readonly Part[], t: TFunction): string {
  const count = (kind: Part["kind"]) => parts.filter((part) => part.kind === kind).length;
  const counts = [
    [count("MODULE"), "outline.modules"],
    [count("LESSON"), "outline.lessons"],
    [count("PAGE"), "common.pages"],
  ] as const;
  return counts.flatMap(([count, text]) => (count > 0 ? [t(text, { count })] : [])).join(", ");
}

/** The settings of a course that have names. */
const SETTINGS = [
  "title",
  "description",
  "dates",
  "starts_at",
  "ends_at",
  "enroll_until",
  "time_zone",
  "grade_scheme",
  "grade_categories",
] as const;

/** What of a part can differ. */
const FIELDS = [
  "title",
  "description",
  "picture",
  "content",
  "quiz",
  "draft",
  "published",
  "dates",
  "prerequisites",
  "grading",
] as const;

/** The known ones of the names that the server told, in their own order; all others together are «other». */
function known<Name extends string>(names: readonly Name[], told: readonly string[]): (Name | "other")[] {
  const found = new Set(told.map((name) => name.toLowerCase()));
  const shown = names.filter((name) => found.has(name));
  return shown.length === found.size ? shown : [...shown, "other"];
}

/** The settings of the course that differ, as they are named on the screen. */
export const settingsOf = ({ course }: Pick<Changes, "course">) => known(SETTINGS, course);

/** What differs in a changed part, as it is named on the screen. */
export const fieldsOf = ({ fields }: Pick<Part, "fields">) => known(FIELDS, fields);

/** A text of a page, as it is shown and compared. */
export interface PageText {
  title: string | null;
  content: unknown;
  quiz: unknown;
}

/** A page as its authors have it: what learners see and, if there are any, its unpublished changes. */
export interface PageTexts {
  learners: PageText;
  draft: PageText | null;
}

interface StoredText {
  title: string | null;
  content: unknown;
  authorQuiz?: unknown;
}

const textOf = ({ title, content, authorQuiz }: StoredText): PageText => ({
  title,
  content,
  quiz: authorQuiz ?? null,
});

export const textsOf = (page: StoredText, draft: StoredText | null | undefined): PageTexts => ({
  learners: textOf(page),
  draft: draft ? textOf(draft) : null,
});

/** The texts to compare: with the unpublished changes of both sides, or as learners see the page. */
export const compared = (texts: PageTexts, withDraft: boolean): PageText =>
  withDraft ? (texts.draft ?? texts.learners) : texts.learners;

/** Whether there is something to choose: unpublished changes of one side or of both. */
export const hasDraft = (...sides: readonly PageTexts[]): boolean =>
  sides.some(({ draft }) => draft !== null);
