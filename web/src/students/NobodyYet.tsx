import { useTranslation } from "react-i18next";
import { EmptyState } from "../ui/EmptyState";
import { IconPeople } from "../ui/icons";
import { ButtonLink } from "../ui/links";

/** Stands where the class would be, and says how one comes by it. */
export function NobodyYet({ courseId }: { courseId: string }) {
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
