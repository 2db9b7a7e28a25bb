import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconPeople } from "../ui/laterIcons";

/** The empty state of the class list: explains how students enroll. */
export function NoStudents({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      heading="h2"
      icon={<IconPeople size={28} />}
      title={t("students.none")}
      action={
        <ButtonLink to="/edit-course/$courseId" params={{ courseId }} search={{ tab: "settings" }}>
          {t("students.toCode")}
        </ButtonLink>
      }
    >
      {t("students.noneText")}
    </EmptyState>
  );
}
