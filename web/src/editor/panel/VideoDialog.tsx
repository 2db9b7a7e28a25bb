import type { Editor } from "@tiptap/core";
import { type SubmitEvent, useId, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { TextField } from "../../ui/TextField";
import { insertBlock } from "../behaviour/blocks";
import { embedOf } from "../embedOf";

/** Asks for the address of a video on one of the supported sites. */
export function VideoDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { t } = useTranslation();
  const formId = useId();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const video = embedOf(typed);
    if (!video) return setProblem(t("editor.video.unknown"));
    const { state, view, schema } = editor;
    if (schema.nodes.embed)
      view.dispatch(insertBlock(state.tr, schema.nodes.embed.create(video)).scrollIntoView());
    editor.commands.focus();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("editor.insert.video")}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" form={formId}>
            {t("editor.video.insert")}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        <TextField
          label={t("editor.panel.videoAddress")}
          description={t("editor.video.description")}
          placeholder="https://rutube.ru/video/…"
          value={typed}
          error={problem}
          autoComplete="off"
          data-autofocus
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setProblem(null);
          }}
        />
      </form>
    </Dialog>
  );
}
