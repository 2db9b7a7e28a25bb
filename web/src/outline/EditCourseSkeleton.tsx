import { useTranslation } from "../i18n/useTranslation";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import classes from "./EditCourse.module.css";

export function EditCourseSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={classes.screen} role="status" aria-label={t("common.loading")}>
      <SkeletonBlock width="6rem" height="1.25rem" below="1.25rem" />
      <SkeletonBlock width="60%" height="2.5rem" below="0.75rem" />
      <SkeletonBlock width="40%" height="1.25rem" below="2rem" />
      <SkeletonBlock height="2.5rem" below="2rem" />
      {[88, 70, 76, 64, 82, 72].map((width) => (
        <SkeletonBlock key={width} width={`${width}%`} height="1.75rem" below="1rem" />
      ))}
    </div>
  );
}
