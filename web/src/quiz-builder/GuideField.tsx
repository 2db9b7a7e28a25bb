import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { emptyDocument } from "./model";
import { AddButton, type ProblemAt } from "./parts";
import { RichField } from "./RichField";

interface GuideFieldProps {
  /** Null without a note. */
  guide: unknown;
  onChange: (guide: unknown) => void;
  problemAt: ProblemAt;
}

/** Edits the note for graders of an open question, or adds it. */
export function GuideField({ guide, onChange, problemAt }: GuideFieldProps) {
  const { t } = useTranslation();
  const [isWriting, setWriting] = useState(false);
  return guide === null || guide === undefined ? (
    <AddButton
      onClick={() => {
        setWriting(true);
        onChange(emptyDocument());
      }}
    >
      {t("quizBuilder.guide.add")}
    </AddButton>
  ) : (
    <RichField
      autoFocus={isWriting}
      label={t("quizBuilder.guide.label")}
      isLabelSeen
      value={guide}
      onChange={onChange}
      problem={problemAt("guide")}
    />
  );
}
