import { useEffect, useId, useRef, useState } from "react";
import Cropper, { type Area } from "react-easy-crop";
import type { UploadOptions } from "../api/upload";
import { Button } from "../ui/Button";
import "react-easy-crop/react-easy-crop.css";
import { useTranslation } from "../i18n/useTranslation";
import { ProgressBar } from "../ui/ProgressBar";
import { toastFailure, toastSuccess } from "../ui/toasts";
import classes from "./Picture.module.css";
import { cutOut } from "./uploadPicture";

interface Props {
  file: File;
  /** Width divided by height. */
  aspect: number;
  /** The width of the result in pixels, at most; the server stores a smaller picture. */
  side: number;
  /** Uploads the result. */
  send: (picture: Blob, options: UploadOptions) => Promise<void>;
  onDone: () => void;
  onUnreadable: () => void;
}

/** Crops an image and uploads it. */
export default function PictureCrop({ file, aspect, side, send, onDone, onUnreadable }: Props) {
  const { t } = useTranslation();
  const zoomId = useId();
  const [source, setSource] = useState<string>();
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [share, setShare] = useState<number | null>(null);
  const area = useRef<Area>(null);
  const sending = useRef<AbortController>(null);
  useEffect(() => {
    const address = URL.createObjectURL(file);
    setSource(address);
    return () => {
      URL.revokeObjectURL(address);
      sending.current?.abort();
    };
  }, [file]);

  const save = async () => {
    if (!area.current || !source) return;
    const controller = new AbortController();
    sending.current = controller;
    setShare(0);
    try {
      const picture = await cutOut(source, area.current, side);
      await send(picture, { signal: controller.signal, onProgress: setShare });
      toastSuccess(t("outline.module.uploaded"));
      onDone();
    } catch (error) {
      toastFailure(error);
      setShare(null);
    }
  };
  return (
    <div className={classes.crop}>
      <div className={classes.stage}>
        {source && (
          <Cropper
            image={source}
            crop={crop}
            zoom={zoom}
            aspect={aspect}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => {
              area.current = pixels;
            }}
            mediaProps={{ onError: onUnreadable, alt: "" }}
            cropperProps={{ role: "group", "aria-label": t("outline.module.crop") }}
            disableAutomaticStylesInjection
          />
        )}
      </div>
      <label className={classes.zoom} htmlFor={zoomId}>
        {t("outline.module.zoom")}
        <input
          id={zoomId}
          type="range"
          min={1}
          max={4}
          step={0.05}
          value={zoom}
          onChange={(event) => setZoom(Number(event.currentTarget.value))}
        />
      </label>
      {share !== null && (
        <ProgressBar percent={Math.round(share * 100)} label={t("outline.module.uploading")} />
      )}
      <div className={classes.buttons}>
        <Button onClick={() => void save()} loading={share !== null}>
          {t("outline.module.upload")}
        </Button>
        <Button variant="subtle" onClick={onDone}>
          {t("ui.cancel")}
        </Button>
      </div>
    </div>
  );
}
