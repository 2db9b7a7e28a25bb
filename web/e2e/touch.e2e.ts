import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { type SampleData, test } from "./sample-data.ts";

/** The least size of what a finger touches, in CSS pixels. */
const FINGER = 44;

const SCREENS: { name: string; viewer: "learner" | "superuser"; path: (sample: SampleData) => string }[] = [
  { name: "the taught courses", viewer: "superuser", path: () => "/" },
  { name: "the enrolled courses", viewer: "learner", path: () => "/" },
  { name: "a course", viewer: "learner", path: ({ course }) => `/view-course/${course.course_id}` },
  { name: "a page", viewer: "learner", path: ({ pages }) => `/view-page/${pages[0]}` },
  { name: "a quiz", viewer: "superuser", path: ({ copy }) => `/view-page/${copy.quizId}` },
  { name: "the outline", viewer: "superuser", path: ({ copy }) => `/edit-course/${copy.courseId}` },
  {
    name: "the settings of a course",
    viewer: "superuser",
    path: ({ copy }) => `/edit-course/${copy.courseId}?tab=settings`,
  },
  { name: "the page editor", viewer: "superuser", path: ({ copy }) => `/edit-page/${copy.pageId}` },
  { name: "the quiz builder", viewer: "superuser", path: ({ copy }) => `/edit-page/${copy.quizId}` },
  {
    name: "the students",
    viewer: "superuser",
    path: ({ course }) => `/edit-course/${course.course_id}?tab=students`,
  },
];

for (const { name, viewer, path } of SCREENS)
  test(`buttons and checkboxes have room for a finger: ${name}`, async ({ newTab, sample }) => {
    const { page } = await newTab({ viewport: "phone", touch: true, token: sample.tokens[viewer] });
    await page.goto(path(sample));
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(await tooSmall(page)).toEqual([]);
  });

/** The visible controls whose touchable area is smaller than a finger. Links in running text are excepted (WCAG 2.5.8). */
async function tooSmall(page: Page): Promise<string[]> {
  const controls: Locator = page.locator(
    "button, [role=button], input, select, summary, a[role], [role=tab]",
  );
  return controls.evaluateAll((elements, finger) => {
    const area = (element: Element) => {
      // A label is touched instead of its checkbox; a pseudo-element enlarges a small button.
      const label = element instanceof HTMLInputElement ? (element.labels?.[0] ?? null) : null;
      const boxes = [element, label].flatMap((one) => (one ? [one.getBoundingClientRect()] : []));
      const around = ["::before", "::after"].map((name) => getComputedStyle(element, name));
      const own = element.getBoundingClientRect();
      const grown = around
        .filter(({ content, position }) => content !== "none" && position === "absolute")
        .map(({ width, height }) => ({ width: Number.parseFloat(width), height: Number.parseFloat(height) }));
      const all = [...boxes, ...grown];
      return {
        width: Math.max(own.width, ...all.map(({ width }) => width)),
        height: Math.max(own.height, ...all.map(({ height }) => height)),
      };
    };
    return elements.flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
      if (element.matches("[disabled], [type=hidden], [type=file], [contenteditable] *")) return [];
      const { width, height } = area(element);
      if (width === 0 || height === 0 || (width >= finger - 0.5 && height >= finger - 0.5)) return [];
      const label = element.getAttribute("aria-label") ?? element.textContent ?? "";
      return [`${element.tagName} «${label.trim().slice(0, 40)}» ${Math.round(width)}×${Math.round(height)}`];
    });
  }, FINGER);
}
