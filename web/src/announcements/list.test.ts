import { describe, expect, test } from "vitest";
import { elementId, idOf, ordered, shownOnCourse } from "./list";
import { anAnnouncement, idOfNumber } from "./testing";

const numbers = (all: readonly { id: string }[]) => all.map(({ id }) => Number(id.slice(-12)));

describe("the order of announcements", () => {
  test("is scheduled ones by their time, then pinned ones, then the newest", () => {
    const all = [
      anAnnouncement(1),
      anAnnouncement(2, { isPinned: true }),
      anAnnouncement(3),
      anAnnouncement(4, { isPinned: true }),
      anAnnouncement(5, { publishedAt: null, publishAt: "2026-12-05T09:00:00Z" }),
      anAnnouncement(6, { publishedAt: null, publishAt: "2026-12-01T09:00:00Z", isPinned: true }),
    ];
    expect(numbers(ordered(all))).toEqual([6, 5, 4, 2, 3, 1]);
  });

  test("of one moment is by ID, as on the server", () => {
    const publishedAt = "2026-11-20T09:00:00Z";
    const all = [1, 3, 2].map((number) => anAnnouncement(number, { publishedAt }));
    expect(numbers(ordered(all))).toEqual([3, 2, 1]);
  });
});

describe("the course screen shows", () => {
  test("pinned and unread announcements, three at most", () => {
    const all = [
      anAnnouncement(1, { isPinned: true }),
      anAnnouncement(2),
      anAnnouncement(3, { isRead: false }),
      anAnnouncement(4, { isRead: false }),
      anAnnouncement(5, { isRead: false }),
    ];
    expect(numbers(shownOnCourse(all))).toEqual([1, 5, 4]);
  });

  test("no scheduled ones, and nothing when all is read", () => {
    expect(
      shownOnCourse([
        anAnnouncement(1),
        anAnnouncement(2, { isPinned: true, publishedAt: null, publishAt: "2027-01-01T00:00:00Z" }),
      ]),
    ).toEqual([]);
  });
});

test("the fragment of the address names an announcement, and nothing else", () => {
  expect(idOf(elementId(idOfNumber(7)))).toBe(idOfNumber(7));
  expect(idOf(`#${elementId(idOfNumber(7))}`)).toBe(idOfNumber(7));
  expect(idOf("")).toBeUndefined();
  expect(idOf("a-heading")).toBeUndefined();
});
