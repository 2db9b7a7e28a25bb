import { useId } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { Essay } from "./Essay";
import { FileUpload, type Unsent } from "./FileUpload";
import classes from "./HandIn.module.css";
import { LinksInput } from "./LinksInput";
import type { FieldProps } from "./props";

interface HandInProps extends Omit<FieldProps<"HandInQuestion">, "labelledBy"> {
  pageId: string;
  /** Rises when the document is replaced from outside; its field then starts over. */
  revision?: number;
  /** Called with the state of the uploads; null when all chosen files are a part of the answer. */
  onUnsent: (unsent: Unsent | null) => void;
}

/** What is handed in for an assignment: a text, files and addresses, as far as it takes them. */
export function HandIn({
  question,
  pageId,
  revision = 0,
  answer,
  onAnswer,
  onUnsent,
  disabled,
}: HandInProps) {
  const { t } = useTranslation();
  const id = useId();
  const { takesText, maxFiles, maxLinks } = question;
  const isOneWay = [takesText, maxFiles > 0, maxLinks > 0].filter(Boolean).length === 1;
  const part = (name: "text" | "files" | "links") => (
    <h3 id={`${id}-${name}`} className={classes.name}>
      {t(`quiz.handIn.${name}`)}
    </h3>
  );
  return (
    <div className={classes.parts}>
      {takesText && (
        <section aria-labelledby={`${id}-text`}>
          {part("text")}
          <Essay
            key={revision}
            question={question}
            answer={answer}
            onAnswer={({ content }) => onAnswer({ ...answer, content })}
            disabled={disabled}
            labelledBy={`${id}-text`}
            isPart
          />
        </section>
      )}
      {maxFiles > 0 && (
        <section aria-labelledby={`${id}-files`}>
          {part("files")}
          <FileUpload
            question={question}
            pageId={pageId}
            answer={answer}
            onAnswer={({ files }) => onAnswer({ ...answer, ...(files && { files }) })}
            onUnsent={onUnsent}
            disabled={disabled}
            labelledBy={`${id}-files`}
            isPart
          />
        </section>
      )}
      {maxLinks > 0 && (
        <section aria-labelledby={`${id}-links`}>
          {part("links")}
          <LinksInput
            links={answer?.links ?? []}
            most={maxLinks}
            onChange={(links) => onAnswer({ ...answer, links })}
            disabled={disabled}
            labelledBy={`${id}-links`}
          />
        </section>
      )}
      {!isOneWay && <p className={classes.any}>{t("quiz.handIn.any")}</p>}
    </div>
  );
}
