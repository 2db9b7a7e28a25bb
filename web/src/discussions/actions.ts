import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import type { ChangeDiscussionInput, PostAction } from "../api/schema.generated";
import { i18n } from "../i18n";
import { hideItems, showItems } from "../ui/hiddenItems";
import { undoable } from "../ui/undo";
import {
  AnswersDocument,
  ChangeDiscussionDocument,
  DeletePostDocument,
  DiscussionDocument,
  type DiscussionQuery,
  ModeratePostDocument,
  NoteDiscussionDocument,
  PageDiscussionsDocument,
  ReplyDiscussionDocument,
  ReportPostDocument,
  StartDiscussionDocument,
} from "./Discussions.generated";
import { type Discussion, isSameText, type Place, type Post } from "./discussion";

/** Reads a discussion again and updates the cache. Null if the user may not read it any more, or it was deleted. */
export async function readDiscussion(
  client: ApolloClient,
  id: string,
): Promise<DiscussionQuery["discussion"] | null> {
  try {
    const { data } = await client.query({
      query: DiscussionDocument,
      variables: { id },
      fetchPolicy: "network-only",
      // A request that is on its way may have been answered before the change.
      context: { queryDeduplication: false },
    });
    return data?.discussion ?? null;
  } catch (error) {
    if (ApiError.from(error).status === 404) return null;
    throw error;
  }
}

export interface Question {
  pageId: string;
  body: unknown;
  /** What it is about, in the version of the text that the place names. */
  place: (Place & { version: number }) | null;
  toTeachers: boolean;
  isAnonymous: boolean;
}

/** Asks a question. After an attempt without an answer, the question may be there already. Returns its discussion. */
export async function ask(client: ApolloClient, question: Question, isAgain: boolean): Promise<Discussion> {
  const { pageId, body, place, toTeachers, isAnonymous } = question;
  const earlier = isAgain ? await findAsked(client, pageId, body) : undefined;
  if (earlier) return earlier;
  const at = place && {
    version: place.version,
    block: place.block,
    ...(place.quote && { quote: place.quote }),
  };
  const { data } = await client.mutate({
    mutation: StartDiscussionDocument,
    variables: { input: { pageId, body, ...at, toTeachers, isAnonymous } },
  });
  if (!data) throw new TypeError("startDiscussion has no data");
  return data.startDiscussion.discussion;
}

async function findAsked(client: ApolloClient, pageId: string, body: unknown) {
  const { data } = await client.query({
    query: PageDiscussionsDocument,
    variables: { id: pageId, filter: "MINE", first: 20, after: null },
    fetchPolicy: "network-only",
    context: { queryDeduplication: false },
  });
  return data?.page.discussions.nodes.find(
    ({ question }) => question.isMine && isSameText(question.body, body),
  );
}

/** Among so many of the newest answers, one's own is looked for. */
const LAST = 100;

/** One's own answer with this text among the newest ones. */
async function findAnswered(client: ApolloClient, id: string, body: unknown): Promise<Post | undefined> {
  const read = async (skip: number) => {
    const { data } = await client.query({
      query: AnswersDocument,
      variables: { id, skip, first: LAST, at: null },
      fetchPolicy: "no-cache",
      context: { queryDeduplication: false },
    });
    return data?.discussion.answers;
  };
  const first = await read(0);
  const total = first?.totalCount ?? 0;
  const last = total > LAST ? await read(total - LAST) : first;
  return last?.nodes.find((post) => post.isMine && isSameText(post.body, body));
}

/** Answers a question, and not twice after an attempt without an answer. Returns the answer. */
export async function reply(
  client: ApolloClient,
  { discussionId, body, isAnonymous }: { discussionId: string; body: unknown; isAnonymous: boolean },
  isAgain: boolean,
): Promise<Post> {
  const earlier = isAgain ? await findAnswered(client, discussionId, body) : undefined;
  if (earlier) return earlier;
  const { data } = await client.mutate({
    mutation: ReplyDiscussionDocument,
    variables: { input: { discussionId, body, isAnonymous } },
  });
  if (!data) throw new TypeError("replyDiscussion has no data");
  return data.replyDiscussion.post;
}

export async function change(
  client: ApolloClient,
  discussionId: string,
  changes: Omit<ChangeDiscussionInput, "discussionId">,
): Promise<void> {
  await client.mutate({
    mutation: ChangeDiscussionDocument,
    variables: { input: { discussionId, ...changes } },
  });
}

export async function follow(client: ApolloClient, { id, isUnread }: Discussion, follows: boolean) {
  await client.mutate({
    mutation: NoteDiscussionDocument,
    variables: { input: { discussionId: id, follows } },
    optimisticResponse: {
      noteDiscussion: {
        __typename: "DiscussionPayload",
        discussion: { __typename: "Discussion", id, isUnread, follows },
      },
    } as never,
  });
}

/** Notes what was read. A request that fails leaves the discussion unread; it is noted when it is seen again. */
export function markRead(client: ApolloClient, discussionId: string, readPostId: string): void {
  client
    .mutate({ mutation: NoteDiscussionDocument, variables: { input: { discussionId, readPostId } } })
    .catch(() => {});
}

export async function report(client: ApolloClient, postId: string, reason: string): Promise<void> {
  await client.mutate({ mutation: ReportPostDocument, variables: { input: { postId, reason } } });
}

export async function moderate(client: ApolloClient, postId: string, action: PostAction, reason?: string) {
  await client.mutate({
    mutation: ModeratePostDocument,
    variables: { input: { postId, action, ...(reason !== undefined && { reason }) } },
  });
}

/** Hides a post at once, and deletes it when it can no longer be undone. `onGone` is called if its discussion goes with it. */
export function deletePost(client: ApolloClient, discussion: Discussion, post: Post, onGone: () => void) {
  const isQuestion = discussion.question.id === post.id;
  // A question that others have answered keeps its place.
  const takesAll = isQuestion && !discussion.hasOtherWriters;
  const hidden = takesAll ? [post.id, discussion.id] : [post.id];
  hideItems(hidden);
  if (takesAll) onGone();
  undoable({
    text: i18n.t(`discussions.${isQuestion ? "questionDeleted" : "answerDeleted"}`),
    undo: () => showItems(hidden),
    commit: async (leaving) => {
      try {
        const { data } = await client.mutate({
          mutation: DeletePostDocument,
          variables: { input: { postId: post.id } },
          context: { fetchOptions: { keepalive: leaving } },
        });
        if (data?.deletePost.discussion === null) forget(client, discussion.id);
        else if (!isQuestion) await forgetAnswer(client, post.id);
      } catch (error) {
        // It was already deleted elsewhere.
        if (ApiError.from(error).status !== 404) throw error;
        if ((await readDiscussion(client, discussion.id)) === null) forget(client, discussion.id);
        else await forgetAnswer(client, post.id);
      }
      showItems(hidden);
    },
  });
}

/** Takes a discussion out of all lists. */
export function forget(client: ApolloClient, id: string): void {
  client.cache.evict({ id: client.cache.identify({ __typename: "Discussion", id }) });
  client.cache.gc();
}

/** Takes an answer out of all lists, and counts those that are left again. */
async function forgetAnswer(client: ApolloClient, id: string): Promise<void> {
  client.cache.evict({ id: client.cache.identify({ __typename: "DiscussionPost", id }) });
  client.cache.gc();
  await Promise.allSettled([
    client.refetchQueries({ include: "active", onQueryUpdated: ({ queryName }) => queryName === "Answers" }),
  ]);
}
