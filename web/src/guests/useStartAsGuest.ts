import { useMutation } from "@apollo/client/react";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { takeReturnPath } from "../api/returnPath";
import { signedIn } from "../api/session";
import { useTranslation } from "../i18n/useTranslation";
import { dismissToast, failureText, toastStore } from "../ui/toasts";
import type { Door } from "./door";
import { StartAsGuestDocument } from "./Guests.generated";
import { storeGuest } from "./guestToken";

/** Starts a course as a guest and opens it. `refusal` says why it could not be started. */
export function useStartAsGuest(door: Door) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const router = useRouter();
  const [begin, { loading }] = useMutation(StartAsGuestDocument);
  const [refusal, setRefusal] = useState<string | null>(null);
  const start = async () => {
    // Another tab was faster: its session joins the course.
    if (signedIn()) return router.history.push(takeReturnPath());
    setRefusal(null);
    const input = "courseId" in door ? { courseId: door.courseId } : { shareCode: door.shareCode };
    try {
      const started = (await begin({ variables: { input } })).data?.startAsGuest;
      if (!started) return setRefusal(t("errors.unknown"));
      storeGuest(started.accessToken);
      takeReturnPath();
      // What was said to a visitor says nothing to this guest.
      for (const { id } of toastStore.get()) dismissToast(id);
      await navigate({ to: "/view-course/$courseId", params: { courseId: started.courseId }, replace: true });
    } catch (failure) {
      setRefusal(failureText(failure));
    }
  };
  return { start, loading, refusal };
}
