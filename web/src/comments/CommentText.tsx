import { partsOf } from "./mentions";
import classes from "./Thread.module.css";

/** The text of a comment with the names of the people it mentions. */
export function CommentText({ text }: { text: string }) {
  return (
    <p className={classes.text}>
      {partsOf(text).map((part, index) =>
        "id" in part ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other names
          <span key={index} className={classes.mention}>
            @{part.name}
          </span>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}
