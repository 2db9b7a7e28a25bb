import { useTranslation } from "../../i18n/useTranslation";
import { EditorIcon } from "./icons";
import type { Insert } from "./inserts";
import menu from "./menu.module.css";

export function InsertOption({ insert }: { insert: Insert }) {
  const { t } = useTranslation();
  return (
    <>
      <EditorIcon name={insert.id} />
      <span className={menu.name}>{t(`editor.insert.${insert.id}`)}</span>
      {insert.shortcut && <kbd className={menu.keys}>{insert.shortcut.trim()}</kbd>}
    </>
  );
}
