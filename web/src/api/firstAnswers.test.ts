import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { queriesOf } from "../../scripts/firstQueries.mjs";
import { PageCourseDocument } from "../course/CourseTree.generated";
import { HomeDocument } from "../home/Home.generated";
import { UpcomingDocument } from "../home/Upcoming.generated";
import { ReadingPageDocument } from "../reading/ReadingPage.generated";
import { MeDocument } from "../shell/Me.generated";
import { startI18n } from "../testing/startI18n";
import { createClient } from "./client";

beforeAll(startI18n);

const me = { __typename: "User", id: "u", email: "a@b.c", fullName: null, isSuperuser: false };
const sent: { operationName: string; variables: unknown; query: string }[] = [];

beforeEach(() => {
  sent.length = 0;
  localStorage.setItem("access_token", "t");
  vi.stubGlobal("fetch", async (_url: string, request: RequestInit) => {
    sent.push(JSON.parse(String(request.body)));
    return Response.json({ data: { me: { ...me, fullName: "со второго раза" } } });
  });
});
afterEach(() => {
  localStorage.clear();
  window.firstAnswers = undefined;
  vi.unstubAllGlobals();
});

function asked(answer: Promise<Response>, other: { token?: string; language?: string } = {}) {
  window.firstAnswers = [
    { operationName: "Me", variables: "{}", token: "t", language: "ru", answer, ...other },
  ];
}
const ask = async () =>
  (await createClient().query({ query: MeDocument, fetchPolicy: "network-only" })).data?.me.fullName;
const answered = (fullName: string) => Promise.resolve(Response.json({ data: { me: { ...me, fullName } } }));

describe("a query sent by index.html", () => {
  test("is equal to the query that the app sends", async () => {
    const documents = {
      Home: HomeDocument,
      Upcoming: UpcomingDocument,
      Me: MeDocument,
      PageCourse: PageCourseDocument,
      ReadingPage: ReadingPageDocument,
    };
    const early = await queriesOf(Object.keys(documents));
    const { parse, stripIgnoredCharacters } = await import("graphql");
    const definitions = (query: string) =>
      parse(query, { noLocation: true })
        .definitions.map((one) => JSON.stringify(one))
        .sort();
    for (const [name, query] of Object.entries(documents)) {
      await createClient()
        .query({ query: query as typeof MeDocument, variables: { id: "p" } as never, errorPolicy: "all" })
        .catch(() => {});
      const text = sent.at(-1)?.query ?? "";
      expect(sent.at(-1)?.operationName).toBe(name);
      expect(definitions(early[name] ?? "")).toEqual(definitions(stripIgnoredCharacters(text)));
    }
  });

  test("is used once", async () => {
    asked(answered("сразу"));
    expect(await ask()).toBe("сразу");
    expect(sent).toHaveLength(0);
    expect(await ask()).toBe("со второго раза");
    expect(sent).toHaveLength(1);
  });

  test("is sent again after a network error or an error status", async () => {
    asked(Promise.reject(new TypeError("no network")));
    expect(await ask()).toBe("со второго раза");
    asked(Promise.resolve(new Response("", { status: 503 })));
    expect(await ask()).toBe("со второго раза");
    expect(sent).toHaveLength(2);
  });

  test("is not used for another session or another language", async () => {
    asked(answered("чужое"), { token: "other" });
    expect(await ask()).toBe("со второго раза");
    asked(answered("English"), { language: "en" });
    expect(await ask()).toBe("со второго раза");
  });
});
