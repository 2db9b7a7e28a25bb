import { expect, test } from "vitest";
import { addressOf, type Choice, inputOf, readAddress } from "./address";

const courseId = "01900000-0000-7000-8000-000000000001";
const id = "01900000-0000-7000-8000-000000000002";
const at = new Date("2026-12-05T20:59Z");

test.each<[string, Choice]>([
  [`/preview/${courseId}/new/now`, { courseId, who: { kind: "new" }, at: null }],
  [`/preview/${courseId}/group-${id}/2026-12-05T20:59Z`, { courseId, who: { kind: "group", id }, at }],
  [`/preview/${courseId}/new/now/drafts`, { courseId, who: { kind: "new" }, at: null, drafts: true }],
  [`/preview/${courseId}/student-${id}/now`, { courseId, who: { kind: "student", id }, at: null }],
  [
    `/preview/${courseId}/new/2026-12-05T20:59:30.500Z`,
    { courseId, who: { kind: "new" }, at: new Date("2026-12-05T20:59:30.500Z") },
  ],
])("the address %s is written and read", (address, choice) => {
  expect(addressOf(choice)).toBe(address);
  expect(readAddress(address)).toEqual({
    drafts: false,
    ...choice,
    base: address,
    isBadMoment: false,
    rest: "",
  });
});

test("the address of a page stays in a preview with unpublished changes", () => {
  const base = `/preview/${courseId}/new/now/drafts`;
  expect(readAddress(`${base}/${id}`)).toMatchObject({ base, drafts: true, rest: `/${id}` });
  expect(readAddress(`/preview/${courseId}/new/now/${id}`)).toMatchObject({ drafts: false, rest: `/${id}` });
});

test("the address of a page belongs to its preview, also with an encoded colon", () => {
  const base = `/preview/${courseId}/new/2026-12-05T20:59Z`;
  expect(readAddress(`${base}/${id}`)).toMatchObject({ base, at, rest: `/${id}` });
  expect(readAddress(`${base.replace(":", "%3A")}/${id}`)).toMatchObject({ base, at, rest: `/${id}` });
});

test.each(["2100-01-01T00:00Z", "1999-12-31T23:59Z", "2026-13-01T00:00Z", "2026-12-05T20:59", "soon", "0"])(
  "the moment %s is none",
  (when) => {
    const address = readAddress(`/preview/${courseId}/new/${when}`);
    expect(address).toMatchObject({ at: null, isBadMoment: true });
  },
);

test.each([
  "/",
  "/preview",
  `/preview/${courseId}`,
  `/preview/${courseId}/new`,
  `/preview/${courseId}/somebody/now`,
  `/preview/${courseId}/group/now`,
  `/preview/course/new/now`,
  `/preview/${courseId}/new/%E0`,
  `/x/preview/${courseId}/new/now`,
])("%s is no address of a preview", (path) => {
  expect(readAddress(path)?.isBadMoment ?? null).toBe(path.endsWith("%E0") ? true : null);
});

test("the input of the server names one group or student, and the moment in UTC", () => {
  expect(inputOf({ courseId, who: { kind: "new" }, at: null })).toEqual({});
  expect(inputOf({ courseId, who: { kind: "group", id }, at })).toEqual({
    groupId: id,
    at: "2026-12-05T20:59:00.000Z",
  });
  expect(inputOf({ courseId, who: { kind: "student", id }, at: null })).toEqual({ enrollmentId: id });
});
