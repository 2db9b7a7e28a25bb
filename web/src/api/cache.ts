import { InMemoryCache, makeVar } from "@apollo/client";
import { connection } from "./connection";

/**
 * Stores the course of each page when a course tree arrives. The tree does not repeat the course at every page, but with it
 * a page's sidebar reads its course from the cache instead of requesting it again.
 */
const courseOfPage = makeVar<ReadonlyMap<string, string>>(new Map());

export function rememberCourseOfPages(courseId: string, pageIds: readonly string[]) {
  const known = courseOfPage();
  if (pageIds.every((id) => known.get(id) === courseId)) return;
  courseOfPage(new Map([...known, ...pageIds.map((id) => [id, courseId] as const)]));
}

const QUESTIONS = [
  "SingleChoice",
  "MultipleChoice",
  "ShortText",
  "Numeric",
  "Matching",
  "Ordering",
  "FillBlank",
  "Hotspot",
  "Essay",
  "FileUpload",
  "HandIn",
].map((kind) => `${kind}Question`);

const ANSWERS = [
  "Choice",
  "Text",
  "Number",
  "Matching",
  "Ordering",
  "Blanks",
  "Hotspot",
  "Essay",
  "Files",
  "HandIn",
].map((kind) => `${kind}Answer`);

/** Event types of a course's live activity subscription. */
const ACTIVITIES = ["StudentEnrolled", "StudentReadPage", "StudentSubmittedQuiz", "StudentCompletedCourse"];

/**
 * Types whose fields depend on their parent, so that the id alone does not identify the object; the cache stores them inside
 * the parent. A copy of a course has questions, options and blanks with the same ids as the original. Only the staff of a
 * course see its owner's email. A person has different roles in different courses, and students have different results in a lesson.
 */
const NOT_NORMALISED = [
  ...QUESTIONS,
  "QuizPart",
  "QuizBlank",
  "CourseOwner",
  "Collaborator",
  "StudentModule",
  "StudentLesson",
  "StudentPage",
];

/** Creates the cache. It is normalised by type and id, so the result of a mutation updates every component that shows the object. */
export function createCache() {
  return new InMemoryCache({
    possibleTypes: {
      Question: QUESTIONS,
      Answer: ANSWERS,
      CourseActivity: ACTIVITIES,
      PageContent: ["TextContent", "QuizContent"],
    },
    typePolicies: {
      ...Object.fromEntries(NOT_NORMALISED.map((name) => [name, { keyFields: false }])),
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
      // The newest response replaces a list of children, because items move between parents.
      Course: {
        fields: {
          progress: { merge: true },
          modules: { merge: false },
          students: connection("search", "sort", "descending"),
        },
      },
      // A query selects more or fewer of the times than another.
      Timeline: { merge: true },
      // Likewise of the unpublished changes of a page.
      PageDraft: { merge: true },
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
