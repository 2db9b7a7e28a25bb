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

const QUESTIONS = [
  "SingleChoiceQuestion",
  "MultipleChoiceQuestion",
  "ShortTextQuestion",
  "NumericQuestion",
  "MatchingQuestion",
  "OrderingQuestion",
  "FillBlankQuestion",
];

/** Normalised by type and id: what a mutation answers shows everywhere it is on the screen, with no refetching. */
export function createCache() {
  return new InMemoryCache({
    possibleTypes: { Question: QUESTIONS },
    typePolicies: {
      Query: {
        fields: {
          course: (existing, { args, toReference }) =>
            existing ?? toReference({ __typename: "Course", id: args?.id }),
          page: (existing, { args, toReference }) =>
            existing ?? toReference({ __typename: "Page", id: args?.id }),
        },
      },
      // A copy of a course has questions, options and blanks of the same ids as the original: they belong to their page.
      ...Object.fromEntries(
        [...QUESTIONS, "QuizPart", "QuizBlank"].map((name) => [name, { keyFields: false }]),
      ),
      Course: { fields: { progress: { merge: true } } },
      Page: {
        fields: {
          quiz: { merge: false },
          course: (existing, { readField, toReference }) => {
            const id = existing ? undefined : courseOfPage().get(String(readField("id")));
            return id ? toReference({ __typename: "Course", id }) : existing;
          },
        },
      },
    },
  });
}
