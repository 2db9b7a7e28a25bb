import { useApolloClient, useQuery } from "@apollo/client/react";
import { useState } from "react";
import { Document } from "../../content/Document";
import { LoadFailure } from "../../errors/LoadFailure";
import { QueryState } from "../../errors/QueryState";
import { useTranslation } from "../../i18n/useTranslation";
import { Button } from "../../ui/Button";
import { Checkbox } from "../../ui/Checkbox";
import { Dialog } from "../../ui/Dialog";
import { ListSkeleton, TextSkeleton } from "../../ui/Skeletons";
import { toastFailure } from "../../ui/toasts";
import { authorVersion } from "../authored";
import { dateAndTime } from "../dateAndTime";
import {
  PageHistoryDocument,
  PageVersionTextDocument,
  RestorePageVersionDocument,
  type RestorePageVersionMutation,
} from "../EditPage.generated";
import styles from "./HistoryDialog.module.css";
import { VersionChanges } from "./VersionChanges";

interface Props {
  pageId: string;
  onClose: () => void;
  /** Saves the author's changes; resolves to false when that is not possible now. */
  settle: () => Promise<boolean>;
  onRestored: (page: RestorePageVersionMutation["restorePageVersion"]["page"]) => void;
}

/** The versions of a page, newest first, with their text; one of them can be restored. */
export function HistoryDialog({ pageId, onClose, settle, onRestored }: Props) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const { data, error, refetch } = useQuery(PageHistoryDocument, {
    variables: { id: pageId },
    fetchPolicy: "network-only",
  });
  const versions = data?.page.versions ?? [];
  const [chosen, setChosen] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [isComparing, setComparing] = useState(false);
  // When a draft has been discarded, the newest version differs from the one in the editor.
  const current = data && authorVersion(data.page);
  const version = chosen ?? current ?? null;
  const isCurrent = version === current;

  const restore = async () => {
    if (version === null) return;
    setBusy(true);
    try {
      if (!(await settle())) return;
      const { data } = await client.mutate({
        mutation: RestorePageVersionDocument,
        variables: { input: { pageId, version, draft: true } },
      });
      if (!data) return;
      onRestored(data.restorePageVersion.page);
      onClose();
    } catch (failure) {
      toastFailure(failure);
    } finally {
      setBusy(false);
    }
  };

  /** Whether a version is the one in the editor, and what learners of a published page have of it. */
  const factsOf = ({ version, publishedAt }: (typeof versions)[number]) => [
    ...(version === current ? [t("editor.history.current")] : []),
    ...(!data?.page.published
      ? []
      : version === data.page.version
        ? [t("unpublished.history.seen")]
        : publishedAt === null
          ? [t("unpublished.history.never")]
          : []),
  ];

  return (
    <Dialog
      open
      wide="full"
      onClose={onClose}
      title={t("editor.history.title")}
      actions={
        <Button onClick={restore} loading={busy} disabled={version === null || isCurrent}>
          {t("editor.history.restore")}
        </Button>
      }
    >
      {error && !data ? (
        <LoadFailure error={error} retry={() => void refetch()} heading="p" />
      ) : (
        <div className={styles.history}>
          {data ? (
            <ul className={styles.versions} aria-label={t("editor.history.versions")}>
              {versions.map((one) => (
                <li key={one.version}>
                  <button
                    type="button"
                    className={styles.version}
                    aria-current={one.version === version || undefined}
                    onClick={() => setChosen(one.version)}
                  >
                    <span className={styles.when}>{dateAndTime(one.savedAt, i18n.language, t)}</span>
                    <span className={styles.who}>
                      {one.editor ? (one.editor.fullName ?? t("editor.someone")) : t("editor.history.nobody")}
                      {factsOf(one).map((fact) => ` · ${fact}`)}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          ) : (
            <ListSkeleton rows={5} height="3rem" />
          )}
          <div className={styles.text}>
            {versions.length > 1 && (
              <Checkbox
                label={t("editor.history.compare")}
                checked={isComparing}
                onChange={(event) => setComparing(event.currentTarget.checked)}
              />
            )}
            {version === null ? (
              <TextSkeleton lines={8} />
            ) : isComparing && versions.length > 1 ? (
              <VersionChanges
                key={version}
                pageId={pageId}
                versions={versions}
                chosen={version}
                current={current ?? null}
              />
            ) : (
              <VersionText pageId={pageId} version={version} />
            )}
          </div>
        </div>
      )}
    </Dialog>
  );
}

function VersionText({ pageId, version }: { pageId: string; version: number }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(PageVersionTextDocument, { variables: { id: pageId, version } });
  const loading = <TextSkeleton lines={8} />;
  if (!data) return <QueryState error={error} retry={() => void refetch()} heading="p" loading={loading} />;
  const text = data.page.versionText;
  if (!text || text.version !== version) return loading;
  return (
    <>
      <h3 className={styles.title}>{text.title ?? t("editor.untitled")}</h3>
      <Document key={version} content={text.content} />
    </>
  );
}
