import { useTranslation } from "../i18n/useTranslation";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import classes from "./CourseScreen.module.css";

/** The placeholder of the course screen, with the final sizes. */
export function CourseScreenSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={classes.screen} role="status" aria-label={t("common.loading")}>
      <title>Kurso</title>
      <SkeletonBlock width="6rem" height="1rem" below="1.75rem" />
      <SkeletonBlock width="70%" height="2.5rem" below="1.25rem" />
      <SkeletonBlock width="95%" height="1rem" below="0.75rem" />
      <SkeletonBlock width="60%" height="1rem" below="2rem" />
      <SkeletonBlock height="2.75rem" below="2rem" />
      <SkeletonBlock height="9.5rem" below="2.75rem" />
      {[48, 62, 55, 70, 44, 58].map((width) => (
        <SkeletonBlock key={width} width={`${width}%`} height="1.125rem" below="1.5rem" />
      ))}
    </div>
  );
}
