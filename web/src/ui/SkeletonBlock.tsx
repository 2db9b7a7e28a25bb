import classes from "./SkeletonBlock.module.css";

/** A placeholder for loading content, in the content's size. */
export function SkeletonBlock({
  width = "100%",
  height,
  below = 0,
}: {
  width?: string;
  height: string;
  below?: string | 0;
}) {
  return (
    <div className={classes.block} style={{ width, height, marginBlockEnd: below }} aria-hidden="true" />
  );
}
