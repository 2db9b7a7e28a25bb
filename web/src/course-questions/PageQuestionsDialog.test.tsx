import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createCache } from "../api/cache";
import { startI18n } from "../testing/startI18n";
import { Toaster } from "../ui/Toaster";
import PageQuestionsDialog from "./PageQuestionsDialog";

beforeAll(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false;
  };
  return startI18n();
});
afterEach(cleanup);

interface Opened {
  isOnInCourse?: boolean;
  hasRules?: boolean;
  fails?: boolean;
}

/** Opens the dialog of a page under which questions are on. */
function open({ isOnInCourse = true, hasRules = true, fails = false }: Opened = {}) {
  const sent: unknown[] = [];
  const rules = (isOnPage: boolean) => ({
    __typename: "DiscussionRules",
    isOn: isOnPage && isOnInCourse,
    isOnPage,
    allowsAnonymous: false,
    isPerGroup: false,
  });
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        if (operationName === "SetPageQuestions") {
          sent.push(variables.input);
          if (fails) return observer.error(new Error("down"));
          const page = { __typename: "Page", id: "p", discussionRules: rules(variables.input.isOn) };
          observer.next({ data: { setPageDiscussions: { __typename: "SetPageDiscussionsPayload", page } } });
        } else {
          const discussionSettings = {
            __typename: "DiscussionSettings",
            isOn: isOnInCourse,
            allowsAnonymous: false,
            isPerGroup: false,
            words: [],
          };
          const course = { __typename: "Course", id: "c", discussionSettings };
          const discussionRules = hasRules ? rules(true) : null;
          observer.next({
            data: {
              page: { __typename: "Page", id: "p", title: "Циклы", number: 1, discussionRules, course },
            },
          });
        }
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  render(
    <ApolloProvider client={client}>
      <PageQuestionsDialog id="p" title="Циклы" onClose={() => {}} />
      <Toaster />
    </ApolloProvider>,
  );
  return { sent };
}

const box = () =>
  screen.findByRole<HTMLInputElement>("checkbox", { name: "Вопросы под страницей", hidden: true });

test("a change is saved at once", async () => {
  const { sent } = open();
  fireEvent.click(await box());
  expect((await box()).checked).toBe(false);
  await screen.findByText("Вопросы под страницей выключены.");
  expect(sent).toEqual([{ pageId: "p", isOn: false }]);
  screen.getByText(/Ученики не видят вопросов под этой страницей/);
});

test("a change that was not saved is taken back", async () => {
  const { sent } = open({ fails: true });
  fireEvent.click(await box());
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(async () => expect((await box()).checked).toBe(true));
});

test("the dialog says when questions are off in the whole course, and who may change it", async () => {
  open({ isOnInCourse: false });
  await screen.findByText(/выключены во всём курсе/);
  cleanup();
  open({ hasRules: false });
  await screen.findByText("Это могут изменить только владелец и преподаватели курса.");
});
