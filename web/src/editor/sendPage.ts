import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import { i18n } from "../i18n";
import {
  type UnpublishedMarkFragment,
  UnpublishedMarkFragmentDoc,
} from "../unpublished/Unpublished.generated";
import { authored, authorVersion } from "./authored";
import { SavePageDocument, type SavePageMutation } from "./EditPage.generated";
import { findStored } from "./findStored";
import type { Parts, Send } from "./PageSaver";
import { type PageText, serverText } from "./pageText";
import type { Event } from "./saving";

/** Largest request body for `keepalive`, which lets a closing page still send; browsers stop at 64 KiB. */
const KEPT_ALIVE_BYTES = 60_000;

/** Saves of one open page. */
interface Destination {
  pageId: string;
  /** Names the open editor to the server. */
  session: string;
  /** The published version whose changes the author has merged into the text; null when none were merged since the last save. */
  includes: () => number | null;
}

/**
 * Returns a function that saves the text of a page over GraphQL. The text of a published page is saved beside what learners see, as its
 * unpublished changes; there is nothing to hide on another page, and the server saves it as the page's text.
 */
export function sendPage(client: ApolloClient, { pageId, session, includes }: Destination): Send {
  /** The texts sent since the last acknowledged save. The server may have stored any of them. */
  let unanswered: PageText[] = [];
  const send: Send = async (text, { version, parts, signal, leaving }) => {
    const sendsQuiz = parts.quiz && text.quiz !== null;
    const baseVersion = includes();
    const input = {
      pageId,
      userSessionId: session,
      version,
      draft: true,
      ...(baseVersion !== null && { baseVersion }),
      ...(parts.title && { title: text.title }),
      ...(parts.content && { content: text.content }),
      ...(sendsQuiz && { quiz: text.quiz }),
    };
    const keepalive = leaving && new Blob([JSON.stringify(input)]).size < KEPT_ALIVE_BYTES;
    try {
      const { data } = await client.mutate({
        mutation: SavePageDocument,
        variables: { input },
        // The editor is ahead of the server, so only the acknowledged text goes into the cache, below.
        fetchPolicy: "no-cache",
        context: { fetchOptions: { signal, keepalive } },
      });
      const page = data?.updatePage.page;
      if (page) writeToCache(client, page, text, parts);
      return outcomeOf(data?.updatePage);
    } catch (failure) {
      return outcomeOfFailure(ApiError.from(failure));
    }
  };
  return async (text, request) => {
    const outcome = await send(text, request);
    if (outcome.type === "unanswered") {
      if (unanswered.at(-1) !== text) unanswered.push(text);
    } else if (outcome.type === "conflicted" && unanswered.length > 0) {
      const base = await findStored(client, { pageId, after: request.version, texts: unanswered });
      return base === undefined ? outcome : { ...outcome, base };
    } else if (outcome.type === "saved") unanswered = [];
    return outcome;
  };
}

function outcomeOf(payload: SavePageMutation["updatePage"] | undefined): Event<PageText> {
  if (payload?.page) return { type: "saved", version: authorVersion(payload.page) };
  if (payload?.conflict) {
    const page = authored(payload.conflict.page);
    return { type: "conflicted", stored: { version: page.version, text: withEditor(page) } };
  }
  return { type: "unanswered" };
}

/** The server's text in a conflict, with its editor and the time of its save. */
export interface ConflictingText extends PageText {
  by: string | null;
  at: string;
}

type ConflictPage = NonNullable<SavePageMutation["updatePage"]["conflict"]>["page"];

function withEditor(page: ConflictPage): ConflictingText {
  const version = page.versions?.find((one) => one.version === page.version);
  return {
    ...serverText(page),
    by: version?.editor?.fullName ?? null,
    at: version?.savedAt ?? page.updatedAt,
  };
}

function outcomeOfFailure(error: ApiError): Event<PageText> {
  if (error.endsSession) return { type: "signedOut" };
  const isTemporary = error.isUnreachable || error.isAborted || error.status >= 500 || error.status === 429;
  // Any other status of 0 is an unparseable answer, such as a proxy's error page.
  if (isTemporary || error.status === 0) return { type: "unanswered" };
  const message = error.status === 404 ? i18n.t("editor.pageGone") : (error.detail ?? error.message);
  return { type: "refused", refusal: { message, path: pathOf(error) } };
}

/** Path to the rejected value, from the extensions of a GraphQL error. */
function pathOf({ body }: ApiError): string | null {
  const errors = (body as { errors?: { extensions?: { fields?: { field?: unknown }[] } }[] } | undefined)
    ?.errors;
  const field = errors?.[0]?.extensions?.fields?.[0]?.field;
  return typeof field === "string" ? field : null;
}

/** Shows the acknowledged text on the reading screen and in the outline, if it is what learners see. */
function writeToCache(
  client: ApolloClient,
  page: UnpublishedMarkFragment,
  text: PageText,
  parts: Parts,
): void {
  const { cache } = client;
  const id = cache.identify({ __typename: "Page", id: page.id });
  cache.writeFragment({
    ...(id !== undefined && { id }),
    fragment: UnpublishedMarkFragmentDoc,
    fragmentName: "UnpublishedMark",
    data: page,
  });
  if (page.pageDraft) return;
  cache.modify({
    ...(id !== undefined && { id }),
    fields: {
      title: () => text.title,
      ...(parts.content && { content: () => text.content }),
    },
  });
}
