import { GRAPHQL_URL } from "../api/apiError";
import { answerTemplate, type Question } from "./answerTemplate";
import { offeredToken } from "./identity";
import { words } from "./words";

/** An operation that is ready to run, once it has the ids of something its reader may see. */
export interface Example {
  title: string;
  text: string;
  query: string;
  variables: () => Promise<object>;
}

export interface Prepared {
  query: string;
  variables: string;
}

const tree: Example = {
  title: words.tree,
  text: words.treeText,
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
    courseId: (await firstCourse("learning")) ?? (await firstCourse("teaching")) ?? "",
  }),
};

const quiz: Example = {
  title: words.quiz,
  text: words.quizText,
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
      }
    }
  }
}
`,
  variables: async () => {
    const pageId = await firstQuiz();
    return { pageId: pageId ?? "", answers: pageId ? await guesses(pageId) : [] };
  },
};

const live: Example = {
  title: words.live,
  text: words.liveText,
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
  variables: async () => ({ courseId: (await firstCourse("teaching")) ?? "" }),
};

const login: Example = {
  title: words.login,
  text: words.loginText,
  query: `mutation Login($email: String!, $password: String!) {
  login(input: { email: $email, password: $password }) {
    accessToken
  }
}
`,
  variables: async () => ({ email: "", password: "" }),
};

export const examples = [tree, quiz, live, login];
/** What a first visit begins with. */
export const firstTabs = [tree, quiz, live];

export async function prepare({ query, variables }: Example): Promise<Prepared> {
  return { query, variables: JSON.stringify(await variables(), null, 2) };
}

/** A course the reader learns, or one they teach. */
async function firstCourse(as: "learning" | "teaching"): Promise<string | undefined> {
  const found = await ask<{
    myEnrollments: { nodes: { course: { id: string } }[] };
    myCourses: { nodes: { id: string }[] };
  }>("{ myEnrollments(first: 1) { nodes { course { id } } } myCourses(first: 1) { nodes { id } } }");
  return as === "learning" ? found?.myEnrollments.nodes[0]?.course.id : found?.myCourses.nodes[0]?.id;
}

/** The first quiz in one of the last few courses the reader learns. */
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

/** Answers of the right shape, right or not. */
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

/** Null when there is no answer: nobody is signed in, or the server is away. The example then has blanks to fill in. */
async function ask<T>(query: string, variables: object = {}): Promise<T | null> {
  const response = await fetch(GRAPHQL_URL, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${offeredToken()}` },
    body: JSON.stringify({ query, variables }),
  }).catch(() => null);
  const body: { data?: T | null } | undefined = await response?.json().catch(() => undefined);
  return body?.data ?? null;
}
