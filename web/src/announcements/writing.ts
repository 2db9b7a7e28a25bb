import type { ParseKeys } from "i18next";
import type { CreateAnnouncementInput, UpdateAnnouncementInput } from "../api/schema.generated";
import type { ContentNode } from "../content/model";
import { instantOf, isShownAs, parseTyped, sentOf, typedOf } from "../dates/typed";
import { sameContent } from "../editor/stored";
import { titleProblem } from "../forms/rules";
import type { Draft } from "./drafts";
import { type Announcement, isScheduled } from "./list";

const EMPTY_DOCUMENT = { type: "doc", content: [{ type: "paragraph" }] };

/** What the form holds at first: the stored announcement, or nothing. */
export function draftOf(announcement: Announcement | undefined, zone: string, language: string): Draft {
  if (!announcement)
    return { title: "", content: EMPTY_DOCUMENT, groupId: "", isLater: false, at: "", isPinned: false };
  const { title, content, group, publishAt, isPinned } = announcement;
  return {
    title,
    content,
    groupId: group?.id ?? "",
    isLater: isScheduled(announcement),
    at: typedOf(publishAt, zone, language),
    isPinned,
  };
}

export const sameDocument = (one: unknown, other: unknown) =>
  sameContent(one as ContentNode, other as ContentNode);

export const isSameDraft = (one: Draft, other: Draft): boolean =>
  one.title === other.title &&
  one.groupId === other.groupId &&
  one.isLater === other.isLater &&
  (!one.isLater || one.at === other.at) &&
  one.isPinned === other.isPinned &&
  sameDocument(one.content, other.content);

/** The moment at which it is published; null for at once, and for a time that cannot be read. */
export function publishAtOf({ isLater, at }: Pick<Draft, "isLater" | "at">, zone: string, now: Date) {
  const local = isLater ? parseTyped(at, now) : null;
  return local === null ? null : instantOf(local, zone).toISOString();
}

/** The problems of a draft by field, as keys of their texts. */
export function problemsOf(draft: Draft, zone: string, now: Date): { title?: ParseKeys; at?: ParseKeys } {
  const title = titleProblem(draft.title);
  const at = draft.isLater ? timeProblem(draft, zone, now) : null;
  return { ...(title && { title }), ...(at && { at }) };
}

function timeProblem(draft: Draft, zone: string, now: Date): ParseKeys | null {
  if (draft.at.trim() === "") return "learning.announcements.form.atRequired";
  const publishAt = publishAtOf(draft, zone, now);
  if (publishAt === null) return "dates.field.unreadable";
  return new Date(publishAt) <= now ? "learning.announcements.form.past" : null;
}

/** The same as the server takes it: a local time of the course, which may know more time zones than the browser. */
function sentTime({ isLater, at }: Draft, zone: string, now: Date): string | null {
  const local = isLater ? parseTyped(at, now) : null;
  return local === null ? null : sentOf(local.includes("T") ? local : `${local}T00:00`, zone);
}

/** The input that publishes or schedules a new announcement. */
export function createInput(
  courseId: string,
  draft: Draft,
  zone: string,
  now: Date,
): CreateAnnouncementInput {
  const { title, content, groupId, isPinned } = draft;
  return {
    courseId,
    groupId: groupId || null,
    title: title.trim(),
    content,
    publishAt: sentTime(draft, zone, now),
    isPinned,
  };
}

/** The input that stores what differs from the stored announcement. */
export function updateInput(
  stored: Announcement,
  version: number,
  draft: Draft,
  zone: string,
  now: Date,
): UpdateAnnouncementInput {
  const { title, content, isPinned } = draft;
  // Screens show minutes: the seconds of the stored time stay if the minute is the same.
  const local = draft.isLater ? parseTyped(draft.at, now) : null;
  const isSameTime = local !== null && isShownAs(local, stored.publishAt, zone);
  return {
    announcementId: stored.id,
    version,
    ...(title.trim() !== stored.title && { title: title.trim() }),
    ...(!sameDocument(content, stored.content) && { content }),
    ...(isPinned !== stored.isPinned && { isPinned }),
    ...(isScheduled(stored) && !isSameTime && { publishAt: sentTime(draft, zone, now) }),
  };
}
