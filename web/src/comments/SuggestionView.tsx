import { useMemo } from "react";
import { BlockChange } from "../editor/compare/BlockChanges";
import { diffContent } from "../editor/compare/diffContent";
import { dateAndTime } from "../editor/dateAndTime";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import classes from "./Thread.module.css";
import { nameOf, type Thread } from "./threads";

interface Props {
  suggestion: NonNullable<Thread["suggestion"]>;
  mayDecide: boolean;
  isBusy: boolean;
  onAccept: () => void;
  onReject: () => void;
}

/** A proposed change of a block: its words before and after, and what was decided. */
export function SuggestionView({ suggestion, mayDecide, isBusy, onAccept, onReject }: Props) {
  const { t, i18n } = useTranslation();
  const { before, after, state, decidedAt, decidedBy } = suggestion;
  const changes = useMemo(
    () => diffContent({ type: "doc", content: before }, { type: "doc", content: after }),
    [before, after],
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields
    <div className={classes.suggestion} role="group" aria-label={t("comments.suggestion.label")}>
      <p className={classes.state} data-state={state}>
        {t(`comments.suggestion.state.${state}`)}
        {decidedAt && (
          <span className={classes.time}>
            {" "}
            {nameOf(decidedBy, t)}, {dateAndTime(decidedAt, i18n.language, t)}
          </span>
        )}
      </p>
      <div className={classes.changes}>
        {changes.map((change, at) => (
          <BlockChange
            // biome-ignore lint/suspicious/noArrayIndexKey: a suggestion never changes
            key={at}
            change={change}
            view="inline"
            isFirst={at === 0}
            isLast={at === changes.length - 1}
          />
        ))}
      </div>
      {mayDecide && state === "PENDING" && (
        <div className={classes.decide}>
          <Button loading={isBusy} onClick={onAccept}>
            {t("comments.suggestion.accept")}
          </Button>
          <Button variant="default" disabled={isBusy} onClick={onReject}>
            {t("comments.suggestion.reject")}
          </Button>
        </div>
      )}
      {state === "OUTDATED" && <p className={classes.note}>{t("comments.suggestion.outdated")}</p>}
    </div>
  );
}
