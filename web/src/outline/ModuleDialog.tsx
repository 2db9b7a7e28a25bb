import { useMutation } from "@apollo/client/react";
import { lazy, type SubmitEvent, Suspense, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { DESCRIPTION_MAX } from "../limits.generated";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import { TextArea } from "../ui/TextArea";
import { failureText, toastFailure, toastSuccess } from "../ui/toasts";
import { ChooseFile } from "./ChooseFile";
import { ChangeModuleDocument, RemoveModuleAvatarDocument } from "./EditCourse.generated";
import classes from "./ModuleDialog.module.css";
import type { Module } from "./tree";
import { PICTURE_MAX } from "./uploadPicture";

const PictureCrop = lazy(() => import("./PictureCrop"));

/** A module's picture and description. */
export function ModuleDialog({ module, onClose }: { module: Module | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  if (!module) return null;
  return (
    <Dialog open onClose={onClose} title={t("outline.module.title", { title: module.title })}>
      <Picture module={module} />
      <Description module={module} onSaved={onClose} />
    </Dialog>
  );
}

function Picture({ module }: { module: Module }) {
  const { t } = useTranslation();
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
            moduleId={module.id}
            file={file}
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

function Description({ module, onSaved }: { module: Module; onSaved: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(module.description ?? "");
  const [refusal, setRefusal] = useState<string | null>(null);
  const [change, { loading }] = useMutation(ChangeModuleDocument, {
    onCompleted: () => {
      toastSuccess(t("outline.module.saved"));
      onSaved();
    },
    onError: (error) => {
      setRefusal(failureText(error));
      toastFailure(error);
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const tooLong = [...text].length > DESCRIPTION_MAX;
    setRefusal(tooLong ? t("outline.module.descriptionTooLong") : null);
    if (!tooLong)
      void change({ variables: { input: { moduleId: module.id, description: text.trim() || null } } });
  };
  return (
    <form className={classes.section} onSubmit={submit}>
      <TextArea
        label={t("outline.module.description")}
        description={t("outline.module.descriptionHint")}
        error={refusal}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setRefusal(null);
        }}
        rows={4}
      />
      <Button
        type="submit"
        className={classes.save}
        loading={loading}
        disabled={text.trim() === (module.description ?? "")}
      >
        {t("outline.module.save")}
      </Button>
    </form>
  );
}
