import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import { loadTexts } from "../i18n";
import { startI18n } from "../testing/startI18n";
import type { ChangedPage } from "./changedPages";
import type { ConsequencesShownFragment } from "./Publishing.generated";
import { PublishSomeDialog } from "./PublishSomeDialog";

beforeAll(async () => {
  await startI18n();
  await loadTexts("unpublished");
});
afterEach(cleanup);

const learner = (at: number) => ({
  __typename: "LearnerConsequences",
  user: { __typename: "Person", id: `u${at}`, fullName: `Ученик ${at}`, email: `${at}@example.com` },
  progressBefore: 40,
  progressAfter: 60,
  isCompletedBefore: false,
  isCompletedAfter: false,
  gradeBefore: null,
  gradeAfter: null,
  pages: [],
});
const consequences = (digest: string, learners = 0, attempts = 4) =>
  ({
    __typename: "Consequences",
    digest,
    affected: learners,
    learners: Array.from({ length: learners }, (_, at) => learner(at + 1)),
    regradedAttempts: attempts,
    leftAttempts: 0,
  }) as ConsequencesShownFragment;

const aPage = (effect: ChangedPage["effect"]): ChangedPage => ({
  id: "p1",
  kind: "QUIZ",
  name: "Тест",
  module: "Модуль",
  lesson: "Урок",
  by: null,
  savedAt: "2026-11-20T10:00:00Z",
  isBehind: false,
  isIncomplete: false,
  effect,
  shown: { pageId: "p1", version: 2, pageVersion: 5 },
});
const REMOVED = { isChanged: true, isRemoved: true };

interface Asked {
  name: string | undefined;
  variables: Record<string, unknown>;
}
type Answer = (asked: Asked) => object | Error;

/** Opens the dialog with a server that answers by `answer`. */
function open(effect: ChangedPage["effect"], answer: Answer) {
  const asked: Asked[] = [];
  const link = new ApolloLink(({ operationName: name, variables }) => {
    asked.push({ name, variables });
    return new Observable((observer) => {
      const data = answer({ name, variables });
      if (data instanceof Error) return observer.error(data);
      observer.next({ data });
      observer.complete();
    });
  });
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  const done = { onPublished: vi.fn(), onConflict: vi.fn(), onClose: vi.fn() };
  render(
    <ApolloProvider client={client}>
      <PublishSomeDialog courseId="c1" pages={[aPage(effect)]} left={0} {...done} />
    </ApolloProvider>,
  );
  return { asked, ...done };
}

const answerOf = (consequences: ConsequencesShownFragment) => ({ consequences });
const published = (over: object = {}) => ({
  publishPageDrafts: {
    __typename: "PublishPageDraftsPayload",
    pages: [],
    conflicts: [],
    consequences: null,
    regrade: null,
    ...over,
  },
});
const publish = () => screen.getByRole("button", { name: "Опубликовать изменения" });
const text = () => (screen.getByRole("dialog").textContent ?? "").replaceAll("\u00a0", " ");

test("changes of texts are published without a question about results", async () => {
  const { asked, onPublished } = open({ isChanged: false, isRemoved: false }, () => published());
  await userEvent.click(screen.getByRole("radio", { name: /Важное изменение/ }));
  await userEvent.click(publish());
  await waitFor(() => expect(onPublished).toHaveBeenCalled());
  expect(asked.map(({ name }) => name)).toEqual(["PublishChanges"]);
  expect(asked[0]?.variables.input).toEqual({
    courseId: "c1",
    pages: [{ pageId: "p1", version: 2, pageVersion: 5 }],
    importance: "IMPORTANT",
    pastAttempts: "KEEP",
    removedQuestions: "EXCLUDE",
    digest: null,
  });
});

test("a quiz without attempts has nothing to regrade", async () => {
  open(REMOVED, () => answerOf(consequences("d1", 0, 0)));
  await screen.findByText("Ни у кого ничего не изменится");
  expect(screen.queryByRole("radio", { name: /Пересчитать/ })).toBeNull();
});

test("each choice shows its consequences, and publishing sends the digest that was shown", async () => {
  const { asked, onPublished } = open(REMOVED, (one) =>
    one.name === "PublishChanges"
      ? published({ regrade: { __typename: "Regrade", id: "r1", attempts: 4, changed: 2 } })
      : answerOf(consequences(String(one.variables.removedQuestions), 2)),
  );
  await screen.findByText("Ни у кого ничего не изменится");
  await userEvent.click(screen.getByRole("radio", { name: /Пересчитать результаты/ }));
  await waitFor(() => expect(text()).toContain("Изменится у 2 учеников"));
  expect(text()).toContain("Пересчитаем 4 попытки.");
  const table = screen.getByRole("table");
  expect(within(table).getByText("Ученик 2")).toBeTruthy();
  await userEvent.click(screen.getByRole("radio", { name: /Засчитать его всем/ }));
  await waitFor(() => expect(publish().getAttribute("aria-disabled")).not.toBe("true"));
  await userEvent.click(publish());
  await waitFor(() => expect(onPublished).toHaveBeenCalled());
  expect(asked.at(-1)?.variables.input).toMatchObject({
    pastAttempts: "REGRADE",
    removedQuestions: "FULL_POINTS",
    digest: "FULL_POINTS",
  });
});

test("other consequences than those shown are shown, and have to be confirmed", async () => {
  let times = 0;
  const { asked, onPublished, onClose } = open(REMOVED, (one) => {
    if (one.name !== "PublishChanges") return answerOf(consequences("old", 1));
    times += 1;
    return times === 1 ? published({ consequences: consequences("new", 12) }) : published();
  });
  await userEvent.click(await screen.findByRole("radio", { name: /Пересчитать результаты/ }));
  await waitFor(() => expect(text()).toContain("Изменится у 1 ученика"));
  await userEvent.click(publish());
  expect((await screen.findByRole("alert")).textContent).toContain("Пока вы смотрели, результаты изменились");
  expect(text()).toContain("Изменится у 12 учеников");
  // Many learners are folded away.
  expect(screen.getByRole("dialog").querySelector("details")?.open).toBe(false);
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.click(publish());
  await waitFor(() => expect(onPublished).toHaveBeenCalled());
  expect(asked.at(-1)?.variables.input).toMatchObject({ digest: "new" });
});

test("when the consequences cannot be read, they are read again on demand", async () => {
  let isBroken = true;
  open(REMOVED, () => (isBroken ? new Error("Сбой") : answerOf(consequences("d"))));
  const retry = await screen.findByRole("button", { name: "Повторить" });
  expect(screen.queryByRole("radio", { name: /Пересчитать/ })).toBeNull();
  isBroken = false;
  await userEvent.click(retry);
  await screen.findByText("Ни у кого ничего не изменится");
  expect(screen.getByRole("radio", { name: /Пересчитать/ })).toBeTruthy();
});
