import { useMutation } from "@apollo/client/react";
import { lazy, Suspense, useId, useState } from "react";
import { upload } from "../api/upload";
import { useTranslation } from "../i18n/useTranslation";
import { ChooseFile } from "../outline/ChooseFile";
import { PICTURE_MAX } from "../outline/uploadPicture";
import { Button } from "../ui/Button";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import { toastFailure } from "../ui/toasts";
import classes from "./CoverField.module.css";
import { RemoveCoverDocument } from "./PublicPage.generated";

const PictureCrop = lazy(() => import("../outline/PictureCrop"));

interface Props {
  courseId: string;
  coverUrl: string | null;
  /** Called after a cover is uploaded. */
  onChanged: () => void;
}

/** The cover of a course: shown, chosen, cropped to 16:9, removed. */
export function CoverField({ courseId, coverUrl, onChanged }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [remove, { loading }] = useMutation(RemoveCoverDocument, {
    variables: { input: { courseId } },
    onError: toastFailure,
  });
  const choose = (chosen: File) => {
    const tooLarge = chosen.size > PICTURE_MAX;
    setProblem(tooLarge ? t("outline.module.tooLarge") : null);
    setFile(tooLarge ? null : chosen);
  };
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h3 className={classes.heading} id={id}>
        {t("courseSettings.page.cover")}
      </h3>
      {file ? (
        <Suspense fallback={<SkeletonBlock height="22rem" />}>
          <PictureCrop
            key={`${file.name} ${file.size} ${file.lastModified}`}
            file={file}
            aspect={16 / 9}
            side={1280}
            send={async (picture, options) => {
              const form = new FormData();
              form.append("file", picture, "picture");
              await upload(`/api/v1/courses/upload_cover/${courseId}`, form, options);
              onChanged();
            }}
            onDone={() => setFile(null)}
            onUnreadable={() => {
              setFile(null);
              setProblem(t("outline.module.notAnImage"));
            }}
          />
        </Suspense>
      ) : (
        <>
          {coverUrl && <img className={classes.cover} src={coverUrl} alt="" width={1280} height={720} />}
          <div className={classes.buttons}>
            <ChooseFile onChoose={choose}>
              {t(coverUrl ? "outline.module.change" : "outline.module.choose")}
            </ChooseFile>
            {coverUrl && (
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
            <p className={classes.hint}>{t("courseSettings.page.coverHint")}</p>
          )}
        </>
      )}
    </section>
  );
}
