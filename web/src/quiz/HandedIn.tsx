import { Document } from "../content/Document";
import { isFilledDocument } from "../content/filled";
import { useTranslation } from "../i18n/useTranslation";
import { AnswerFiles } from "./AnswerFiles";
import { AnswerLinks } from "./AnswerLinks";
import type { AnswerFile } from "./files";
import classes from "./HandedIn.module.css";
import { PinnedAnswer } from "./pins/PinnedAnswer";
import type { Pin } from "./pins/pins";

interface HandedInProps {
  answer: { content?: unknown; files?: readonly AnswerFile[]; links?: readonly string[] };
  /** The comments of graders on its places. */
  pins?: readonly Pin[];
}

/** What was handed in for an assignment: the text, the files and the addresses. */
export function HandedIn({ answer, pins = [] }: HandedInProps) {
  const { t } = useTranslation();
  const { content, files = [], links = [] } = answer;
  const hasText = isFilledDocument(content);
  if (!hasText && files.length === 0 && links.length === 0)
    return <p className={classes.nothing}>{t("quiz.handIn.nothing")}</p>;
  return (
    <div className={classes.parts}>
      {pins.length > 0 ? (
        <PinnedAnswer content={content} files={files} pins={pins} label={t("quiz.handIn.files")} />
      ) : (
        <>
          {hasText && (
            <div className={classes.text}>
              <Document content={content} />
            </div>
          )}
          {files.length > 0 && <AnswerFiles files={files} label={t("quiz.handIn.files")} />}
        </>
      )}
      {links.length > 0 && <AnswerLinks links={links} />}
    </div>
  );
}
