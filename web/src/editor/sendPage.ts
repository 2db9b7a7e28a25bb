import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import { i18n } from "../i18n";
import { missingParts } from "../quiz-builder/completeness";
import { drawableIn } from "../quiz-builder/drawable";
import { readQuiz } from "../quiz-builder/model";
import { SavePageDocument, type SavePageMutation } from "./EditPage.generated";
import type { Parts, Send } from "./PageSaver";
import { type PageText, serverText } from "./pageText";
import type { Event } from "./saving";

/** Largest request body for `keepalive`, which lets a closing page still send; browsers stop at 64 KiB. */
const KEPT_ALIVE_BYTES = 60_000;

/**
 * Returns a function that saves the text of a page over GraphQL. It does not send an incomplete quiz while the page is published, because
 * the server would refuse it.
 */
export function sendPage(
  client: ApolloClient,
  pageId: string,
  session: string,
  isPublished: () => boolean,
): Send {
  return async (text, { version, parts, signal, leaving }) => {
    const sendsQuiz = parts.quiz && text.quiz !== null;
    if (isPublished() && sendsQuiz) {
      const missing = missingParts(readQuiz(text.quiz), drawableIn(client.cache));
      if (missing.length > 0) return { type: "incomplete" };
    }
    const input = {
      pageId,
      userSessionId: session,
      version,
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
      const outcome = outcomeOf(data?.updatePage);
      if (outcome.type === "saved") writeToCache(client, pageId, text, parts, outcome.version);
      return outcome;
    } catch (failure) {
      return outcomeOfFailure(ApiError.from(failure));
    }
  };
}

function outcomeOf(payload: SavePageMutation["updatePage"] | undefined): Event<PageText> {
  if (payload?.page) return { type: "saved", version: payload.page.version };
  if (payload?.conflict) {
    const { page } = payload.conflict;
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

/** Shows the acknowledged text on the reading screen and in the outline. */
function writeToCache(
  client: ApolloClient,
  pageId: string,
  text: PageText,
  parts: Parts,
  version: number,
): void {
  client.cache.modify({
    id: client.cache.identify({ __typename: "Page", id: pageId }),
    fields: {
      title: () => text.title,
      ...(parts.content && { content: () => text.content }),
      version: () => version,
    },
  });
}
