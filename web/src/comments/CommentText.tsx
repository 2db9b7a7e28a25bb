import { partsOf } from "./mentions";
import classes from "./Thread.module.css";

interface Props {
  text: string;
  /** The people that the text mentions; others are not told. */
  mentions: readonly { id: string }[];
}

/** The text of a comment with the names of the people it mentions. */
export function CommentText({ text, mentions }: Props) {
  return (
    <p className={classes.text}>
      {partsOf(text).map((part, index) =>
        !("id" in part) ? (
          part.text
        ) : mentions.some(({ id }) => id === part.id) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other names
          <span key={index} className={classes.mention}>
            @{part.name}
          </span>
        ) : (
          `@${part.name}`
        ),
      )}
    </p>
  );
}
