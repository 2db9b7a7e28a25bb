import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import type { CourseRole } from "../api/schema.generated";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { reply } from "./actions";
import { type Discussion, isStaff, type Rules, staysAnonymous } from "./discussion";
import { readDraft } from "./drafts";
import { LazyPostEditor } from "./LazyPostEditor";
import { OpenEditorButton } from "./OpenEditorButton";

interface Props {
  discussion: Discussion;
  rules: Rules | null;
  role: CourseRole;
  userId: string;
}

/** The box for an answer: one line until somebody writes in it. */
export function AnswerBox({ discussion, rules, role, userId }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const draftKey = `answer:${discussion.id}` as const;
  const [kept] = useState(() => readDraft(userId, draftKey));
  const [isOpen, setOpen] = useState(kept !== null);
  const [wasOpened, setWasOpened] = useState(false);
  const [isAnonymous, setAnonymous] = useState(kept?.isAnonymous ?? false);
  const stays = staysAnonymous(discussion);
  // Everybody reads which answers are the asker's, so these have the name of the question.
  const isAsker = discussion.posts[0]?.isMine === true;
  const mayBeAnonymous = rules?.allowsAnonymous === true && !isStaff(role) && !isAsker;
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
      autoFocus={wasOpened}
      onSend={(body, isAgain) =>
        reply(
          client,
          { discussionId: discussion.id, body, isAnonymous: isAnonymous && mayBeAnonymous },
          isAgain,
        )
      }
      onClose={() => {
        setOpen(false);
        setWasOpened(true);
      }}
    >
      {stays ? (
        <p>{t("discussions.write.staysAnonymous")}</p>
      ) : (
        mayBeAnonymous && (
          <Checkbox
            label={t("discussions.write.anonymous")}
            hint={t("discussions.write.anonymousHint")}
            checked={isAnonymous}
            onChange={(event) => setAnonymous(event.currentTarget.checked)}
          />
        )
      )}
    </LazyPostEditor>
  );
}
