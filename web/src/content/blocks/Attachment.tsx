import { VisuallyHidden } from "../../ui/VisuallyHidden";
import { readFileSrc } from "../addresses";
import { BrokenBlock } from "../BrokenBlock";
import { fileSize } from "../fileSize";
import { type ContentNode, stringAttr } from "../model";
import { useRendering } from "../rendering";
import styles from "./Attachment.module.css";

export function Attachment({ node }: { node: ContentNode }) {
  const { t } = useRendering();
  const src = readFileSrc(node.attrs?.src);
  const filename = stringAttr(node, "filename");
  if (!src || !filename) return <BrokenBlock what="block" type="attachment" />;
  const extension = /\.([a-z0-9]{1,5})$/i.exec(filename)?.[1];
  const size = node.attrs?.size;
  return (
    <a href={src} download={filename} className={styles.card}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M14 3v5h5M14 3H6v18h13V8zM12 11v6m-3-3 3 3 3-3" />
      </svg>
      <span className={styles.name}>{filename}</span>
      <span className={styles.about}>
        {[extension?.toUpperCase(), typeof size === "number" ? t("content.fileSize", fileSize(size)) : null]
          .filter(Boolean)
          .join(" · ")}
      </span>
      <VisuallyHidden>{t("content.download")}</VisuallyHidden>
    </a>
  );
}
