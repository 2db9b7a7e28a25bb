import { lazy, type ReactNode, Suspense, useState } from "react";
import type { UploadOptions } from "../api/upload";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import { ChooseFile } from "./ChooseFile";
import classes from "./Picture.module.css";
import { PICTURE_MAX } from "./uploadPicture";

const PictureCrop = lazy(() => import("./PictureCrop"));

interface Props {
  hasPicture: boolean;
  /** The stored picture, or what stands in its place. */
  shown: ReactNode;
  /** The class of the element around `shown` and the buttons. */
  className?: string | undefined;
  /** The rules for pictures. */
  hint: string;
  /** Width divided by height. */
  aspect: number;
  /** The largest width of the uploaded picture in pixels. */
  side: number;
  /** The height of the place in which a picture is cropped, while its code is loaded. */
  height: string;
  send: (picture: Blob, options: UploadOptions) => Promise<void>;
  isRemoving: boolean;
  onRemove: () => void;
}

/** A picture that is chosen, cropped, replaced and removed. */
export function PictureField(props: Props) {
  const { hasPicture, shown, className, hint, aspect, side, height, send, isRemoving, onRemove } = props;
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = (chosen: File) => {
    const tooLarge = chosen.size > PICTURE_MAX;
    setProblem(tooLarge ? t("outline.module.tooLarge") : null);
    setFile(tooLarge ? null : chosen);
  };
  if (file)
    return (
      <Suspense fallback={<SkeletonBlock height={height} />}>
        <PictureCrop
          key={`${file.name} ${file.size} ${file.lastModified}`}
          file={file}
          aspect={aspect}
          side={side}
          send={send}
          onDone={() => setFile(null)}
          onUnreadable={() => {
            setFile(null);
            setProblem(t("outline.module.notAnImage"));
          }}
        />
      </Suspense>
    );
  return (
    <div className={className}>
      {shown}
      <div className={classes.words}>
        <div className={classes.buttons}>
          <ChooseFile onChoose={choose}>
            {t(hasPicture ? "outline.module.change" : "outline.module.choose")}
          </ChooseFile>
          {hasPicture && (
            <Button variant="subtle" loading={isRemoving} onClick={onRemove}>
              {t("outline.module.remove")}
            </Button>
          )}
        </div>
        {problem ? (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        ) : (
          <p className={classes.hint}>{hint}</p>
        )}
      </div>
    </div>
  );
}
