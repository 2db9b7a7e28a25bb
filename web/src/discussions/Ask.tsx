import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { toastSuccess } from "../ui/toasts";
import { ask } from "./actions";
import { isStaff, type Place, type Rules } from "./discussion";
import { readDraft } from "./drafts";
import { LazyPostEditor } from "./LazyPostEditor";
import type { QuestionedPage } from "./page";
import classes from "./Questions.module.css";

interface Props {
  page: QuestionedPage;
  userId: string;
  rules: Rules;
  /** What the question is about; null for the whole page. */
  place: Place | null;
  /** Takes the question away from its place; missing where the place is chosen by the position of the form. */
  onWholePage?: (() => void) | undefined;
  autoFocus: boolean;
  onSent: (discussionId: string) => void;
  onClose: () => void;
}

/** The form of a question. The text of the page, its place and the choices are one draft per page. */
export function Ask({ page, userId, rules, place, onWholePage, autoFocus, onSent, onClose }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const draftKey = `new:${page.id}` as const;
  const [kept] = useState(() => readDraft(userId, draftKey));
  const [toTeachers, setToTeachers] = useState(kept?.toTeachers ?? false);
  const [isAnonymous, setAnonymous] = useState(kept?.isAnonymous ?? false);
  const isLearner = !isStaff(page.course.myRole);
  const mayBeAnonymous = isLearner && rules.allowsAnonymous && !toTeachers;
  return (
    <div className={classes.ask}>
      {place && (
        <div className={classes.place}>
          <p className={classes.placeWords}>
            <span className={classes.dim}>{t("discussions.write.about")}</span>{" "}
            <q>{place.quote || t("discussions.noWords")}</q>
          </p>
          {onWholePage && (
            <button type="button" className={classes.link} onClick={onWholePage}>
              {t("discussions.write.wholePage")}
            </button>
          )}
        </div>
      )}
      <LazyPostEditor
        userId={userId}
        draftKey={draftKey}
        label={t("discussions.write.question")}
        placeholder={t("discussions.askPlaceholder")}
        submit={t("discussions.write.sendQuestion")}
        extra={{ place, toTeachers, isAnonymous }}
        autoFocus={autoFocus}
        onSend={async (body, isAgain) => {
          const question = {
            pageId: page.id,
            version: page.version,
            body,
            place,
            toTeachers: isLearner && toTeachers,
            isAnonymous: mayBeAnonymous && isAnonymous,
          };
          const { id } = await ask(client, question, isAgain);
          toastSuccess(
            t(question.toTeachers ? "discussions.write.sentToTeachers" : "discussions.write.sent"),
          );
          onSent(id);
        }}
        onClose={onClose}
      >
        {isLearner && (
          <>
            <Checkbox
              label={t("discussions.write.toTeachers")}
              hint={t("discussions.write.toTeachersHint")}
              checked={toTeachers}
              onChange={(event) => setToTeachers(event.currentTarget.checked)}
            />
            {mayBeAnonymous && (
              <Checkbox
                label={t("discussions.write.anonymous")}
                hint={t("discussions.write.anonymousHint")}
                checked={isAnonymous}
                onChange={(event) => setAnonymous(event.currentTarget.checked)}
              />
            )}
            {rules.isPerGroup && !toTeachers && (
              <p className={classes.dim}>{t("discussions.write.perGroup")}</p>
            )}
          </>
        )}
      </LazyPostEditor>
    </div>
  );
}
