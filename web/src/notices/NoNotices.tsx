import { useTranslation } from "../i18n/useTranslation";
import { EmptyState } from "../ui/EmptyState";
import { IconBell } from "../ui/icons";

/** The empty state: explains what will appear here. */
export function NoNotices({ unreadOnly, heading }: { unreadOnly: boolean; heading?: "h2" }) {
  const { t } = useTranslation();
  const which = unreadOnly ? "unread" : "all";
  return (
    <EmptyState icon={<IconBell size={22} />} title={t(`notices.empty.${which}`)} heading={heading}>
      {t(`notices.empty.${which}Text`)}
    </EmptyState>
  );
}
