import { texts } from "../texts";
import { createCourse } from "./authoring";
import { type Example, orExplain } from "./example";
import { firstCourse } from "./learning";

export const live: Example = {
  title: texts.live,
  text: texts.liveText,
  query: `subscription CourseActivity($courseId: ID!) {
  courseActivity(courseId: $courseId) {
    __typename
    at
    student {
      percent
      user {
        fullName
      }
    }
    ... on StudentReadPage {
      page {
        id
        title
      }
    }
    ... on StudentSubmittedQuiz {
      page {
        id
        title
      }
      percent
      passed
    }
  }
}
`,
  variables: async () => ({
    courseId: orExplain(await firstCourse("teaching"), texts.runFirst(createCourse.title)),
  }),
};
