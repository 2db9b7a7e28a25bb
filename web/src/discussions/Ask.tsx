import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import { ReadingPageDocument } from "../reading/ReadingPage.generated";
import { Checkbox } from "../ui/Checkbox";
import { toastSuccess } from "../ui/toasts";
import { ask } from "./actions";
import { PageQuestionsDocument } from "./Discussions.generated";
import type { Place, Rules } from "./discussion";
import { readDraft } from "./drafts";
import { LazyPostEditor } from "./LazyPostEditor";
import type { QuestionedPage } from "./page";
import { placeAgain } from "./placeAgain";
import classes from "./Questions.module.css";
import { isStaff } from "./roles";

interface Props {
  page: QuestionedPage;
  userId: string;
  rules: Rules;
  /** What the question is about; null for the whole page. A draft keeps what it is about until the person decides. */
  place: Place | null;
  /** Detaches the question from its block. Left out in the card, where the block is fixed. */
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
  const [offered] = useState(() => place && withVersion(place, page.version));
  const [chosen, setChosen] = useState(() => {
    const at = kept ? kept.place : offered;
    return at ? withVersion(at, page.version) : null;
  });
  const [mayLeavePlace, setMayLeavePlace] = useState(onWholePage !== undefined);
  const about = chosen && placeAgain(chosen, page);
  const here = offered && placeAgain(offered, page);
  const isElsewhere = kept !== null && here !== null && here.block !== about?.block;
  const isLearner = !isStaff(page.course.myRole);
  const asksTeachers = isLearner && toTeachers;
  const mayBeAnonymous = isLearner && rules.allowsAnonymous;
  // A question to the teachers alone needs no anonymity. In all other cases the choice is sent as made, so that no name is shown against it.
  const hidesName = isAnonymous && !asksTeachers;
  const isNameRefused = hidesName && !mayBeAnonymous;
  const askAboutPage = () => {
    setChosen(null);
    onWholePage?.();
  };
  return (
    <div className={classes.ask}>
      {(chosen || isElsewhere) && (
        <div className={classes.place}>
          {isElsewhere && (
            <p className={classes.dim}>
              {t(chosen ? "discussions.form.otherPlace" : "discussions.form.wholeDraft")}
            </p>
          )}
          {chosen && (
            <p className={classes.placeWords}>
              <span className={classes.dim}>{t("discussions.write.about")}</span>{" "}
              <q>{chosen.quote || t("discussions.noWords")}</q>
            </p>
          )}
          {chosen && !about && <p role="status">{t("discussions.form.placeGone")}</p>}
          {isElsewhere && (
            <button type="button" className={classes.link} onClick={() => setChosen(here)}>
              {t("discussions.form.toThisPlace")}
            </button>
          )}
          {chosen && (mayLeavePlace || !about) && (
            <button type="button" className={classes.link} onClick={askAboutPage}>
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
        extra={{ place: chosen, toTeachers, isAnonymous }}
        refusal={isNameRefused ? t("discussions.form.nameShown") : undefined}
        autoFocus={autoFocus}
        onSend={async (body, isAgain) => {
          const question = {
            pageId: page.id,
            body,
            place: about,
            toTeachers: asksTeachers,
            isAnonymous: hidesName,
          };
          try {
            const { id } = await ask(client, question, isAgain);
            toastSuccess(t(asksTeachers ? "discussions.write.sentToTeachers" : "discussions.write.sent"));
            onSent(id);
          } catch (error) {
            const { status } = ApiError.from(error);
            // Anonymity may have been switched off. Then the person is asked.
            if (hidesName && status === 422)
              await client.refetchQueries({ include: [PageQuestionsDocument] }).catch(() => {});
            if (about && status === 409) {
              // The page may have changed: its current text is read, and the words are searched in it.
              setMayLeavePlace(true);
              await client.refetchQueries({ include: [ReadingPageDocument] }).catch(() => {});
            }
            throw error;
          }
        }}
        onClose={onClose}
      >
        {isLearner && (
          <Checkbox
            label={t("discussions.write.toTeachers")}
            hint={t("discussions.write.toTeachersHint")}
            checked={toTeachers}
            onChange={(event) => setToTeachers(event.currentTarget.checked)}
          />
        )}
        {((mayBeAnonymous && !asksTeachers) || isNameRefused) && (
          <Checkbox
            label={t("discussions.write.anonymous")}
            hint={isNameRefused ? undefined : t("discussions.write.anonymousHint")}
            checked={isAnonymous}
            onChange={(event) => setAnonymous(event.currentTarget.checked)}
          />
        )}
        {isLearner && rules.isPerGroup && !toTeachers && (
          <p className={classes.dim}>{t("discussions.write.perGroup")}</p>
        )}
      </LazyPostEditor>
    </div>
  );
}

const withVersion = (place: Place, shown: number) => ({ ...place, version: place.version ?? shown });
