import { useApolloClient, useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useEffectEvent, useRef } from "react";
import { ApiError } from "../api/apiError";
import { useSeen } from "../comments/useSeen";
import { pageTitle } from "../course/pageTitle";
import { LoadFailure } from "../errors/LoadFailure";
import { i18n } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { MeDocument } from "../shell/Me.generated";
import { copyText } from "../ui/copyText";
import { hiddenItems } from "../ui/hiddenItems";
import { TextSkeleton } from "../ui/Skeletons";
import { showToast } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import { AnswerBox } from "./AnswerBox";
import { Answers } from "./Answers";
import { markRead, readDiscussion } from "./actions";
import { DiscussionDocument, type DiscussionQuery } from "./Discussions.generated";
import classes from "./DiscussionThread.module.css";
import { linesOf, mayReply, wordsOf } from "./discussion";
import { readDraft } from "./drafts";
import { PostView } from "./PostView";
import { ThreadFacts, ThreadTools } from "./ThreadTools";
import { type ShownAnswers, useAnswers } from "./useAnswers";
import { useDiscussionsChanged } from "./useDiscussionsChanged";

interface Props {
  discussionId: string;
  courseId: string;
  /** The answer that is shown first. */
  answerId?: string | null | undefined;
  /** Whether the thread says under which page it is, with a link. */
  showsPage?: boolean;
  /** Leads to the words that the question is about, where they are on the screen. */
  onPlace?: ((block: number) => void) | undefined;
  /** Called when the discussion is deleted, or when the user may not read it any more. */
  onGone: () => void;
}

/** A question with its answers, and the box for another one. Changes of others appear at once. */
export function DiscussionThread(props: Props) {
  const { discussionId, courseId, answerId = null, showsPage = false, onPlace, onGone } = props;
  const { t } = useTranslation();
  const client = useApolloClient();
  const { data, error, refetch } = useQuery(DiscussionDocument, {
    variables: { id: discussionId },
    fetchPolicy: "cache-and-network",
    nextFetchPolicy: "cache-first",
  });
  const answers = useAnswers(discussionId, answerId);
  const userId = useQuery(MeDocument).data?.me.id;
  const discussion = data?.discussion;
  const isSaid = useRef(false);
  const gone = useEffectEvent(() => {
    // What the user deletes is hidden before it is gone.
    if (!isSaid.current && !hiddenItems.get().has(discussionId)) sayGone(userId, discussionId);
    isSaid.current = true;
    onGone();
  });
  const read = async () => {
    const [now] = await Promise.all([readDiscussion(client, discussionId), answers.readAgain()]);
    if (now === null) gone();
  };
  useDiscussionsChanged(courseId, discussion?.page.id, {
    onChange: async (ids) => {
      if (ids.includes(discussionId)) await read();
    },
    onAgain: read,
  });
  const isGone = error !== undefined && [404, 409].includes(ApiError.from(error).status);
  useEffect(() => {
    if (isGone) gone();
  }, [isGone]);
  if (isGone) return <p className={classes.gone}>{t("discussions.goneDiscussion")}</p>;
  if (error && !discussion) return <LoadFailure error={error} retry={() => void refetch()} heading="p" />;
  if (!discussion || userId === undefined) return <TextSkeleton lines={4} />;
  return (
    <Thread
      key={discussion.id}
      discussion={discussion}
      answers={answers}
      answerId={answerId}
      userId={userId}
      showsPage={showsPage}
      onPlace={onPlace}
      onGone={onGone}
    />
  );
}

/** Says that a discussion is gone, and saves an answer to it that was not sent. */
export function sayGone(userId: string | undefined, discussionId: string): void {
  const answer = userId === undefined ? null : readDraft(userId, `answer:${discussionId}`);
  const copy = async (body: unknown) => {
    if (!(await copyText(linesOf(body))))
      showToast({
        kind: "failure",
        title: i18n.t("errors.toastFailure"),
        text: i18n.t("content.copy.failed"),
      });
  };
  showToast({
    kind: "failure",
    title: i18n.t("errors.toastFailure"),
    text: i18n.t(answer ? "discussions.form.answerNotSent" : "discussions.goneDiscussion"),
    ...(answer && {
      action: { label: i18n.t("discussions.form.copyAnswer"), run: () => void copy(answer.body) },
    }),
  });
}

interface ThreadProps extends Pick<Props, "answerId" | "showsPage" | "onPlace" | "onGone"> {
  discussion: DiscussionQuery["discussion"];
  answers: ShownAnswers;
  userId: string;
}

function Thread({ discussion, answers, answerId, userId, showsPage, onPlace, onGone }: ThreadProps) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const isOnline = useOnline();
  const hidden = useSelector(hiddenItems);
  const element = useRef<HTMLElement>(null);
  const { id, page, anchor, question, isUnread } = discussion;
  const newest = answers.posts?.at(-1)?.id ?? (answers.posts && question.id);
  const isNew = useSeen(element, isUnread, newest, (postId) => markRead(client, id, postId));
  const role = page.course.myRole;
  const shared = { discussion, role, userId, onGone };
  const block = anchor?.block ?? null;
  const quote = anchor?.quote || t("discussions.noWords");
  return (
    <article
      ref={element}
      className={classes.thread}
      aria-label={t("discussions.thread", {
        words: shortWords(question.body) || t("discussions.deletedText"),
      })}
    >
      {showsPage && (
        <p className={classes.page}>
          <Link to="/view-page/$pageId" params={{ pageId: page.id }} search={{ question: id }}>
            {pageTitle(page, t)}
          </Link>
        </p>
      )}
      {anchor &&
        (onPlace && block !== null ? (
          <button
            type="button"
            className={classes.quote}
            aria-label={`${t("discussions.toPlace")}: ${quote}`}
            onClick={() => onPlace(block)}
          >
            <span className={classes.quoted}>{quote}</span>
          </button>
        ) : (
          <p className={classes.quote}>
            {block === null && <span className={classes.note}>{t("discussions.placeGone")} </span>}
            <q className={classes.quoted}>{quote}</q>
          </p>
        ))}
      <ThreadFacts discussion={discussion} isNew={isNew} />
      {hidden.has(question.id) ? (
        <p className={classes.note}>{t("discussions.deletedText")}</p>
      ) : (
        <PostView
          post={question}
          isQuestion
          tools={<ThreadTools discussion={discussion} role={role} onGone={onGone} />}
          {...shared}
        />
      )}
      <Answers answers={answers} answerId={answerId} {...shared} />
      <AnswerBox
        discussion={discussion}
        rules={page.discussionRules}
        role={role}
        userId={userId}
        refusal={
          mayReply(discussion, role, page.discussionRules)
            ? undefined
            : t(discussion.isLocked ? "discussions.lockedNote" : "discussions.offNote")
        }
        onSent={answers.reveal}
      />
      {!isOnline && (
        <p className={classes.note} role="status">
          {t("discussions.offline")}
        </p>
      )}
    </article>
  );
}

/** Enough words to tell questions apart. */
const shortWords = (body: unknown) => wordsOf(body).slice(0, 80);
