import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import { i18n } from "../i18n";
import { SavePageDocument, type SavePageMutation } from "./EditPage.generated";
import type { Send } from "./PageSaver";
import { ofServer, type PageText } from "./pageText";
import type { Event } from "./saving";

/** A body that a page which goes away may still send; browsers stop at 64 KiB. */
const KEPT_ALIVE_BYTES = 60_000;

/** Saves the text of a page over GraphQL. */
export function sendPage(client: ApolloClient, pageId: string, session: string): Send {
  return async (text, { version, parts, signal, leaving }) => {
    const input = {
      pageId,
      userSessionId: session,
      version,
      ...(parts.title && { title: text.title }),
      ...(parts.content && { content: text.content }),
      ...(parts.quiz && text.quiz !== null && { quiz: text.quiz }),
    };
    const keepalive = leaving && new Blob([JSON.stringify(input)]).size < KEPT_ALIVE_BYTES;
    try {
      const { data } = await client.mutate({
        mutation: SavePageDocument,
        variables: { input },
        // The editor is ahead of what is stored; only what was acknowledged goes into the cache, below.
        fetchPolicy: "no-cache",
        context: { fetchOptions: { signal, keepalive } },
      });
      const outcome = outcomeOf(data?.updatePage);
      if (outcome.type === "saved") remember(client, pageId, text, outcome.version);
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

/** The other text, and who wrote it when. */
export interface ConflictingText extends PageText {
  by: string | null;
  at: string;
}

type ConflictPage = NonNullable<SavePageMutation["updatePage"]["conflict"]>["page"];

function withEditor(page: ConflictPage): ConflictingText {
  const version = page.versions?.find((one) => one.version === page.version);
  return { ...ofServer(page), by: version?.editor?.fullName ?? null, at: version?.savedAt ?? page.updatedAt };
}

function outcomeOfFailure(error: ApiError): Event<PageText> {
  if (error.endsSession) return { type: "signedOut" };
  const comesBack = error.isUnreachable || error.isAborted || error.status >= 500 || error.status === 429;
  // A status of 0 that is none of these is an answer nobody could read, as of a proxy.
  if (comesBack || error.status === 0) return { type: "unanswered" };
  const message = error.status === 404 ? i18n.t("editor.pageGone") : (error.detail ?? error.message);
  return { type: "refused", refusal: { message, path: pathOf(error) } };
}

/** The way to what the server refuses, from the codes of a GraphQL error. */
function pathOf({ body }: ApiError): string | null {
  const errors = (body as { errors?: { extensions?: { fields?: { field?: unknown }[] } }[] } | undefined)
    ?.errors;
  const field = errors?.[0]?.extensions?.fields?.[0]?.field;
  return typeof field === "string" ? field : null;
}

/** The reading screen and the tree show what was acknowledged. */
function remember(client: ApolloClient, pageId: string, text: PageText, version: number): void {
  client.cache.modify({
    id: client.cache.identify({ __typename: "Page", id: pageId }),
    fields: {
      title: () => text.title,
      content: () => text.content as never,
      version: () => version,
    },
  });
}
