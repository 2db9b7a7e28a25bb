import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import { startI18n } from "../testing/startI18n";
import { findWanted } from "./findWanted";
import { QuestionsSection } from "./QuestionsSection";
import { aDiscussion } from "./testing";

const navigate = vi.hoisted(() => vi.fn());
vi.mock("@tanstack/react-router", async (original) => ({
  ...(await original<object>()),
  useNavigate: () => navigate,
}));
vi.mock("./findWanted", () => ({ findWanted: vi.fn() }));
vi.mock("./DiscussionThread", () => ({
  DiscussionThread: ({ discussionId }: { discussionId: string }) => (
    <article>{`Обсуждение ${discussionId}`}</article>
  ),
}));

beforeAll(() => startI18n());
beforeEach(() => {
  Element.prototype.scrollIntoView = () => {};
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

const discussion = aDiscussion(1);
const rules = { isOn: true, isOnPage: true, allowsAnonymous: false, isPerGroup: false };

/** Opens the section of a page with one question, at an address that names a question. */
function open() {
  const link = new ApolloLink(
    ({ operationName }) =>
      new Observable((observer) => {
        if (operationName !== "PageDiscussions") return;
        const pageInfo = { __typename: "PageInfo", hasNextPage: false, endCursor: null };
        const discussions = {
          __typename: "DiscussionConnection",
          totalCount: 1,
          pageInfo,
          nodes: [discussion],
        };
        observer.next({ data: { page: { __typename: "Page", id: "p1", discussions } } });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  const at = (id: string, wanted: string | undefined) => (
    <StrictMode>
      <ApolloProvider client={client}>
        <QuestionsSection
          page={{ id, version: 1, content: null, course: { id: "c", myRole: "LEARNER" } }}
          userId="u1"
          rules={rules}
          wanted={wanted}
          onPlace={() => {}}
        />
      </ApolloProvider>
    </StrictMode>
  );
  const { rerender } = render(at("p1", "wanted"));
  return { go: (wanted: string | undefined) => rerender(at("p1", wanted)) };
}

const thread = () => screen.findByText(`Обсуждение ${discussion.id}`);

test("the question that the address names is opened, and opened again when the link is followed again", async () => {
  vi.mocked(findWanted).mockResolvedValue({ id: discussion.id, pageId: "p1", answerId: null });
  const { go } = open();
  await thread();
  const row = screen.getByRole("button", { name: "Свернуть вопрос" });
  await waitFor(() => expect(document.activeElement).toBe(row));
  act(() => row.click());
  expect(screen.queryByText(/^Обсуждение/)).toBeNull();
  go(undefined);
  go("wanted");
  await thread();
  expect(navigate).not.toHaveBeenCalled();
});

test("a question that was moved is opened under its page", async () => {
  vi.mocked(findWanted).mockResolvedValue({ id: discussion.id, pageId: "p2", answerId: null });
  open();
  await waitFor(() =>
    expect(navigate).toHaveBeenCalledWith({
      to: "/view-page/$pageId",
      params: { pageId: "p2" },
      search: { question: "wanted" },
      replace: true,
    }),
  );
});

test("a question that is gone is told, and one that could not be looked for is looked for again", async () => {
  vi.mocked(findWanted).mockRejectedValue(new TypeError("Failed to fetch"));
  open();
  await screen.findByRole("button", { name: /Вопрос 1\?/ });
  expect(screen.queryByText(/Вопрос удалён/)).toBeNull();
  vi.mocked(findWanted).mockResolvedValue(null);
  await act(async () => void window.dispatchEvent(new Event("focus")));
  await screen.findByText("Вопрос удалён, или у вас нет к нему доступа.");
});
