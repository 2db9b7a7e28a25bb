import type { ReactNode } from "react";
import { isGuest } from "../api/session";
import { withTexts } from "../i18n";
import { optional } from "../ui/optional";

const AccountNeeded = optional(() =>
  withTexts(import("./AccountNeeded"), "join").then(({ AccountNeeded }) => AccountNeeded),
);

/** A screen that takes an account. Guests, who have no links to it, are told so. */
export function ForAccounts({ children }: { children: ReactNode }) {
  return isGuest() ? <AccountNeeded /> : children;
}
