import { InMemoryCache, makeVar } from "@apollo/client";
import { connection } from "./connection";

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

const ANSWERS = [
  "ChoiceAnswer",
  "TextAnswer",
  "NumberAnswer",
  "MatchingAnswer",
  "OrderingAnswer",
  "BlanksAnswer",
];

/** What learners do, as the live activity of a course tells it. */
const ACTIVITIES = ["StudentEnrolled", "StudentReadPage", "StudentSubmittedQuiz", "StudentCompletedCourse"];

/**
 * Types whose fields depend on where they stand, so that an id alone does not say which one it is. They belong to their
 * parent: a copy of a course has questions, options and blanks of the same ids as the original; who owns a course shows the
 * address to its staff only; somebody is an editor here and a teacher there; what a student has done in a lesson is not what
 * another has.
 */
const OF_THEIR_PLACE = [
  ...QUESTIONS,
  "QuizPart",
  "QuizBlank",
  "CourseOwner",
  "Collaborator",
  "StudentModule",
  "StudentLesson",
  "StudentPage",
];

/** Normalised by type and id: what a mutation answers shows everywhere it is on the screen, with no refetching. */
export function createCache() {
  return new InMemoryCache({
    possibleTypes: {
      Question: QUESTIONS,
      Answer: ANSWERS,
      CourseActivity: ACTIVITIES,
      PageContent: ["TextContent", "QuizContent"],
    },
    typePolicies: {
      ...Object.fromEntries(OF_THEIR_PLACE.map((name) => [name, { keyFields: false }])),
      Query: {
        fields: {
          course: (existing, { args, toReference }) =>
            existing ?? toReference({ __typename: "Course", id: args?.id }),
          page: (existing, { args, toReference }) =>
            existing ?? toReference({ __typename: "Page", id: args?.id }),
          myCourses: connection(),
          myEnrollments: connection(),
          sessions: connection(),
          items: connection("skip"),
          users: connection("search", "skip"),
          allCourses: connection("search", "skip"),
          search: connection("text"),
        },
      },
      // Lists of children are what the newest answer says: things move between them.
      Course: {
        fields: {
          progress: { merge: true },
          modules: { merge: false },
          students: connection("search", "sort", "descending"),
        },
      },
      Module: { fields: { lessons: { merge: false } } },
      Lesson: { fields: { pages: { merge: false } } },
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
