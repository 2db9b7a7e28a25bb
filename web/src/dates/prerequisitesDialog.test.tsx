import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createCache } from "../api/cache";
import { renderInRouter } from "../testing/renderInRouter";
import { startI18n } from "../testing/startI18n";
import { runToastAction, toastStore } from "../ui/toasts";
import { course } from "./course.fixture";
import PrerequisitesDialog from "./PrerequisitesDialog";
import { changePart } from "./parts";

beforeAll(startI18n);
afterEach(cleanup);

const lesson = course.modules[0]?.lessons[0];
const second = { ...lesson, id: "l2", title: "Второй урок", pages: [] };

/** A server that has the prerequisites of the second lesson, and refuses a change that is based on others. */
function serve(stored: string[]) {
  const sent: Record<string, unknown>[] = [];
  const answered = () => ({
    __typename: "Course",
    ...course,
    modules: course.modules.map((module) => ({
      __typename: "Module",
      ...module,
      lessons: [lesson, { ...second, prerequisites: [...stored] }].map((one) => ({
        __typename: "Lesson",
        ...one,
        pages: [],
      })),
    })),
  });
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        if (operationName === "CourseDates") {
          observer.next({ data: { course: answered() } });
        } else {
          const { input } = variables;
          sent.push(input);
          if (input.expectedPrerequisites && String(input.expectedPrerequisites) !== String(stored)) {
            const message = "Эту настройку уже изменил кто-то другой";
            observer.next({ errors: [{ message, extensions: { code: "CONFLICT" } }] } as never);
          } else {
            stored.splice(0, stored.length, ...((input.prerequisites as string[]) ?? []));
            const changed = { __typename: "Lesson", ...second, prerequisites: [...stored] };
            observer.next({ data: { updateLesson: { __typename: "UpdateLessonPayload", lesson: changed } } });
          }
        }
        observer.complete();
      }),
  );
  return { client: new ApolloClient({ link, cache: createCache(), dataMasking: true }), sent, stored };
}

async function open(client: ApolloClient) {
  await renderInRouter(
    <ApolloProvider client={client}>
      <PrerequisitesDialog courseId="c" id="l2" title="Второй урок" onClose={() => undefined} />
    </ApolloProvider>,
  );
  return screen.findByRole<HTMLInputElement>("checkbox", { name: /Урок/ });
}

test("a choice is based on the prerequisites that were read, and can be undone", async () => {
  const { client, sent } = serve([]);
  fireEvent.click(await open(client));
  await waitFor(() =>
    expect(sent).toEqual([{ lessonId: "l2", prerequisites: ["l"], expectedPrerequisites: [] }]),
  );
  await waitFor(() => expect(toastStore.get().at(-1)).toBeDefined());
  runToastAction(Number(toastStore.get().at(-1)?.id));
  await waitFor(() =>
    expect(sent[1]).toEqual({ lessonId: "l2", prerequisites: [], expectedPrerequisites: ["l"] }),
  );
});

test("a choice does not replace what somebody else has chosen meanwhile, and says so", async () => {
  const { client, stored } = serve([]);
  const choice = await open(client);
  stored.push("m0");
  fireEvent.click(choice);
  await screen.findByText("Эту настройку уже изменил кто-то другой");
  expect(stored).toEqual(["m0"]);
});

test("penalties and settings are sent as they were read", async () => {
  const { client, sent } = serve([]);
  const read = { latePenaltyPerDay: 5, sequential: false, timeZone: null };
  const changes = { latePenaltyPerDay: 7, sequential: true, timeZone: "Europe/Moscow" };
  await changePart(client, { kind: "lesson", id: "l2" }, changes, read);
  expect(sent).toEqual([{ lessonId: "l2", ...changes, expectedDates: read }]);
});
