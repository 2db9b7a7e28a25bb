import { returnPath } from "../api/returnPath";
import { isGuest } from "../api/session";
import { hasCopy } from "../assignment/copies";
import { codeOfSearch } from "../home/shareCode";
import { useTranslation } from "../i18n/useTranslation";
import { hasDraft } from "../quiz/draftKeys";

/** The text below the title of a form: what opens after signing in, or the general text. */
export function useLead(form: "login" | "signup"): string {
  const { t } = useTranslation();
  if (isGuest()) return t(`auth.guestWaits.${form}`);
  const { pathname, searchParams } = new URL(returnPath(), window.location.origin);
  const { code } = codeOfSearch(Object.fromEntries(searchParams));
  if (pathname === "/" && code) return t("auth.codeWaits", { code });
  if (pathname === "/accept-invitation") return t("auth.invitationWaits");
  const pageId = /^\/view-page\/([^/]+)$/.exec(pathname)?.[1];
  if (pageId && (hasDraft(pageId) || hasCopy(pageId))) return t("auth.answersWait");
  if (pathname !== "/") return t(`auth.pathWaits.${form}`);
  return t(`auth.${form}.lead`);
}
