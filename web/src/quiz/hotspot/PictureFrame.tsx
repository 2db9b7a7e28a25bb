import { type CSSProperties, type ReactNode, type Ref, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import classes from "./Hotspot.module.css";
import type { Picture } from "./picture";

interface PictureFrameProps {
  picture: Picture;
  ref?: Ref<HTMLDivElement>;
  /** Drawn over the picture; its percent are those of the picture. */
  children?: ReactNode;
}

/** The picture of a hotspot question. It takes its place before its file is there, so that nothing below jumps. */
export function PictureFrame({ picture, ref, children }: PictureFrameProps) {
  const { t } = useTranslation();
  const { src, alt } = picture;
  const [loaded, setLoaded] = useState<{ src: string; width: number; height: number } | null>(null);
  const [brokenSrc, setBrokenSrc] = useState<string | null>(null);
  const { width, height } = picture.size ?? (loaded?.src === src ? loaded : { width: 4, height: 3 });
  const isMeasured = picture.size !== null || loaded?.src === src;
  return (
    <>
      <div
        ref={ref}
        className={classes.frame}
        style={
          {
            "--ratio": width / height,
            "--natural": isMeasured ? `${width}px` : "100%",
          } as CSSProperties
        }
      >
        <img
          key={src}
          src={src}
          alt={alt}
          decoding="async"
          draggable={false}
          onLoad={({ currentTarget }) => {
            const { naturalWidth, naturalHeight } = currentTarget;
            if (naturalWidth > 0 && naturalHeight > 0)
              setLoaded({ src, width: naturalWidth, height: naturalHeight });
          }}
          onError={() => setBrokenSrc(src)}
        />
        {children}
      </div>
      {brokenSrc === src && (
        <p role="status" className={classes.broken}>
          {t("quiz.hotspot.broken")}
        </p>
      )}
    </>
  );
}
