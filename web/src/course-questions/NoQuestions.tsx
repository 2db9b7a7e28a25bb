import { IconComment } from "../comments/IconComment";
import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconCheck, IconEye } from "../ui/icons";
import type { FilterName } from "./questions";

interface Props {
  courseId: string;
  filter: FilterName;
  /** Nobody has asked anything in the course. */
  hasNone: boolean;
}

/** Stands in for an empty list, and says how questions come into being. */
export function NoQuestions({ courseId, filter, hasNone }: Props) {
  const { t } = useTranslation();
  if (hasNone)
    return (
      <EmptyState
        icon={<IconComment size={28} />}
        title={t("courseQuestions.empty.none")}
        heading="h2"
        action={
          <ButtonLink
            to="/view-course/$courseId"
            params={{ courseId }}
            variant="default"
            icon={<IconEye size={18} />}
          >
            {t("courseQuestions.empty.look")}
          </ButtonLink>
        }
      >
        {t("courseQuestions.empty.noneText")}
      </EmptyState>
    );
  const isDone = filter === "unanswered";
  return (
    <EmptyState
      icon={isDone ? <IconCheck size={28} /> : <IconComment size={28} />}
      title={t(`courseQuestions.empty.${filter}`)}
      heading="h2"
    >
      {t(`courseQuestions.empty.${filter}Text`)}
    </EmptyState>
  );
}
