import type { Editor } from "@tiptap/core";
import { useId } from "react";
import { useGuardedForm } from "../../forms/useGuardedForm";
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
  const form = useGuardedForm({
    name: "video",
    defaultValues: { address: "" },
    save: ({ address }) => {
      const video = embedOf(address);
      const { state, view, schema } = editor;
      if (video && schema.nodes.embed)
        view.dispatch(insertBlock(state.tr, schema.nodes.embed.create(video)).scrollIntoView());
      editor.commands.focus();
    },
    onSaved: onClose,
  });
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
      <form id={formId} {...form.props}>
        <TextField
          label={t("editor.panel.videoAddress")}
          description={t("editor.video.description")}
          placeholder="https://rutube.ru/video/…"
          autoComplete="off"
          data-autofocus
          {...form.field("address", (address) => (embedOf(address) ? null : "editor.video.unknown"))}
        />
      </form>
    </Dialog>
  );
}
