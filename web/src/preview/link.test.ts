import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from "@apollo/client";
import { type DocumentNode, print } from "graphql";
import { beforeAll, expect, test } from "vitest";
import { ApiError } from "../api/apiError";
import { CourseTreeDocument } from "../course/CourseScreen.generated";
import { PageCourseDocument } from "../course/CourseTree.generated";
import { OwnProgressDocument } from "../course/OwnProgress.generated";
import { QuizPageDocument, SubmitQuizDocument } from "../quiz/QuizState.generated";
import { LockedPageDocument } from "../reading/LockedPage.generated";
import { MarkPageVisitedDocument } from "../reading/MarkPageVisited.generated";
import { ReadingPageDocument } from "../reading/ReadingPage.generated";
import { MeDocument } from "../shell/Me.generated";
import { startI18n } from "../testing/startI18n";
import { createPreviewClient } from "./client";
import { previewOf } from "./link";
import { PreviewedStudentDocument } from "./Preview.generated";

beforeAll(startI18n);

const courseId = "01900000-0000-7000-8000-000000000001";
const choice = { courseId, who: { kind: "group", id: "g" }, at: new Date("2026-12-05T20:59Z") } as const;

test("course and page are read from the preview under their names, and the rest of the query stays", () => {
  const query = gql`
    query Both($id: ID!) {
      course(id: $id) { title course: title }
      other: page(id: $id) { course { id } }
      me { id }
    }
  `;
  expect(print(previewOf(query))).toBe(
    print(gql`
      query Both($id: ID!, $previewAs: PreviewInput!) {
        course: coursePreview(id: $id, as: $previewAs) { title course: title }
        other: pagePreview(id: $id, as: $previewAs) { course { id } }
        me { id }
      }
    `),
  );
});

test("a preview with unpublished changes asks for them", () => {
  const query = gql`query One($id: ID!) { page(id: $id) { id } }`;
  expect(print(previewOf(query, true))).toContain("pagePreview(id: $id, as: $previewAs, drafts: true)");
});

test.each([
  CourseTreeDocument,
  PageCourseDocument,
  ReadingPageDocument,
  LockedPageDocument,
  QuizPageDocument,
])("the query of a learner's screen asks for nothing but the preview", (document: DocumentNode) => {
  const text = print(previewOf(document));
  expect(text).toMatch(/\{\s*(course: coursePreview|page: pagePreview)\(id: \$id, as: \$previewAs\)/);
  expect(text).not.toMatch(/^ {2}(?:course|page)\(/m);
});

test.each([MeDocument, PreviewedStudentDocument])(
  "what staff ask for in their own name stays",
  (document: DocumentNode) => {
    expect(print(previewOf(document))).toBe(print(document));
  },
);

test.each([
  MarkPageVisitedDocument,
  SubmitQuizDocument,
  OwnProgressDocument,
  gql`subscription { accountChanged { id } }`,
  gql`query { ...Everything } fragment Everything on Query { me { id } }`,
])("everything else is refused", (document: DocumentNode) => {
  expect(() => previewOf(document)).toThrow(ApiError);
});

test("the client sends the choice, keeps a cache of its own, and changes nothing", async () => {
  const sent: { query: string; variables: object }[] = [];
  const link = new ApolloLink(({ query, variables }) => {
    sent.push({ query: print(query), variables });
    const course = { __typename: "Course", id: courseId, title: "Увиденный" };
    return new Observable((observer) => {
      observer.next({ data: { course } });
      observer.complete();
    });
  });
  const app = new ApolloClient({ link, cache: new InMemoryCache() });
  const client = createPreviewClient(app, choice);
  const query = gql`query Title($id: ID!) { course(id: $id) { id title } }`;
  const { data } = await client.query({ query, variables: { id: courseId } });
  expect(data).toMatchObject({ course: { title: "Увиденный" } });
  expect(sent[0]?.variables).toEqual({
    id: courseId,
    previewAs: { groupId: "g", at: "2026-12-05T20:59:00.000Z" },
  });
  expect(app.cache.extract()).toEqual({});
  const mutation = { mutation: MarkPageVisitedDocument, variables: { input: { pageId: "p" } } };
  await expect(
    client.mutate({
      ...mutation,
      optimisticResponse: () => {
        throw new Error("predicted");
      },
    }),
  ).rejects.toMatchObject({ status: 405, detail: expect.stringMatching("ничего изменить нельзя") });
  expect(sent).toHaveLength(1);
});

test("a page of another course is not asked for in the preview: the refusal would end the session", async () => {
  const sent: string[] = [];
  const link = new ApolloLink(({ query, variables }) => {
    sent.push(print(query));
    const course = { __typename: "Course", id: variables.id === "here" ? courseId : "other" };
    const page = { __typename: "Page", id: variables.id, course };
    return new Observable((observer) => {
      observer.next({ data: { page } });
      observer.complete();
    });
  });
  const client = createPreviewClient(new ApolloClient({ link, cache: new InMemoryCache() }), choice);
  const query = gql`query Seen($id: ID!) { page(id: $id) { id course { id } } }`;
  const { data } = await client.query({ query, variables: { id: "here" } });
  expect(data).toMatchObject({ page: { id: "here" } });
  expect(sent.filter((one) => one.includes("pagePreview"))).toHaveLength(1);
  await expect(client.query({ query, variables: { id: "there" } })).rejects.toMatchObject({ status: 404 });
  expect(sent.filter((one) => one.includes("pagePreview"))).toHaveLength(1);
});
