import { useApolloClient } from "@apollo/client/react";
import { isGuest } from "../api/session";
import { useTranslation } from "../i18n/useTranslation";
import { toastFailure } from "../ui/toasts";
import { MarkPostDocument } from "./Discussions.generated";
import { mayMark, type Post } from "./discussion";
import { IconUseful } from "./icons";
import classes from "./PostView.module.css";

/** Marks a post as useful, at once; for its author, for hidden posts and for guests only the number is shown. */
export function UsefulButton({ post }: { post: Post }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const { id, isUseful, usefulCount } = post;
  if (!mayMark(post) || isGuest())
    return (
      usefulCount > 0 && (
        <p className={classes.usefulCount}>
          <IconUseful size={16} />
          {t("discussions.usefulTo", { count: usefulCount })}
        </p>
      )
    );
  const toggle = () => {
    const marked = { usefulCount: usefulCount + (isUseful ? -1 : 1), isUseful: !isUseful };
    client
      .mutate({
        mutation: MarkPostDocument,
        variables: { input: { postId: id, isUseful: !isUseful } },
        optimisticResponse: {
          markPost: {
            __typename: "PostPayload",
            post: { __typename: "DiscussionPost", id, ...marked },
          },
        } as never,
      })
      .catch(toastFailure);
  };
  return (
    <button type="button" className={classes.useful} aria-pressed={isUseful} onClick={toggle}>
      <IconUseful size={16} />
      {t("discussions.useful")}
      {usefulCount > 0 && <span className={classes.number}>{usefulCount}</span>}
    </button>
  );
}
