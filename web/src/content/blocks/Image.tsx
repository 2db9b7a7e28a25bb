import { type CSSProperties, useEffect, useRef, useState } from "react";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import { readFileSrc } from "../addresses";
import { BrokenBlock } from "../BrokenBlock";
import { type ContentNode, sizeAttr, stringAttr } from "../model";
import { useRendering } from "../rendering";
import styles from "./Image.module.css";

export function Image({ node }: { node: ContentNode }) {
  const { t } = useRendering();
  const [enlarged, setEnlarged] = useState(false);
  const src = readFileSrc(node.attrs?.src);
  if (!src) return <BrokenBlock what="block" type="image" />;
  const alt = stringAttr(node, "alt") ?? "";
  const caption = stringAttr(node, "caption");
  const naturalWidth = sizeAttr(node, "naturalWidth");
  const naturalHeight = sizeAttr(node, "naturalHeight");
  const shownWidth = sizeAttr(node, "width");
  return (
    <figure className={styles.figure}>
      <button type="button" className={styles.enlarge} onClick={() => setEnlarged(true)}>
        {/* The file's own size reserves the place before the file is there, so the text below never jumps. */}
        <img
          src={src}
          alt={alt}
          width={naturalWidth ?? undefined}
          height={naturalHeight ?? undefined}
          style={shownWidth ? { width: shownWidth } : undefined}
          loading="lazy"
          decoding="async"
        />
        <VisuallyHidden>{t("content.enlarge")}</VisuallyHidden>
      </button>
      {caption && <figcaption>{caption}</figcaption>}
      {enlarged && (
        <EnlargedImage
          src={src}
          alt={alt}
          caption={caption}
          ratio={naturalWidth && naturalHeight ? naturalWidth / naturalHeight : undefined}
          onClose={() => setEnlarged(false)}
        />
      )}
    </figure>
  );
}

interface EnlargedImageProps {
  src: string;
  alt: string;
  caption: string | null;
  /** Width by height; undefined when the size is not known. */
  ratio: number | undefined;
  onClose: () => void;
}

/** The enlarged image. The native dialog traps the focus, closes on Escape and restores the focus. */
function EnlargedImage({ src, alt, caption, ratio, onClose }: EnlargedImageProps) {
  const { t } = useRendering();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside and Escape close it from the keyboard
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={alt || caption || t("content.image")}
      onClose={onClose}
      onClick={() => dialog.current?.close()}
    >
      <img src={src} alt={alt} style={{ "--ratio": ratio } as CSSProperties} />
      {caption && <p>{caption}</p>}
      <button type="button" className={styles.close} aria-label={t("ui.close")}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 6l12 12M18 6 6 18" />
        </svg>
      </button>
    </dialog>
  );
}
