import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { signedIn } from "../api/session";
import { useTranslation } from "../i18n/useTranslation";
import { showToast } from "../ui/toasts";
import { readAddress } from "./address";

/**
 * Tells people who follow a link of a learner's screen out of the preview that it is over, and offers the way back. The exits
 * in the bar need no message; they lead to the editors of the course and the page.
 */
export function useToldExit(): void {
  const { t } = useTranslation();
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onBeforeNavigate", ({ fromLocation, toLocation }) => {
        const { pathname } = toLocation;
        if (!fromLocation || readAddress(pathname) || /^\/edit-(course|page)\//.test(pathname) || !signedIn())
          return;
        showToast({
          kind: "success",
          title: t("students.preview.left"),
          text: t("students.preview.leftText"),
          action: {
            label: t("students.preview.back"),
            run: () => void router.navigate({ href: fromLocation.href }),
          },
        });
      }),
    [router, t],
  );
}
