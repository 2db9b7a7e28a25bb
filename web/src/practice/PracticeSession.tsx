import { useApolloClient } from "@apollo/client/react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button, ButtonLink } from "../ui/Button";
import { IconCheck } from "../ui/icons";
import { toastFailure } from "../ui/toasts";
import { offerUndo } from "../ui/undo";
import { SetPracticeDocument } from "./Practice.generated";
import { PracticeCard } from "./PracticeCard";
import classes from "./PracticeSession.module.css";
import { advanced, begun, type Card, type Session, stageOf, tally } from "./session";

interface Props {
  cards: readonly Card[];
  /** The number of questions that are due, also beyond the cards. */
  dueCount: number;
  /** Whether it follows another session on this screen. */
  isRepeated: boolean;
  /** Begins another session. */
  onAgain: () => void;
}

/** Asks questions one after another, for about five minutes. */
export function PracticeSession({ cards, dueCount, isRepeated, onAgain }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [session, setSession] = useState<Session>(() => begun(cards));
  const shownAt = useRef(performance.now());
  const heading = useRef<HTMLHeadingElement>(null);
  const stage = stageOf(session);
  const card = cards[session.at];
  const { done, right } = tally(session);

  useEffect(() => {
    if (stage !== "question") heading.current?.focus({ preventScroll: true });
  }, [stage]);

  const leave = (id: string) => {
    const time = performance.now() - shownAt.current;
    shownAt.current = performance.now();
    setSession((session) => advanced(session, id, time));
  };
  const stop = async (id: string) => {
    const set = (isStopped: boolean) =>
      client.mutate({ mutation: SetPracticeDocument, variables: { input: { cardId: id, isStopped } } });
    try {
      await set(true);
    } catch (failure) {
      toastFailure(failure);
      return;
    }
    leave(id);
    offerUndo(t("practice.stopped"), () => void set(false).catch(toastFailure));
  };

  if (stage === "question" && card)
    return (
      <>
        <Progress at={session.at} count={cards.length} />
        <PracticeCard
          key={card.id}
          card={card}
          takesFocus={session.at > 0 || isRepeated}
          number={session.at + 1}
          count={cards.length}
          practised={session.practised[card.id]}
          onPractised={(practised) =>
            setSession((session) => ({
              ...session,
              practised: { ...session.practised, [card.id]: practised },
            }))
          }
          onNext={() => leave(card.id)}
          onStop={() => stop(card.id)}
        />
      </>
    );
  const left = dueCount - done;
  const ending = stage === "break" ? "enough" : left > 0 ? "partDone" : "done";
  return (
    <section className={classes.end} aria-labelledby="practice-end">
      <span className={classes.mark}>
        <IconCheck size={28} />
      </span>
      <h2 ref={heading} id="practice-end" tabIndex={-1}>
        {t(`practice.${ending}`)}
      </h2>
      {done > 0 && (
        <p className={classes.tally}>
          {t("practice.answered", { count: done })} {t("practice.right", { count: right })}
        </p>
      )}
      <p className={classes.words}>{t(`practice.${ending}Text`)}</p>
      <div className={classes.actions}>
        <ButtonLink to="/" variant="filled">
          {t("practice.toCourses")}
        </ButtonLink>
        {stage === "break" ? (
          <Button variant="default" onClick={() => setSession((session) => ({ ...session, goesOn: true }))}>
            {t("practice.goOn")}
          </Button>
        ) : (
          left > 0 && (
            <Button variant="default" onClick={onAgain}>
              {t("practice.more")}
            </Button>
          )
        )}
      </div>
    </section>
  );
}

function Progress({ at, count }: { at: number; count: number }) {
  return (
    <div className={classes.progress} aria-hidden="true">
      <div className={classes.done} style={{ inlineSize: `${(100 * at) / count}%` }} />
    </div>
  );
}
