import type { Editor } from "@tiptap/core";
import { type KeyboardEvent, useId } from "react";
import { readHref } from "../../content/addresses";
import { pageTitle } from "../../course/pageTitle";
import { isEmail } from "../../forms/rules";
import { useGuardedForm } from "../../forms/useGuardedForm";
import { useTranslation } from "../../i18n/useTranslation";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { TextField } from "../../ui/TextField";
import styles from "./LinkDialog.module.css";

/** The pages of a course, to which links can lead. */
export interface LinkedCourse {
  modules: readonly {
    lessons: readonly {
      title: string;
      pages: readonly { id: string; title: string | null; number: number }[];
    }[];
  }[];
}

interface Props {
  editor: Editor;
  /** Null outside of courses. */
  course: LinkedCourse | null;
  /** The page that is being edited; it is left out. */
  pageId?: string | undefined;
  onClose: () => void;
}

const MOST_SHOWN = 60;

/** Sets a link. One field takes an address or part of the title of a page in this course. */
export function LinkDialog({ editor, course, pageId, onClose }: Props) {
  const { t } = useTranslation();
  const formId = useId();
  const present = String(editor.getAttributes("link").href ?? "");
  const pages = (course?.modules ?? []).flatMap((module) =>
    module.lessons.flatMap((lesson) =>
      lesson.pages.map((page) => ({ id: page.id, title: pageTitle(page, t), lesson: lesson.title })),
    ),
  );
  const search = (typed: string) => {
    const words = typed.trim().toLowerCase();
    return pages.filter(
      (page) =>
        page.id !== pageId && (words === "" || `${page.title} ${page.lesson}`.toLowerCase().includes(words)),
    );
  };
  /** The only page that the typed words can mean. */
  const onlyPage = (typed: string) => {
    const [page, ...others] = search(typed);
    return others.length === 0 ? page : undefined;
  };

  const apply = (href: string, title?: string) => {
    const chain = editor.chain().focus();
    if (editor.state.selection.empty && !present) {
      const text = title ?? href.replace(/^(https?:\/\/|mailto:)/, "");
      chain.insertContent({ type: "text", text, marks: [{ type: "link", attrs: { href } }] }).run();
    } else chain.extendMarkRange("link").setMark("link", { href }).run();
  };
  const form = useGuardedForm({
    name: "link",
    defaultValues: { address: present.startsWith("page:") ? "" : present },
    save: ({ address }) => {
      const href = addressOf(address);
      const page = onlyPage(address);
      if (href) apply(href);
      else if (page) apply(`page:${page.id}`, page.title);
    },
    onSaved: onClose,
  });
  const found = search(form.watch("address"));

  return (
    <Dialog
      open
      onClose={onClose}
      title={t("editor.link.title")}
      actions={
        <>
          {present && (
            <Button
              variant="default"
              onClick={() => {
                editor.chain().focus().extendMarkRange("link").unsetMark("link").run();
                onClose();
              }}
            >
              {t("editor.link.remove")}
            </Button>
          )}
          <Button type="submit" form={formId}>
            {t("editor.link.apply")}
          </Button>
        </>
      }
    >
      <form id={formId} {...form.props} onKeyDown={moveInList} className={styles.form}>
        <TextField
          label={t("editor.link.label")}
          description={t("editor.link.description")}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.field("address", (typed) =>
            addressOf(typed) || onlyPage(typed) ? null : "editor.link.unknown",
          )}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would look like one */}
        <div className={styles.pages} role="group" aria-label={t("editor.link.pages")}>
          {found.slice(0, MOST_SHOWN).map((page) => (
            <button
              key={page.id}
              type="button"
              className={styles.page}
              aria-pressed={present === `page:${page.id}`}
              onClick={() => {
                apply(`page:${page.id}`, page.title);
                onClose();
              }}
            >
              <span>{page.title}</span>
              <span className={styles.lesson}>{page.lesson}</span>
            </button>
          ))}
          {found.length > MOST_SHOWN && <p className={styles.more}>{t("editor.link.more")}</p>}
        </div>
      </form>
    </Dialog>
  );
}

/** The arrow keys lead from the field into the list of pages and back. */
function moveInList(event: KeyboardEvent<HTMLFormElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, button[aria-pressed]")];
  const to = stops[stops.indexOf(document.activeElement as HTMLElement) + (step ?? 0)];
  if (!step || !to) return;
  event.preventDefault();
  to.focus();
}

/** Completes an address that was typed without its scheme. */
export function addressOf(typed: string): string | null {
  const text = typed.trim();
  if (/\s/.test(text) || text === "") return null;
  if (readHref(text)) return text;
  if (isEmail(text)) return `mailto:${text}`;
  // Accepts `example.com/a`, but not `слово`.
  if (/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+([/?#:].*)?$/u.test(text)) return `https://${text}`;
  return null;
}
