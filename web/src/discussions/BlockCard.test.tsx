import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import { startI18n } from "../testing/startI18n";
import { BlockCard } from "./BlockCard";
import type { Discussion } from "./discussion";
import { aDiscussion } from "./testing";

vi.mock("./DiscussionThread", () => ({
  DiscussionThread: ({ discussionId }: { discussionId: string }) => (
    <article>
      {`Обсуждение ${discussionId}`}
      <dialog open>
        <input aria-label="Причина" />
      </dialog>
    </article>
  ),
}));
vi.mock("./Ask", () => ({ Ask: () => <p>Форма вопроса</p> }));

configure({ asyncUtilTimeout: 10_000 });
beforeAll(() => startI18n());
beforeEach(() => {
  Element.prototype.scrollIntoView = () => {};
});
afterEach(cleanup);

const page = { id: "p1", version: 3, content: null, course: { id: "c", myRole: "LEARNER" as const } };
const rules = { isOn: true, isOnPage: true, allowsAnonymous: false, isPerGroup: false };
const about = (number: number, more: Partial<Discussion> = {}) =>
  aDiscussion(number, { anchor: { block: 0, quote: "Слова" }, ...more });

/** A server with a list that can change, be cut into parts, and fail. */
function createServer(first: Discussion[]) {
  const server = { nodes: first, rest: [] as Discussion[], fails: "" as "" | "list" | "more", asked: 0 };
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        if (operationName === "DiscussionsChanged") return;
        const isMore = variables.after != null;
        if (operationName === "PageDiscussions") server.asked += 1;
        if (server.fails === "list" || (server.fails === "more" && isMore))
          return observer.error(new TypeError("Failed to fetch"));
        const nodes = isMore ? server.rest : server.nodes;
        const hasNextPage = !isMore && server.rest.length > 0;
        const pageInfo = { __typename: "PageInfo", hasNextPage, endCursor: hasNextPage ? "1" : null };
        const totalCount = server.nodes.length + server.rest.length;
        const discussions = { __typename: "DiscussionConnection", totalCount, pageInfo, nodes };
        observer.next({ data: { page: { __typename: "Page", id: "p1", discussions } } });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  return Object.assign(server, { client });
}

function show(server: ReturnType<typeof createServer>, openCount: number, isAsking = false) {
  const onClose = vi.fn();
  const card = (openCount: number) => (
    <ApolloProvider client={server.client}>
      <BlockCard
        page={page}
        userId="u1"
        rules={rules}
        place={{ block: 0, quote: "Слова", version: 3 }}
        isAsking={isAsking}
        openCount={openCount}
        onClose={onClose}
      />
    </ApolloProvider>
  );
  const { rerender } = render(card(openCount));
  return { onClose, setCount: (openCount: number) => rerender(card(openCount)) };
}

const readAgain = () => act(async () => void window.dispatchEvent(new Event("focus")));

test("the only question is open and can be collapsed", async () => {
  show(createServer([about(1)]), 1);
  await screen.findByText(/^Обсуждение/);
  fireEvent.click(screen.getByRole("button", { name: "Свернуть вопрос" }));
  expect(screen.queryByText(/^Обсуждение/)).toBeNull();
  expect(screen.getByRole("button", { name: /Вопрос 1\?/ })).toBeTruthy();
});

test("a second question does not close the one that is being read", async () => {
  const server = createServer([about(1)]);
  const { setCount } = show(server, 1);
  await screen.findByText(/^Обсуждение/);
  server.nodes = [about(2), about(1)];
  setCount(2);
  await readAgain();
  await screen.findByRole("button", { name: /Вопрос 2\?/ });
  expect(screen.getByText(/^Обсуждение/)).toBeTruthy();
});

test("the only question stays when it is solved", async () => {
  const server = createServer([about(1)]);
  const { setCount } = show(server, 1);
  await screen.findByText(/^Обсуждение/);
  act(() => {
    server.client.cache.modify({
      id: server.client.cache.identify({ __typename: "Discussion", id: about(1).id }) ?? "",
      fields: { resolvedAt: () => "2026-11-30T12:00:00Z" },
    });
  });
  setCount(0);
  expect(screen.getByText(/^Обсуждение/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Свернуть вопрос" }));
  await screen.findByText("Открытых вопросов к этому фрагменту нет.");
});

test("Escape closes the card, but not from within a dialog", async () => {
  const { onClose } = show(createServer([about(1)]), 1);
  fireEvent.keyDown(await screen.findByRole("textbox", { name: "Причина" }), { key: "Escape" });
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.keyDown(screen.getByText(/^Обсуждение/), { key: "Escape" });
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("questions of the block that come later in the list are loaded, and a failure waits for a retry", async () => {
  const server = createServer([aDiscussion(1)]);
  server.rest = [about(2)];
  server.fails = "more";
  show(server, 1);
  const retry = await screen.findByRole("button", { name: "Повторить" });
  const { asked } = server;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(server.asked).toBe(asked);
  server.fails = "";
  fireEvent.click(retry);
  await screen.findByText(/^Обсуждение/);
});

test("a list that cannot be loaded says so", async () => {
  const server = createServer([about(1)]);
  server.fails = "list";
  show(server, 1);
  const retry = await screen.findByRole("button", { name: "Повторить" });
  server.fails = "";
  fireEvent.click(retry);
  await waitFor(() => expect(screen.getByText(/^Обсуждение/)).toBeTruthy());
});
