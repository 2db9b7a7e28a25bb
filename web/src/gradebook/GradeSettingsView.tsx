import { LoadFailure } from "../errors/LoadFailure";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Section } from "../ui/Section";
import { TextSkeleton } from "../ui/Skeletons";
import { Categories } from "./Categories";
import { GradedPages } from "./GradedPages";
import classes from "./GradeSettings.module.css";
import { SchemeForm } from "./SchemeForm";
import { useGradeSettings } from "./useGradeSettings";

/** The settings of a gradebook: the scheme, the categories, and how each page counts. */
export default function GradeSettingsView({ courseId, editable }: { courseId: string; editable: boolean }) {
  const { t } = useTranslation();
  const { settings, error, reload } = useGradeSettings(courseId);
  if (!settings)
    return <QueryState error={error} retry={reload} heading="h2" loading={<TextSkeleton lines={10} />} />;
  const given = { settings, editable, reload };
  return (
    <div className={classes.view}>
      {error && <LoadFailure error={error} retry={reload} heading="h2" />}
      {!editable && <p className={classes.none}>{t("students.grades.settings.readOnly")}</p>}
      <Section title={t("students.grades.settings.scheme")} text={t("students.grades.settings.schemeText")}>
        <SchemeForm {...given} />
      </Section>
      <Section
        title={t("students.grades.settings.categories")}
        text={t("students.grades.settings.categoriesText")}
      >
        <Categories {...given} />
      </Section>
      <Section title={t("students.grades.settings.items")} text={t("students.grades.settings.itemsText")}>
        <GradedPages {...given} />
      </Section>
    </div>
  );
}
