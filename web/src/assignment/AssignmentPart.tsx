import { useQuery } from "@apollo/client/react";
import { useEffect, useEffectEvent, useState } from "react";
import { pageTitle } from "../course/pageTitle";
import { useAtMoment } from "../dates/useAtMoment";
import { finishSaving } from "../editor/openSavers";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { usePreview } from "../preview/context";
import { firstExpiry } from "../quiz/files";
import type { QuizPartProps } from "../quiz/QuizPart";
import { QuizSkeleton } from "../quiz/QuizSkeleton";
import { MeDocument } from "../shell/Me.generated";
import { ButtonLink } from "../ui/Button";
import { AssignmentPageDocument } from "./Assignment.generated";
import { AssignmentView } from "./AssignmentView";
import { draftKey } from "./DraftSession";
import { storedText, versionText } from "./draftText";
import type { AssignmentPage } from "./model";

/** An assignment that was read less than this ago is not read again. */
const FRESH_MS = 3000;

/** What is to be handed in on an assignment page, and what was handed in. */
export default function AssignmentPart({ pageId, isPreview, outcome, nextPage, onNext }: QuizPartProps) {
  const { t } = useTranslation();
  const preview = usePreview();
  const isSaved = useSaved(pageId);
  const { data, error, refetch } = useQuery(AssignmentPageDocument, {
    variables: { id: pageId },
    // A form must not begin with an old draft.
    fetchPolicy: "network-only",
    nextFetchPolicy: "cache-first",
    skip: !isSaved,
  });
  const readAgain = () => void refetch().catch(() => undefined);
  useAtMoment(data?.page.timeline.closesAt ?? null, readAgain);
  // The addresses of the files expire.
  useAtMoment(data ? firstExpiry(filesOf(data.page)) : null, readAgain);
  useReturn(readAgain);
  const me = useQuery(MeDocument).data?.me;
  if (error && !data) return <LoadFailure error={error} retry={() => refetch()} />;
  if (!data || !me) return <QuizSkeleton />;
  const next = nextPage && (
    <ButtonLink to="/view-page/$pageId" params={{ pageId: nextPage.id }} onClick={onNext}>
      {t("course.nextUp", { page: pageTitle(nextPage, t) })}
    </ButtonLink>
  );
  return (
    <AssignmentView
      key={pageId}
      page={data.page}
      userId={me.id}
      mode={preview ? "look" : isPreview ? "try" : "take"}
      outcome={outcome}
      next={next}
    />
  );
}

/** Whether the last save of an earlier form on this page is over, so that the page can be read. */
function useSaved(pageId: string): boolean {
  const [isSaved, setSaved] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    void finishSaving(draftKey(pageId)).then(() => isCurrent && setSaved(true));
    return () => {
      isCurrent = false;
    };
  }, [pageId]);
  return isSaved;
}

/** Calls `act` when the learner comes back to the tab, the window or the network: another window or device may have changed the draft. */
function useReturn(act: () => void) {
  const come = useEffectEvent(act);
  useEffect(() => {
    let last = Date.now();
    const look = () => {
      if (document.hidden || Date.now() - last < FRESH_MS) return;
      last = Date.now();
      come();
    };
    const events = ["visibilitychange", "focus", "online"];
    for (const event of events) window.addEventListener(event, look);
    return () => {
      for (const event of events) window.removeEventListener(event, look);
    };
  }, []);
}

function filesOf({ attempts, draft }: AssignmentPage) {
  return [...attempts.map(versionText), storedText(draft)].flatMap(({ files }) => files);
}
