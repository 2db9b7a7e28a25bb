import type { Editor } from "@tiptap/core";
import type { HTMLAttributes } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { useMenu } from "../../ui/Menu";
import { EditorIcon } from "./icons";
import { type DialogOpeners, INSERTS } from "./inserts";
import styles from "./Toolbar.module.css";

interface Props {
  editor: Editor | null;
  dialogs: DialogOpeners;
  control: HTMLAttributes<HTMLButtonElement>;
}

/** The button «Вставить», which opens the same menu as the slash. */
export function InsertMenu({ editor, dialogs, control }: Props) {
  const { t } = useTranslation();
  const { button, menu } = useMenu({
    label: t("editor.insertMenu"),
    align: "start",
    // On a phone the menu leaves room for its text.
    maxHeight: "min(24rem, 45dvh)",
    items: () =>
      INSERTS.map((insert) => ({
        label: t(`editor.insert.${insert.id}`),
        icon: <EditorIcon name={insert.id} />,
        keys: insert.shortcut?.trim(),
        onSelect: () => {
          if (!editor) return;
          editor.commands.focus();
          insert.do(editor, dialogs);
        },
      })),
  });
  return (
    <>
      <button
        {...button}
        className={styles.button}
        data-wide
        onMouseDown={(event) => event.preventDefault()}
        {...control}
      >
        <EditorIcon name="plus" />
        {t("editor.insertMenu")}
      </button>
      {menu}
    </>
  );
}
