import { readFileSrc } from "../../content/addresses";
import { type ContentNode, childrenOf, isNode, sizeAttr, stringAttr } from "../../content/model";

/** The picture of a hotspot question. */
export interface Picture {
  src: string;
  /** Empty without a description. */
  alt: string;
  /** Null when the natural size is unknown. */
  size: { width: number; height: number } | null;
}

/** Reads the document of a picture; null when it has no image that can be shown. */
export function pictureOf(document: unknown): Picture | null {
  const image = imageOf(document);
  const src = readFileSrc(image?.attrs?.src);
  if (!image || !src) return null;
  const [width, height] = [sizeAttr(image, "naturalWidth"), sizeAttr(image, "naturalHeight")];
  return { src, alt: stringAttr(image, "alt") ?? "", size: width && height ? { width, height } : null };
}

export function imageOf(document: unknown): ContentNode | null {
  if (!isNode(document)) return null;
  return childrenOf(document).find((node) => isNode(node) && node.type === "image") ?? null;
}
