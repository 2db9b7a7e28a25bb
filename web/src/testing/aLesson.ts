/**
 * A lesson for a test, with its id as its title. A new field of lessons gets its default here, so that the tests need not name
 * it.
 */
export function aLesson<Page, More extends object>(id: string, pages: Page[], more?: More) {
  return { __typename: "Lesson" as const, id, title: id, pages, ...(more as More) };
}
