import { useTranslation } from "react-i18next";
import type { Course } from "../outline/EditCourse";
import { IconUpload } from "../ui/icons";
import { ButtonLink } from "../ui/links";
import { Section } from "../ui/Section";
import classes from "./CourseSettings.module.css";

/** The way to a file that the course is to become. */
export function UpdateCourse({ course }: { course: Course }) {
  const { t } = useTranslation();
  return (
    <Section title={t("courseSettings.update.heading")} text={t("courseSettings.update.text")}>
      <div className={classes.form}>
        <ButtonLink
          to="/import"
          search={{ update: course.id }}
          variant="default"
          leftSection={<IconUpload size={18} />}
          className={classes.start}
        >
          {t("courseSettings.update.choose")}
        </ButtonLink>
      </div>
    </Section>
  );
}
