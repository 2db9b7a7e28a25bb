import { useApolloClient, useMutation } from "@apollo/client/react";
import { lazy, Suspense, useState } from "react";
import { descriptionProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import { TextArea } from "../ui/TextArea";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { ChooseFile } from "./ChooseFile";
import { ChangeModuleDocument, RemoveModuleAvatarDocument } from "./EditCourse.generated";
import classes from "./ModuleDialog.module.css";
import type { Module } from "./tree";
import { PICTURE_MAX, uploadPicture } from "./uploadPicture";
import { writeFields } from "./writeOutline";

const PictureCrop = lazy(() => import("./PictureCrop"));

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
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [remove, { loading }] = useMutation(RemoveModuleAvatarDocument, {
    variables: { input: { moduleId: module.id } },
    onError: toastFailure,
  });
  const choose = (chosen: File) => {
    const tooLarge = chosen.size > PICTURE_MAX;
    setProblem(tooLarge ? t("outline.module.tooLarge") : null);
    setFile(tooLarge ? null : chosen);
  };
  return (
    <section className={classes.section} aria-label={t("outline.module.picture")}>
      <h3 className={classes.heading}>{t("outline.module.picture")}</h3>
      {file ? (
        <Suspense fallback={<SkeletonBlock height="20rem" />}>
          <PictureCrop
            key={`${file.name} ${file.size} ${file.lastModified}`}
            file={file}
            aspect={1}
            side={1024}
            send={async (picture, options) => {
              const avatarUrl = await uploadPicture(module.id, picture, options);
              writeFields(client.cache, "Module", module.id, { avatarUrl });
            }}
            onDone={() => setFile(null)}
            onUnreadable={() => {
              setFile(null);
              setProblem(t("outline.module.notAnImage"));
            }}
          />
        </Suspense>
      ) : (
        <div className={classes.current}>
          {module.avatarUrl ? (
            <img className={classes.picture} src={module.avatarUrl} alt="" width={96} height={96} />
          ) : (
            <span className={classes.picture} aria-hidden="true">
              {[...module.title][0]?.toUpperCase()}
            </span>
          )}
          <div className={classes.words}>
            <div className={classes.buttons}>
              <ChooseFile onChoose={choose}>
                {t(module.avatarUrl ? "outline.module.change" : "outline.module.choose")}
              </ChooseFile>
              {module.avatarUrl && (
                <Button variant="subtle" loading={loading} onClick={() => void remove()}>
                  {t("outline.module.remove")}
                </Button>
              )}
            </div>
            {problem ? (
              <p className={classes.problem} role="alert">
                {problem}
              </p>
            ) : (
              <p className={classes.hint}>{t("outline.module.pictureHint")}</p>
            )}
          </div>
        </div>
      )}
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
