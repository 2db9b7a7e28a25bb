import { useApolloClient } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import type { ComponentProps } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { markAllRead } from "./actions";
import type { Notice } from "./grouping";
import { noticeState, shownUnread } from "./state";

interface Props extends Pick<ComponentProps<typeof Button>, "variant" | "size"> {
  /** The newest notice on the screen. */
  newest: Notice | undefined;
  /** Takes the focus, because the pressed button is disabled. */
  takeFocus: () => void;
}

/** Marks all notices on the screen and the older ones as read. */
export function ReadAll({ newest, takeFocus, ...look }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const unread = useSelector(noticeState, shownUnread);
  return (
    <Button
      {...look}
      disabled={unread === 0 || !newest}
      onClick={() => {
        takeFocus();
        if (newest) void markAllRead(client, newest);
      }}
    >
      {t("notices.readAll")}
    </Button>
  );
}
