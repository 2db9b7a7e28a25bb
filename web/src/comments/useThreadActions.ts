import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { conflictError } from "../api/apiError";
import type { RestorePageVersionMutation } from "../editor/EditPage.generated";
import { useTranslation } from "../i18n/useTranslation";
import { copyText } from "../ui/copyText";
import { showToast, toastFailure, toastSuccess } from "../ui/toasts";
import { offerUndo, undoable } from "../ui/undo";
import {
  AcceptSuggestionDocument,
  AddCommentDocument,
  DeleteCommentDocument,
  EditCommentDocument,
  MarkThreadReadDocument,
  RejectSuggestionDocument,
  ReopenThreadDocument,
  ResolveThreadDocument,
  StartThreadDocument,
} from "./Comments.generated";
import type { Place } from "./openComments";

interface TextInEditor {
  /** The version of the text on the server, with everything that was typed; null when that cannot be sent now. */
  settled: () => Promise<number | null>;
  /** Shows the text that the server has made of an accepted suggestion. */
  take?: (page: RestorePageVersionMutation["restorePageVersion"]["page"]) => void;
}

interface Options {
  pageId: string;
  text: TextInEditor;
  /** Reads the threads again. */
  load: () => Promise<void>;
}

/** Everything that people do with the threads of a page. Only texts reject when they cannot be sent: their forms say so. */
export function useThreadActions({ pageId, text, load }: Options) {
  const { t } = useTranslation();
  const client = useApolloClient();
  /** Comments that wait to be deleted. */
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState<string | null>(null);

  const settled = async () => {
    const version = await text.settled();
    if (version === null) throw conflictError(t("comments.unsettled"));
    return version;
  };
  const once = async (id: string, act: () => Promise<void>) => {
    if (busy !== null) return;
    setBusy(id);
    try {
      await act();
    } catch (error) {
      toastFailure(error);
      // Another person may have changed the thread since it was read.
      void load();
    } finally {
      setBusy(null);
    }
  };
  const reopen = (id: string) =>
    once(id, async () => {
      await client.mutate({ mutation: ReopenThreadDocument, variables: { input: { threadId: id } } });
    });

  return {
    hidden,
    busy,
    start: async (stored: string, place: Place | null, suggestion: readonly unknown[] | null) => {
      const input = {
        pageId,
        text: stored,
        version: await settled(),
        ...(place && { block: place.block, quote: place.quote }),
        ...(suggestion && { suggestion: [...suggestion] }),
      };
      const { data } = await client.mutate({ mutation: StartThreadDocument, variables: { input } });
      await load();
      return data?.startThread.thread.id ?? null;
    },
    answer: async (threadId: string, stored: string) => {
      await client.mutate({ mutation: AddCommentDocument, variables: { input: { threadId, text: stored } } });
    },
    edit: async (id: string, stored: string) => {
      await client.mutate({
        mutation: EditCommentDocument,
        variables: { input: { commentId: id, text: stored } },
      });
    },
    remove: (id: string) => {
      const show = () => setHidden((ids) => new Set([...ids].filter((one) => one !== id)));
      setHidden((ids) => new Set([...ids, id]));
      undoable({
        text: t("comments.removed"),
        undo: show,
        commit: async (leaving) => {
          await client.mutate({
            mutation: DeleteCommentDocument,
            variables: { input: { commentId: id } },
            context: { fetchOptions: { keepalive: leaving } },
          });
          if (!leaving) await load();
        },
      });
    },
    resolve: (id: string) =>
      once(id, async () => {
        await client.mutate({ mutation: ResolveThreadDocument, variables: { input: { threadId: id } } });
        offerUndo(t("comments.resolvedNow"), () => void reopen(id));
      }),
    reopen,
    accept: (id: string) =>
      once(id, async () => {
        const version = await settled();
        const { data } = await client.mutate({
          mutation: AcceptSuggestionDocument,
          variables: { input: { threadId: id, version } },
        });
        if (data) text.take?.(data.acceptSuggestion.page);
        toastSuccess(t("comments.suggestion.acceptedNow"));
        await load();
      }),
    markRead: (id: string, commentId: string) => {
      client
        .mutate({ mutation: MarkThreadReadDocument, variables: { input: { threadId: id, commentId } } })
        .catch(() => {
          // The thread stays unread, and is marked when it is seen again.
        });
    },
    reject: (id: string) =>
      once(id, async () => {
        await client.mutate({ mutation: RejectSuggestionDocument, variables: { input: { threadId: id } } });
      }),
    copyLink: async (id: string) => {
      const link = new URL(`/edit-page/${pageId}?thread=${id}`, window.location.origin);
      if (await copyText(link.href)) toastSuccess(t("comments.linkCopied"));
      else showToast({ kind: "failure", title: t("errors.toastFailure"), text: t("content.copy.failed") });
    },
  };
}

export type ThreadActions = ReturnType<typeof useThreadActions>;
