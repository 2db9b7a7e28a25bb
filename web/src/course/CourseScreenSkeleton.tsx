import { useTranslation } from "react-i18next";
import { Bone } from "../ui/Bone";
import classes from "./CourseScreen.module.css";

/** The course page's outline while it loads, of the size it will have. */
export function CourseScreenSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={classes.screen} role="status" aria-label={t("common.loading")}>
      <title>{t("common.appName")}</title>
      <Bone width="6rem" height="1rem" below="1.75rem" />
      <Bone width="70%" height="2.5rem" below="1.25rem" />
      <Bone width="95%" height="1rem" below="0.75rem" />
      <Bone width="60%" height="1rem" below="2rem" />
      <Bone height="2.75rem" below="2rem" />
      <Bone height="9.5rem" below="2.75rem" />
      {[48, 62, 55, 70, 44, 58].map((width) => (
        <Bone key={width} width={`${width}%`} height="1.125rem" below="1.5rem" />
      ))}
    </div>
  );
}
