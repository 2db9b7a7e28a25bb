import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import type { Send } from "../editor/Saver";
import type { Event } from "../editor/saving";
import { i18n } from "../i18n";
import {
  type DraftStoredFragment,
  SaveAnswerDraftDocument,
  type SaveAnswerDraftMutation,
} from "./Assignment.generated";
import { type DraftText, storedText, toInput } from "./draftText";

/** Largest request body for `keepalive`, which lets a closing page still send; browsers stop at 64 KiB. */
const KEPT_ALIVE_BYTES = 60_000;

/** The server's draft in a conflict, with the time of its save; null when there is none any more. */
export interface ConflictingText extends DraftText {
  savedAt: string | null;
}

/** Returns a function that saves the draft of a page. */
export function sendDraft(client: ApolloClient, pageId: string): Send<DraftText> {
  return async (text, { version, signal, leaving }) => {
    const input = { pageId, version, ...toInput(text) };
    const keepalive = leaving && new Blob([JSON.stringify(input)]).size < KEPT_ALIVE_BYTES;
    try {
      const { data } = await client.mutate({
        mutation: SaveAnswerDraftDocument,
        variables: { input },
        // The form is ahead of the server.
        fetchPolicy: "no-cache",
        context: { fetchOptions: { signal, keepalive } },
      });
      return outcomeOf(data?.saveAnswerDraft);
    } catch (failure) {
      return outcomeOfFailure(ApiError.from(failure));
    }
  };
}

function outcomeOf(payload: SaveAnswerDraftMutation["saveAnswerDraft"] | undefined): Event<DraftText> {
  if (!payload) return { type: "unanswered" };
  if (payload.conflict) {
    const { draft } = payload.conflict;
    return { type: "conflicted", stored: { version: draft?.version ?? 0, text: conflicting(draft) } };
  }
  // An empty draft is none.
  return { type: "saved", version: payload.draft?.version ?? 0 };
}

const conflicting = (draft: DraftStoredFragment | null): ConflictingText => ({
  ...storedText(draft),
  savedAt: draft?.savedAt ?? null,
});

function outcomeOfFailure(error: ApiError): Event<DraftText> {
  if (error.endsSession) return { type: "signedOut" };
  const isTemporary = error.isUnreachable || error.isAborted || error.status >= 500 || error.status === 429;
  // Any other status of 0 is an unparseable answer, such as a proxy's error page.
  if (isTemporary || error.status === 0) return { type: "unanswered" };
  const message = error.status === 404 ? i18n.t("assignment.gone") : (error.detail ?? error.message);
  return { type: "refused", refusal: { message, path: null } };
}
