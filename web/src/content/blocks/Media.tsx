import { readFileSrc } from "../addresses";
import { BrokenBlock } from "../BrokenBlock";
import styles from "../Document.module.css";
import { type ContentNode, sizeAttr, stringAttr } from "../model";

export function Video({ node }: { node: ContentNode }) {
  const src = readFileSrc(node.attrs?.src);
  if (!src) return <BrokenBlock what="block" type="video" />;
  const caption = stringAttr(node, "caption");
  return (
    <figure className={styles.media}>
      {/* biome-ignore lint/a11y/useMediaCaption: the content model has no subtitle files */}
      <video
        src={src}
        controls
        preload="metadata"
        width={sizeAttr(node, "naturalWidth") ?? 1280}
        height={sizeAttr(node, "naturalHeight") ?? 720}
        aria-label={caption ?? undefined}
      />
      {caption && <figcaption>{caption}</figcaption>}
    </figure>
  );
}

export function Audio({ node }: { node: ContentNode }) {
  const src = readFileSrc(node.attrs?.src);
  if (!src) return <BrokenBlock what="block" type="audio" />;
  const caption = stringAttr(node, "caption");
  return (
    <figure className={styles.media}>
      {/* biome-ignore lint/a11y/useMediaCaption: the content model has no subtitle files */}
      <audio src={src} controls preload="metadata" aria-label={caption ?? undefined} />
      {caption && <figcaption>{caption}</figcaption>}
    </figure>
  );
}
