import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { IconUpload } from "../ui/authorIcons";
import { ButtonLink } from "../ui/Button";

import { Section } from "../ui/Section";
import classes from "./CourseSettings.module.css";

/** The section that links to updating the course from a file. */
export function UpdateCourse({ course }: { course: Course }) {
  const { t } = useTranslation();
  return (
    <Section title={t("courseSettings.update.heading")} text={t("courseSettings.update.text")}>
      <div className={classes.form}>
        <ButtonLink
          to="/import"
          search={{ update: course.id }}
          variant="default"
          icon={<IconUpload size={18} />}
          className={classes.start}
        >
          {t("courseSettings.update.choose")}
        </ButtonLink>
      </div>
    </Section>
  );
}
