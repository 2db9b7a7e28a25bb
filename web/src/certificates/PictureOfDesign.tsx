import { useMutation } from "@apollo/client/react";
import { useEffect, useId, useRef, useState } from "react";
import type { CertificatePicture } from "../api/schema.generated";
import { upload } from "../api/upload";
import { useTranslation } from "../i18n/useTranslation";
import { ChooseFile } from "../outline/ChooseFile";
import { PICTURE_MAX } from "../outline/uploadPicture";
import { Button } from "../ui/Button";
import { ProgressBar } from "../ui/ProgressBar";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { RemoveCertificatePictureDocument } from "./Design.generated";
import classes from "./PictureOfDesign.module.css";

interface Props {
  courseId: string;
  picture: CertificatePicture;
  url: string | null;
  /** Called when it was uploaded or removed. */
  onChanged: () => void;
}

const NAMES = { LOGO: "logo", SIGNATURE: "signature" } as const;

/** The logo or the signature on certificates: shown, chosen, replaced, removed. It is stored at once. */
export function PictureOfDesign({ courseId, picture, url, onChanged }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const name = NAMES[picture];
  const [problem, setProblem] = useState<string | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const sending = useRef<AbortController>(null);
  useEffect(() => () => sending.current?.abort(), []);
  const [remove, { loading }] = useMutation(RemoveCertificatePictureDocument, {
    variables: { input: { courseId, picture } },
    onError: toastFailure,
    onCompleted: onChanged,
  });
  const send = async (file: File) => {
    const tooLarge = file.size > PICTURE_MAX;
    setProblem(tooLarge ? t("outline.module.tooLarge") : null);
    if (tooLarge) return;
    const form = new FormData();
    form.append("file", file, "picture");
    const controller = new AbortController();
    sending.current = controller;
    setShare(0);
    try {
      const path = `/api/v1/courses/upload_certificate_picture/${courseId}?picture=${name}`;
      await upload(path, form, { signal: controller.signal, onProgress: setShare });
      toastSuccess(t(`courseSettings.certificates.${name}Saved`));
      onChanged();
    } catch (error) {
      toastFailure(error);
    }
    setShare(null);
  };
  return (
    <section className={classes.picture} aria-labelledby={id}>
      <h3 className={classes.heading} id={id}>
        {t(`courseSettings.certificates.${name}`)}
      </h3>
      {url && (
        <div className={classes.shown}>
          <img src={url} alt="" />
        </div>
      )}
      {share === null ? (
        <div className={classes.buttons}>
          <ChooseFile onChoose={(file) => void send(file)}>
            {t(`courseSettings.certificates.${name}${url ? "Replace" : "Choose"}`)}
          </ChooseFile>
          {url && (
            <Button variant="subtle" loading={loading} onClick={() => void remove()}>
              {t(`courseSettings.certificates.${name}Remove`)}
            </Button>
          )}
        </div>
      ) : (
        <ProgressBar percent={Math.round(share * 100)} label={t("outline.module.uploading")} />
      )}
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : (
        <p className={classes.hint}>{t(`courseSettings.certificates.${name}Hint`)}</p>
      )}
    </section>
  );
}
