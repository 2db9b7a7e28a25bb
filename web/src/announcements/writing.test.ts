import { describe, expect, test } from "vitest";
import { anAnnouncement, aText, idOfNumber } from "./testing";
import { createInput, draftOf, isSameDraft, problemsOf, updateInput } from "./writing";

const ZONE = "Europe/Moscow";
const now = new Date("2026-11-29T12:00:00Z");
const empty = draftOf(undefined, ZONE, "ru");
const scheduled = anAnnouncement(1, { publishedAt: null, publishAt: "2026-12-05T06:00:30Z" });

describe("a new announcement", () => {
  test("needs a title, and may have no text", () => {
    expect(problemsOf(empty, ZONE, now)).toEqual({ title: "forms.titleRequired" });
    expect(problemsOf({ ...empty, title: "Занятие отменено" }, ZONE, now)).toEqual({});
  });

  test.each([
    ["", "learning.announcements.form.atRequired"],
    ["завтра", "dates.field.unreadable"],
    ["29.11.2026 14:59", "learning.announcements.form.past"],
    ["29.11.2026 15:01", undefined],
  ])("at a set time: «%s» has the problem %s, in the zone of the course", (at, problem) => {
    expect(problemsOf({ ...empty, title: "Т", isLater: true, at }, ZONE, now).at).toBe(problem);
  });

  test("is sent to all learners at once, or to a group at a time of the course", () => {
    expect(createInput("c1", { ...empty, title: " Т " }, ZONE, now)).toMatchObject({
      courseId: "c1",
      groupId: null,
      title: "Т",
      publishAt: null,
      isPinned: false,
    });
    const later = { ...empty, title: "Т", groupId: "g1", isLater: true, at: "5.12.2026" };
    expect(createInput("c1", later, ZONE, now)).toMatchObject({
      groupId: "g1",
      publishAt: "2026-12-05T00:00",
    });
  });

  test("is published at once when the time was typed and then not chosen", () => {
    const draft = { ...empty, title: "Т", isLater: false, at: "5.12.2026 10:00" };
    expect(createInput("c1", draft, ZONE, now).publishAt).toBeNull();
  });
});

describe("changing an announcement", () => {
  test("sends only what differs", () => {
    const stored = anAnnouncement(1);
    const draft = draftOf(stored, ZONE, "ru");
    const base = { announcementId: idOfNumber(1), version: 4 };
    expect(updateInput(stored, 4, draft, ZONE, now)).toEqual(base);
    const content = aText("Другой текст");
    expect(updateInput(stored, 4, { ...draft, content, isPinned: true }, ZONE, now)).toEqual({
      ...base,
      content,
      isPinned: true,
    });
  });

  test("keeps the seconds of a scheduled time that was not changed", () => {
    const draft = draftOf(scheduled, ZONE, "ru");
    expect(draft).toMatchObject({ isLater: true, at: "05.12.2026 09:00" });
    expect(updateInput(scheduled, 1, draft, ZONE, now)).not.toHaveProperty("publishAt");
    expect(updateInput(scheduled, 1, { ...draft, at: "5.12.2026 9:30" }, ZONE, now).publishAt).toBe(
      "2026-12-05T09:30",
    );
  });

  test("publishes a scheduled one at once; the time of a published one is not sent", () => {
    const draft = { ...draftOf(scheduled, ZONE, "ru"), isLater: false };
    expect(updateInput(scheduled, 1, draft, ZONE, now)).toHaveProperty("publishAt", null);
    const published = anAnnouncement(1);
    expect(updateInput(published, 1, draftOf(published, ZONE, "ru"), ZONE, now)).not.toHaveProperty(
      "publishAt",
    );
  });
});

test("a draft is changed when one of its fields is, and a time counts only when it is chosen", () => {
  expect(isSameDraft(empty, { ...empty, at: "5.12" })).toBe(true);
  expect(isSameDraft(empty, { ...empty, isLater: true })).toBe(false);
  expect(isSameDraft(empty, { ...empty, content: aText("Т") })).toBe(false);
  expect(isSameDraft(empty, { ...empty, isPinned: true })).toBe(false);
  expect(isSameDraft(empty, { ...empty, groupId: "g1" })).toBe(false);
});
