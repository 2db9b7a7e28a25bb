import { useQuery } from "@apollo/client/react";
import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { onSessionEnd, signedIn } from "../api/session";
import { i18n, loadTexts } from "../i18n";
import { MeDocument } from "../shell/Me.generated";
import { toastSuccess } from "../ui/toasts";
import { guardUnsaved, mayLeave } from "../ui/unsaved";
import { keepForm, takeKeptForm } from "./keptForms";

interface Guarded {
  /** Unique among the forms. `FORMS` in e2e/all-forms.ts walks through the form under this name. */
  name: string;
  /** Distinguishes the forms of one name, such as the id of the edited course. */
  subject?: string;
  /** The element that contains the fields. */
  element: RefObject<Element | null>;
  isUnsaved: boolean;
  /** Whether kept values can be put back; until then they stay kept. */
  isReady?: boolean;
  /** Forgets what was typed. */
  discard: () => void;
  /** The typed values to keep when the session ends. */
  values: () => Record<string, unknown>;
  /** Puts kept values back. */
  restore: (values: Record<string, unknown>) => void;
}

/**
 * Protects the text of a form: leaving the screen, closing its dialog or the window, and signing out ask first. When the session ends by
 * itself, the text waits in this tab for the same person.
 */
export function useLeaveGuard({
  name,
  subject = "",
  element,
  isUnsaved,
  isReady = true,
  discard,
  values,
  restore,
}: Guarded) {
  const { data } = useQuery(MeDocument, { fetchPolicy: "cache-only" });
  // The end of the session empties the cache, perhaps before the text is kept.
  const [userId, setUserId] = useState(data?.me.id);
  if (data && data.me.id !== userId) setUserId(data.me.id);
  const keep = () => {
    if (userId && isUnsaved) keepForm(userId, name, subject, values());
  };
  const restoreKept = useEffectEvent((owner: string) => {
    const kept = takeKeptForm(owner, name, subject);
    if (!kept) return;
    restore(kept);
    loadTexts("forms").then(
      () => toastSuccess(i18n.t("forms.restored")),
      () => {},
    );
  });

  useLeaveQuestion({ element, isUnsaved, discard, keep });

  useEffect(() => {
    if (userId && isReady) restoreKept(userId);
  }, [userId, isReady]);
}

interface Question extends Pick<Guarded, "element" | "isUnsaved" | "discard"> {
  /** Whether files are being uploaded, instead of text that was typed. */
  isUpload?: boolean;
  /** Keeps what was typed when the session ends by itself. */
  keep?: () => void;
}

/** Asks before what was typed in `element` is lost. For text without a form; a form takes `useLeaveGuard`. */
export function useLeaveQuestion({ element, isUnsaved, isUpload, discard, keep }: Question) {
  const { history } = useRouter();
  const isUnsavedNow = useEffectEvent(() => isUnsaved);
  const discardNow = useEffectEvent(discard);
  const keepNow = useEffectEvent(() => keep?.());
  useEffect(() => {
    const hadSession = signedIn();
    const ends = [
      guardUnsaved({
        isUnsaved: () => isUnsavedNow(),
        element: () => element.current,
        isUpload,
        discard: () => discardNow(),
      }),
      history.block({
        // `guardUnsaved` asks before the window is closed. The router would ask although nothing was typed.
        enableBeforeUnload: false,
        blockerFn: async ({ currentLocation: from, nextLocation: to }) => {
          const isSameScreen = from.pathname === to.pathname && from.search === to.search;
          if (isSameScreen) return false;
          const isEnded = hadSession && !signedIn();
          if (isEnded) keepNow();
          return !isEnded && !(await mayLeave());
        },
      }),
      onSessionEnd(() => keepNow()),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [history, element, isUpload]);
}
