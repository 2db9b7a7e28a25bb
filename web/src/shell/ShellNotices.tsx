import { useApolloClient } from "@apollo/client/react";
import { type ComponentProps, useEffect } from "react";
import { isGuest } from "../api/session";
import { UnsentNotice } from "../editor/UnsentNotice";
import { hasFormerGuest } from "../guests/guestToken";
import { withTexts } from "../i18n";
import { optional } from "../ui/optional";

const GuestNotice = optional(() =>
  withTexts(import("../guests/GuestNotice"), "join").then(({ GuestNotice }) => GuestNotice),
);

/** The notices above each screen: for guests, and of unsaved drafts. Also moves what a guest did to the account, if that has failed before. */
export function ShellNotices(props: ComponentProps<typeof UnsentNotice>) {
  const client = useApolloClient();
  useEffect(() => {
    const merge = () => {
      if (!hasFormerGuest()) return;
      withTexts(import("../guests/merge"), "join").then(
        ({ mergeGuest }) => mergeGuest(client),
        // Retried at the next start.
        () => {},
      );
    };
    merge();
    window.addEventListener("online", merge);
    return () => window.removeEventListener("online", merge);
  }, [client]);
  return (
    <>
      {isGuest() && <GuestNotice />}
      <UnsentNotice {...props} />
    </>
  );
}
