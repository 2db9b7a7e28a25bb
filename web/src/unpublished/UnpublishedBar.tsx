import { useApolloClient } from "@apollo/client/react";
import { lazy, Suspense, useEffect, useEffectEvent, useState } from "react";
import { ApiError, GRAPHQL_URL } from "../api/apiError";
import { authored, authorVersion } from "../editor/authored";
import type { EditSession, EditState } from "../editor/EditSession";
import { useEditSession } from "../editor/useEditSession";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { toastFailure, toastSuccess } from "../ui/toasts";
import {
  DiscardChangesDocument,
  type UnpublishedMarkFragment,
  UnpublishedMarkOfDocument,
} from "./Unpublished.generated";
import classes from "./UnpublishedBar.module.css";

const loadDialog = () => withTexts(import("./PublishDialog"), "quizBuilder");
const PublishDialog = lazy(loadDialog);

interface Props {
  session: EditSession;
  courseId: string;
  mark: UnpublishedMarkFragment;
}

const chooseIsSettled = ({ isSettled }: EditState) => ({ isSettled });

/**
 * The bar below the head of a published page. It says whether learners see all changes, and publishes or discards the others. It has the same height
 * without changes, so that the first letter does not move the text.
 */
export function UnpublishedBar({ session, courseId, mark }: Props) {
  const { t } = useTranslation();
  const { isSettled } = useEditSession(session, chooseIsSettled);
  const [dialog, setDialog] = useState<"publish" | "discard" | null>(null);
  const { published } = mark;
  // What was just typed is a change before it is saved.
  const hasChanges = published && (mark.pageDraft !== null || !isSettled);
  useEffect(() => {
    // The network may be gone when the dialog is opened. A failure is told then.
    if (published) loadDialog().catch(() => {});
  }, [published]);
  // Opened when it is loaded: without its code, the editor stays on the screen.
  const publish = () => void loadDialog().then(() => setDialog("publish"), toastFailure);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Enter" || !event.altKey || !(event.ctrlKey || event.metaKey)) return;
    if (!hasChanges || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    event.stopPropagation();
    publish();
  });
  useEffect(() => {
    // Before the fields, in which Ctrl+Enter adds a paragraph.
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen, true);
    return () => document.removeEventListener("keydown", listen, true);
  }, []);
  return (
    <>
      {published && (
        <div className={classes.bar} data-changed={hasChanges || undefined}>
          <p className={classes.text} role="status">
            {t(hasChanges ? "unpublished.notSeen" : "unpublished.allSeen")}
          </p>
          <div className={classes.actions}>
            <Button variant="subtle" onClick={() => setDialog("discard")}>
              {t("unpublished.discard")}
            </Button>
            <Button
              title={t("unpublished.publishHint")}
              aria-keyshortcuts="Control+Alt+Enter Meta+Alt+Enter"
              onClick={publish}
            >
              {t("unpublished.publish")}
            </Button>
          </div>
        </div>
      )}
      {dialog === "publish" && (
        <Suspense fallback={null}>
          <PublishDialog
            courseId={courseId}
            pageId={mark.id}
            settle={session.settle}
            onQuestion={session.showQuestion}
            onPublished={(version) => session.renumber(version)}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
      {dialog === "discard" && <Discard session={session} pageId={mark.id} onClose={() => setDialog(null)} />}
    </>
  );
}

const notSaved = (detail: string) =>
  new ApiError({ url: GRAPHQL_URL, status: 409, statusText: "Conflict", body: { detail } });

interface DiscardProps {
  session: EditSession;
  pageId: string;
  onClose: () => void;
}

function Discard({ session, pageId, onClose }: DiscardProps) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const discard = async () => {
    // The last changes must reach the history before they are discarded.
    if (!(await session.settle())) throw notSaved(t("unpublished.cannotSave"));
    const { data: known } = await client.query({
      query: UnpublishedMarkOfDocument,
      variables: { id: pageId },
      fetchPolicy: "network-only",
    });
    if (!known) return;
    if (known.page.pageDraft) {
      const version = authorVersion(known.page);
      const { data } = await client.mutate({
        mutation: DiscardChangesDocument,
        variables: { input: { pageId, version } },
      });
      if (data) session.showRestored(authored(data.discardPageDraft.page));
    }
    toastSuccess(t("unpublished.discarding.done"));
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t("unpublished.discarding.title")}
      confirm={t("unpublished.discarding.confirm")}
      onConfirm={discard}
    >
      <p>{t("unpublished.discarding.text")}</p>
    </ConfirmDialog>
  );
}
