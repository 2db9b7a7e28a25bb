import { useApolloClient, useMutation } from "@apollo/client/react";
import { descriptionProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextArea } from "../ui/TextArea";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { ChangeModuleDocument, RemoveModuleAvatarDocument } from "./EditCourse.generated";
import classes from "./ModuleDialog.module.css";
import { PictureField } from "./PictureField";
import type { Module } from "./tree";
import { uploadPicture } from "./uploadPicture";
import { writeFields } from "./writeOutline";

/** A module's picture and description. */
export function ModuleDialog({ module, onClose }: { module: Module | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  if (!module) return null;
  return (
    <Dialog open onClose={onClose} title={t("outline.module.title", { title: module.title })}>
      <Picture module={module} />
      <Description module={module} onClose={onClose} />
    </Dialog>
  );
}

function Picture({ module }: { module: Module }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [remove, { loading }] = useMutation(RemoveModuleAvatarDocument, {
    variables: { input: { moduleId: module.id } },
    onError: toastFailure,
  });
  return (
    <section className={classes.section} aria-label={t("outline.module.picture")}>
      <h3 className={classes.heading}>{t("outline.module.picture")}</h3>
      <PictureField
        hasPicture={module.avatarUrl !== null}
        shown={
          module.avatarUrl ? (
            <img className={classes.picture} src={module.avatarUrl} alt="" width={96} height={96} />
          ) : (
            <span className={classes.picture} aria-hidden="true">
              {[...module.title][0]?.toUpperCase()}
            </span>
          )
        }
        className={classes.current}
        hint={t("outline.module.pictureHint")}
        aspect={1}
        side={1024}
        height="20rem"
        send={async (picture, options) => {
          const avatarUrl = await uploadPicture(module.id, picture, options);
          writeFields(client.cache, "Module", module.id, { avatarUrl });
        }}
        isRemoving={loading}
        onRemove={() => void remove()}
      />
    </section>
  );
}

function Description({ module, onClose }: { module: Module; onClose: () => void }) {
  const { t } = useTranslation();
  const [change] = useMutation(ChangeModuleDocument);
  const form = useGuardedForm({
    name: "module-description",
    subject: module.id,
    values: { description: module.description ?? "" },
    save: ({ description }) =>
      change({ variables: { input: { moduleId: module.id, description: description.trim() || null } } }),
    refusalAt: "description",
    onSaved: () => toastSuccess(t("outline.module.saved")),
    close: onClose,
  });
  return (
    <form className={classes.section} {...form.props}>
      <TextArea
        label={t("outline.module.description")}
        description={t("outline.module.descriptionHint")}
        rows={4}
        {...form.field("description", descriptionProblem)}
      />
      <Button type="submit" className={classes.save} loading={form.isBusy} disabled={!form.isDirty}>
        {t("outline.module.save")}
      </Button>
    </form>
  );
}
