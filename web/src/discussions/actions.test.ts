import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createCache } from "../api/cache";
import { startI18n } from "../testing/startI18n";
import { hiddenItems } from "../ui/hiddenItems";
import { toastStore } from "../ui/toasts";
import { settleUndoable } from "../ui/undo";
import { ask, deletePost, readDiscussion, reply } from "./actions";
import { aDiscussion, anAnswer, answersOf, aPost, aText } from "./testing";

beforeAll(() => startI18n());
afterEach(async () => {
  await settleUndoable();
  toastStore.setState(() => []);
});

/** A client whose server gives these answers, and the names of what was asked. */
function serverWith(answers: Record<string, object>) {
  const asked: string[] = [];
  const inputs: unknown[] = [];
  const link = new ApolloLink(
    ({ operationName = "", variables }) =>
      new Observable((observer) => {
        asked.push(operationName);
        inputs.push(variables.input);
        observer.next({ data: answers[operationName] as Record<string, unknown> });
        observer.complete();
      }),
  );
  return { client: new ApolloClient({ link, cache: createCache(), dataMasking: true }), asked, inputs };
}

const mine = { isMine: true, body: aText("Почему так?") };
const question = {
  pageId: "p1",
  body: aText("Почему так?"),
  place: null,
  toTeachers: false,
  isAnonymous: false,
};
const pageOf = (nodes: object[]) => ({
  page: {
    __typename: "Page",
    id: "p1",
    discussions: {
      __typename: "DiscussionConnection",
      totalCount: nodes.length,
      pageInfo: { __typename: "PageInfo", hasNextPage: false, endCursor: null },
      nodes,
    },
  },
});
const found = (discussion: object) => ({
  discussion: {
    ...discussion,
    page: {
      __typename: "Page",
      id: "p1",
      title: "Страница",
      number: 1,
      discussionRules: null,
      course: { __typename: "Course", id: "c1", myRole: "LEARNER" },
    },
  },
});
const asked = (discussion: object) => ({
  startDiscussion: {
    __typename: "DiscussionPayload",
    discussion,
    page: { __typename: "Page", id: "p1", blockQuestions: [] },
  },
});

describe("sending after an attempt without an answer", () => {
  test("a question that arrived is found instead of being asked twice", async () => {
    const there = aDiscussion(1, { question: aPost(1, mine) });
    const server = serverWith({ PageDiscussions: pageOf([there]), StartDiscussion: asked(aDiscussion(2)) });
    expect((await ask(server.client, question, true)).id).toBe(there.id);
    expect(server.asked).toEqual(["PageDiscussions"]);
  });

  test("one that did not arrive is asked, and the first attempt looks for nothing", async () => {
    const other = aDiscussion(1, { question: aPost(1, { isMine: true, body: aText("Другое?") }) });
    const server = serverWith({ PageDiscussions: pageOf([other]), StartDiscussion: asked(aDiscussion(2)) });
    expect((await ask(server.client, question, true)).id).toBe(aDiscussion(2).id);
    expect(server.asked).toEqual(["PageDiscussions", "StartDiscussion"]);
    await ask(server.client, question, false);
    expect(server.asked.slice(2)).toEqual(["StartDiscussion"]);
  });

  test("an answer that arrived is not sent twice; the same words in the question are no answer", async () => {
    const answer = { discussionId: aDiscussion(1).id, body: aText("Почему так?"), isAnonymous: false };
    const arrived = anAnswer(1, mine);
    const first = serverWith({ Answers: answersOf(answer.discussionId, [arrived]) });
    expect((await reply(first.client, answer, true)).id).toBe(arrived.id);
    expect(first.asked).toEqual(["Answers"]);

    const discussion = aDiscussion(1, { question: aPost(1, mine) });
    const payload = { __typename: "PostPayload", discussion, post: anAnswer(2, mine) };
    const second = serverWith({
      Answers: answersOf(answer.discussionId, [anAnswer(1)]),
      ReplyDiscussion: { replyDiscussion: payload },
    });
    expect((await reply(second.client, answer, true)).id).toBe(anAnswer(2).id);
    expect(second.asked).toEqual(["Answers", "ReplyDiscussion"]);
  });

  test("an answer is looked for among the last ones of many", async () => {
    const answer = { discussionId: aDiscussion(1).id, body: aText("Почему так?"), isAnonymous: false };
    const server = serverWith({ Answers: answersOf(answer.discussionId, [anAnswer(1, mine)], 250) });
    await reply(server.client, answer, true);
    expect(server.asked).toEqual(["Answers", "Answers"]);
  });
});

test("a question names the version of the text in which its place was chosen", async () => {
  const server = serverWith({ StartDiscussion: asked(aDiscussion(1)) });
  const place = { block: 2, quote: "mut", version: 3 };
  await ask(server.client, { ...question, place, isAnonymous: true }, false);
  expect(server.inputs[0]).toMatchObject({ version: 3, block: 2, quote: "mut", isAnonymous: true });
});

test("a discussion is read again although the same request is on its way", async () => {
  const server = serverWith({ Discussion: found(aDiscussion(1)) });
  const { id } = aDiscussion(1);
  await Promise.all([readDiscussion(server.client, id), readDiscussion(server.client, id)]);
  expect(server.asked).toEqual(["Discussion", "Discussion"]);
});

describe("deleting a post", () => {
  const gone = {
    DeletePost: {
      deletePost: {
        __typename: "DeletePostPayload",
        discussion: null,
        page: { __typename: "Page", id: "p1", blockQuestions: [] },
      },
    },
  };

  test("takes a question that nobody else has answered off the screen, and is sent when it is not undone", async () => {
    const { client, asked } = serverWith(gone);
    const discussion = aDiscussion(1, { question: aPost(1, mine) });
    let left = 0;
    deletePost(client, discussion, discussion.question, () => {
      left += 1;
    });
    expect(left).toBe(1);
    expect([...hiddenItems.get()]).toEqual([aPost(1).id, discussion.id]);
    expect(asked).toEqual([]);
    await settleUndoable();
    expect(asked).toEqual(["DeletePost"]);
  });

  test("leaves a question that others have answered in its place, and can be undone", async () => {
    const { client, asked } = serverWith(gone);
    const discussion = aDiscussion(1, { question: aPost(1, mine), hasOtherWriters: true });
    deletePost(client, discussion, discussion.question, () => {
      throw new Error("the discussion stays");
    });
    expect([...hiddenItems.get()]).toEqual([aPost(1).id]);
    toastStore.get()[0]?.action?.run();
    expect([...hiddenItems.get()]).toEqual([]);
    await settleUndoable();
    expect(asked).toEqual([]);
  });
});
