import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import type { CourseRole } from "../api/schema.generated";
import { isGuest } from "../api/session";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { readDiscussion, reply } from "./actions";
import classes from "./DiscussionThread.module.css";
import { type Discussion, type Post, type Rules, staysAnonymous } from "./discussion";
import { readDraft } from "./drafts";
import { LazyPostEditor } from "./LazyPostEditor";
import { OpenEditorButton } from "./OpenEditorButton";
import { isStaff } from "./roles";

interface Props {
  discussion: Discussion;
  rules: Rules | null;
  role: CourseRole;
  userId: string;
  /** Why nobody may answer now. What was written before stays on the screen. */
  refusal?: string | undefined;
  /** Called with the answer that was sent. */
  onSent: (answer: Post) => void;
}

/** The box for an answer: one line until somebody writes in it. */
export function AnswerBox({ discussion, rules, role, userId, refusal, onSent }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const draftKey = `answer:${discussion.id}` as const;
  const [kept] = useState(() => readDraft(userId, draftKey));
  const [isOpen, setOpen] = useState(kept !== null);
  const [wasOpened, setWasOpened] = useState(false);
  const [isAnonymous, setAnonymous] = useState(kept?.isAnonymous ?? false);
  const staff = isStaff(role);
  const stays = staysAnonymous(discussion) && !staff;
  // Everybody reads which answers are the asker's, so these have the name of the question.
  const isAsker = discussion.question.isMine;
  const mayBeAnonymous = rules?.allowsAnonymous === true && !staff && !isAsker;
  // A name is never shown without the person's choice.
  const hidesName = isAnonymous && !stays;
  const isNameRefused = hidesName && !mayBeAnonymous;
  // The section of the page tells guests how to write.
  if (isGuest()) return null;
  if (!isOpen && refusal) return <p className={classes.note}>{refusal}</p>;
  if (!isOpen)
    return (
      <OpenEditorButton
        label={t("discussions.write.answer")}
        draft={readDraft(userId, draftKey)?.body}
        isFocused={wasOpened}
        onOpen={() => {
          setOpen(true);
          setWasOpened(true);
        }}
      />
    );
  return (
    <LazyPostEditor
      userId={userId}
      draftKey={draftKey}
      label={t("discussions.write.answerLabel")}
      placeholder={t("discussions.write.answer")}
      submit={t("discussions.write.sendAnswer")}
      extra={{ isAnonymous }}
      refusal={refusal ?? (isNameRefused ? t("discussions.form.nameShown") : undefined)}
      autoFocus={wasOpened}
      onSend={async (body, isAgain) => {
        try {
          onSent(await reply(client, { discussionId: discussion.id, body, isAnonymous: hidesName }, isAgain));
        } catch (error) {
          // Anonymity may have been switched off. Then the person is asked.
          if (hidesName && ApiError.from(error).status === 422)
            await readDiscussion(client, discussion.id).catch(() => {});
          throw error;
        }
      }}
      onClose={() => {
        setOpen(false);
        setWasOpened(true);
      }}
      onReopen={() => setOpen(true)}
    >
      {stays ? (
        <p>{t("discussions.write.staysAnonymous")}</p>
      ) : (
        (mayBeAnonymous || isNameRefused) && (
          <Checkbox
            label={t("discussions.write.anonymous")}
            hint={isNameRefused ? undefined : t("discussions.write.anonymousHint")}
            checked={isAnonymous}
            onChange={(event) => setAnonymous(event.currentTarget.checked)}
          />
        )
      )}
    </LazyPostEditor>
  );
}
