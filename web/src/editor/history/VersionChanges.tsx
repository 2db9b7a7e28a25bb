import { useQuery } from "@apollo/client/react";
import { useState } from "react";
import { QueryState } from "../../errors/QueryState";
import { useTranslation } from "../../i18n/useTranslation";
import { Select } from "../../ui/Select";
import { TextSkeleton } from "../../ui/Skeletons";
import { PageDiff } from "../compare/PageDiff";
import { dateAndTime } from "../dateAndTime";
import { type PageHistoryQuery, PageVersionTextDocument } from "../EditPage.generated";
import styles from "./HistoryDialog.module.css";

type Version = NonNullable<PageHistoryQuery["page"]["versions"]>[number];

interface Props {
  pageId: string;
  /** All versions, newest first; at least two. */
  versions: readonly Version[];
  chosen: number;
  /** The version in the editor, which is not the newest after changes were discarded. */
  current: number | null;
}

/** What has changed between the chosen version and another one: the one before it, unless the reader chooses. */
export function VersionChanges({ pageId, versions, chosen, current }: Props) {
  const { t, i18n } = useTranslation();
  const place = versions.findIndex(({ version }) => version === chosen);
  const [otherVersion, setOther] = useState((versions[place + 1] ?? versions[place - 1])?.version ?? chosen);
  const otherPlace = versions.findIndex(({ version }) => version === otherVersion);
  // Changes are shown in the order in which they were made.
  const [before, after] = [versions[Math.max(place, otherPlace)], versions[Math.min(place, otherPlace)]];
  const at = (version: Version | undefined) =>
    version ? dateAndTime(version.savedAt, i18n.language, t) : "";
  return (
    <>
      <div className={styles.other}>
        <Select
          label={t("editor.history.other")}
          value={String(otherVersion)}
          onChange={(event) => setOther(Number(event.currentTarget.value))}
          options={versions.flatMap((version, index) => {
            if (index === place) return [];
            const label = [
              at(version),
              ...(index === place + 1 ? [t("editor.history.previous")] : []),
              ...(version.version === current ? [t("editor.history.current")] : []),
            ].join(" · ");
            return [{ value: String(version.version), label }];
          })}
        />
      </div>
      {before && after && (
        <TwoVersions key={otherVersion} pageId={pageId} before={before} after={after} current={current} />
      )}
    </>
  );
}

interface TwoVersionsProps {
  pageId: string;
  before: Version;
  after: Version;
  current: number | null;
}

function TwoVersions({ pageId, before, after, current }: TwoVersionsProps) {
  const { t, i18n } = useTranslation();
  const textOf = ({ version }: Version) => ({ variables: { id: pageId, version } });
  const then = useQuery(PageVersionTextDocument, textOf(before));
  const now = useQuery(PageVersionTextDocument, textOf(after));
  const [old, fresh] = [then.data?.page.versionText, now.data?.page.versionText];
  if (old?.version !== before.version || fresh?.version !== after.version) {
    return (
      <QueryState
        error={then.error ?? now.error}
        retry={() => {
          void then.refetch();
          void now.refetch();
        }}
        heading="p"
        loading={<TextSkeleton lines={8} />}
      />
    );
  }
  const side = (version: Version, text: typeof old) => {
    const name = version.editor
      ? (version.editor.fullName ?? t("editor.someone"))
      : t("editor.history.nobody");
    return {
      heading: dateAndTime(version.savedAt, i18n.language, t),
      about: version.version === current ? `${name} · ${t("editor.history.current")}` : name,
      title: text.title ?? null,
      content: text.content,
      quiz: text.authorQuiz,
    };
  };
  return <PageDiff before={side(before, old)} after={side(after, fresh)} />;
}
