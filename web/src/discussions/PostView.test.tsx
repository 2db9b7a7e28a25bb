import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { cleanup, configure, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import { renderInRouter } from "../testing/renderInRouter";
import { hiddenItems } from "../ui/hiddenItems";
import { runToastAction, toastStore } from "../ui/toasts";
import { PostView } from "./PostView";
import { aDiscussion, anAnswer, aText } from "./testing";

configure({ asyncUtilTimeout: 20_000 });
beforeEach(() => {
  vi.stubGlobal("fetch", () => new Promise(() => {}));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  toastStore.setState(() => []);
  localStorage.clear();
});

const link = new ApolloLink(() => new Observable(() => {}));
const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
const answers = [1, 2].map((number) => anAnswer(number, { isMine: true, body: aText(`Ответ ${number}.`) }));
const shared = {
  discussion: aDiscussion(1, { hasOtherWriters: true }),
  role: "LEARNER" as const,
  userId: "u1",
  onGone: () => {},
};

function List() {
  const hidden = useSelector(hiddenItems);
  return (
    <ol>
      {answers
        .filter(({ id }) => !hidden.has(id))
        .map((post) => (
          <li key={post.id} tabIndex={-1} data-testid={post.id}>
            <PostView post={post as never} {...shared} />
          </li>
        ))}
    </ol>
  );
}

async function openMenu(at: number) {
  const buttons = await screen.findAllByRole("button", { name: /Действия/ });
  const button = buttons[at] as HTMLElement;
  button.focus();
  fireEvent.click(button);
  return button;
}

test("after an edit is given up the keyboard goes on at the menu of the post", async () => {
  await renderInRouter(
    <ApolloProvider client={client}>
      <PostView post={answers[0] as never} {...shared} />
    </ApolloProvider>,
  );
  const button = await openMenu(0);
  fireEvent.click(await screen.findByRole("menuitem", { name: "Изменить" }));
  await screen.findByRole("textbox");
  const cancel = screen.getByRole("button", { name: "Отмена" });
  cancel.focus();
  fireEvent.click(cancel);
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test("after an answer is deleted the keyboard goes on at the next one", async () => {
  await renderInRouter(
    <ApolloProvider client={client}>
      <List />
    </ApolloProvider>,
  );
  await openMenu(0);
  fireEvent.click(await screen.findByRole("menuitem", { name: "Удалить" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId(answers[1]?.id ?? "")));
  runToastAction(toastStore.get()[0]?.id ?? 0);
});
