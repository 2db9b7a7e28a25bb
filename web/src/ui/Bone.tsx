import classes from "./Bone.module.css";

/** A placeholder of something that is on its way, of the size it will have. */
export function Bone({
  width = "100%",
  height,
  below = 0,
}: {
  width?: string;
  height: string;
  below?: string | 0;
}) {
  return <div className={classes.bone} style={{ width, height, marginBlockEnd: below }} aria-hidden="true" />;
}
