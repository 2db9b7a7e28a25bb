import { InMemoryCache, makeVar } from "@apollo/client";

/**
 * The course a page belongs to, learned with each tree. The tree does not repeat it at every page, but with it the
 * sidebar of a page finds its course in the cache instead of asking the server again.
 */
const courseOfPage = makeVar<ReadonlyMap<string, string>>(new Map());

export function rememberCourseOfPages(courseId: string, pageIds: readonly string[]) {
  const known = courseOfPage();
  if (pageIds.every((id) => known.get(id) === courseId)) return;
  courseOfPage(new Map([...known, ...pageIds.map((id) => [id, courseId] as const)]));
}

/** Normalised by type and id: what a mutation answers shows everywhere it is on the screen, with no refetching. */
export function createCache() {
  return new InMemoryCache({
    typePolicies: {
      Query: {
        fields: {
          course: (existing, { args, toReference }) =>
            existing ?? toReference({ __typename: "Course", id: args?.id }),
          page: (existing, { args, toReference }) =>
            existing ?? toReference({ __typename: "Page", id: args?.id }),
        },
      },
      // Lists of children are what the newest answer says: things move between them.
      Course: { fields: { progress: { merge: true }, modules: { merge: false } } },
      Module: { fields: { lessons: { merge: false } } },
      Lesson: { fields: { pages: { merge: false } } },
      Page: {
        fields: {
          course: (existing, { readField, toReference }) => {
            const id = existing ? undefined : courseOfPage().get(String(readField("id")));
            return id ? toReference({ __typename: "Course", id }) : existing;
          },
        },
      },
    },
  });
}
