import { ApolloClient, ApolloLink, gql, Observable } from "@apollo/client";
import { CombinedGraphQLErrors } from "@apollo/client/errors";
import { expect, test } from "vitest";
import { createCache } from "../../api/cache";
import { AttemptTimes } from "../time/AttemptTimes";
import { attemptServer } from "./requests";
import { shown } from "./testing";

const times = () => new AttemptTimes({ userId: "me", pageId: "p", attempt: "ticket" });

/** A client whose server answers `PageCourse`, and every other operation with an error. */
function clientWith(error: Error) {
  const asked: (string | undefined)[] = [];
  const link = new ApolloLink(
    ({ operationName }) =>
      new Observable((observer) => {
        asked.push(operationName);
        if (operationName !== "PageCourse") return observer.error(error);
        observer.next({ data: { page: { __typename: "Page", id: "p" } } });
        observer.complete();
      }),
  );
  return { asked, client: new ApolloClient({ link, cache: createCache() }) };
}

const coded = (code: string) =>
  new CombinedGraphQLErrors({ errors: [{ message: "Нет", extensions: { code } }] });

test.each([
  [coded("NOT_FOUND"), "gone"],
  [coded("CONFLICT"), "gone"],
  [coded("INTERNAL"), "unanswered"],
  [new TypeError("Failed to fetch"), "unanswered"],
])("what it means that a page cannot be read: %s", async (error, kind) => {
  const { client } = clientWith(error);
  expect(await attemptServer(client, "p", shown, times()).look()).toMatchObject({ kind });
});

test("reads the course again where it is shown", async () => {
  const { asked, client } = clientWith(new TypeError());
  const query = gql`
    query PageCourse {
      page {
        id
      }
    }
  `;
  const watched = client.watchQuery({ query }).subscribe(() => undefined);
  await Promise.resolve();
  attemptServer(client, "p", shown, times()).refreshCourse();
  await Promise.resolve();
  expect(asked).toEqual(["PageCourse", "PageCourse"]);
  watched.unsubscribe();
});

test("saved answers carry the time that was spent on their questions", async () => {
  localStorage.setItem(
    "quiz-times:me:p",
    JSON.stringify({ attempt: "ticket", seconds: { q3: 12.34, q1: 5 } }),
  );
  const sent: unknown[] = [];
  const link = new ApolloLink(({ variables }) => {
    sent.push(variables.input.answers);
    return new Observable(() => {});
  });
  const client = new ApolloClient({ link, cache: createCache() });
  const batch = { q3: { answer: { text: "кот" }, at: 3 }, q4: { answer: { number: "5" }, at: 4 } };
  void attemptServer(client, "p", shown, times()).save("ticket", batch, false);
  await Promise.resolve();
  expect(sent).toEqual([
    [
      { questionId: "q3", text: "кот", seconds: 12.3 },
      { questionId: "q4", number: "5" },
    ],
  ]);
  localStorage.clear();
});
