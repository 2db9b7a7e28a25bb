import { answerTemplate, type Question } from "../answerTemplate";
import { texts } from "../texts";
import { ask, type Example, orExplain } from "./example";

export const tree: Example = {
  title: texts.tree,
  text: texts.treeText,
  query: `query CourseTree($courseId: ID!) {
  course(id: $courseId) {
    title
    progress {
      percent
      pagesDone
      pagesTotal
      lessonsDone
      lessonsTotal
    }
    modules {
      title
      lessons {
        title
        isCompleted
        pages {
          id
          title
          number
          kind
          isVisited
          isCompleted
        }
      }
    }
  }
}
`,
  variables: async () => ({
    courseId: orExplain(
      (await firstCourse("learning")) ?? (await firstCourse("teaching")),
      texts.needsCourse,
    ),
  }),
};

export const quiz: Example = {
  title: texts.quiz,
  text: texts.quizText,
  query: `mutation TakeQuiz($pageId: ID!, $answers: [QuizAnswerInput!]!) {
  submitQuiz(input: { pageId: $pageId, answers: $answers }) {
    outcome
    error
    attemptsLeft
    attempt {
      attemptNo
      score
      maxScore
      percent
      passed
      results {
        questionId
        points
        maxPoints
        correct
      }
    }
    course {
      progress {
        percent
      }
    }
  }
}

query Quiz($pageId: ID!) {
  page(id: $pageId) {
    title
    attemptsLeft
    bestPercent
    quiz {
      passPercent
      maxAttempts
      questions {
        __typename
        id
        prompt
        points
        ... on SingleChoiceQuestion {
          options {
            id
            content
          }
        }
        ... on MultipleChoiceQuestion {
          options {
            id
            content
          }
        }
        ... on MatchingQuestion {
          left {
            id
            content
          }
          right {
            id
            content
          }
        }
        ... on OrderingQuestion {
          items {
            id
            content
          }
        }
        ... on FillBlankQuestion {
          text
          blanks {
            id
            options {
              id
              content
            }
          }
        }
        ... on HotspotQuestion {
          picture
          maxPlaces
        }
      }
    }
  }
}
`,
  variables: async () => {
    const pageId = orExplain(await firstQuiz(), texts.needsQuiz);
    return { pageId, answers: pageId ? await guesses(pageId) : [] };
  },
};

/** Returns a course in which the user is enrolled, or one they teach. */
export async function firstCourse(as: "learning" | "teaching"): Promise<string | undefined> {
  const found = await ask<{
    myEnrollments: { nodes: { course: { id: string } }[] };
    myCourses: { nodes: { id: string }[] };
  }>("{ myEnrollments(first: 1) { nodes { course { id } } } myCourses(first: 1) { nodes { id } } }");
  return as === "learning" ? found?.myEnrollments.nodes[0]?.course.id : found?.myCourses.nodes[0]?.id;
}

/** Returns the first quiz of the user's most recent enrollments. */
async function firstQuiz(): Promise<string | undefined> {
  const learnt = await ask<{ myEnrollments: { nodes: { course: { id: string } }[] } }>(
    "{ myEnrollments(first: 5) { nodes { course { id } } } }",
  );
  for (const { course } of learnt?.myEnrollments.nodes ?? []) {
    const found = await ask<{
      course: { modules: { lessons: { pages: { id: string; kind: string }[] }[] }[] };
    }>("query ($id: ID!) { course(id: $id) { modules { lessons { pages { id kind } } } } }", {
      id: course.id,
    });
    const modules = found?.course.modules ?? [];
    const pages = modules.flatMap(({ lessons }) => lessons.flatMap(({ pages }) => pages));
    const first = pages.find(({ kind }) => kind === "QUIZ");
    if (first) return first.id;
  }
  return undefined;
}

/** Returns valid answers, not necessarily correct ones. */
async function guesses(pageId: string): Promise<object[]> {
  const found = await ask<{ page: { quiz: { questions: Question[] } | null } }>(
    `query ($id: ID!) { page(id: $id) { quiz { questions { __typename id
      ... on SingleChoiceQuestion { options { id } } ... on MultipleChoiceQuestion { options { id } }
      ... on MatchingQuestion { left { id } right { id } } ... on OrderingQuestion { items { id } }
      ... on FillBlankQuestion { blanks { id options { id } } } } } } }`,
    { id: pageId },
  );
  return found?.page.quiz?.questions.map(answerTemplate) ?? [];
}
