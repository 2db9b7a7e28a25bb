import { i18n } from "../../i18n";

/** An image inside pasted text. A paragraph with the `mark` stands in its position. */
export interface Picture {
  mark: string;
  file: File;
  /** Its description; null when it has none. */
  alt: string | null;
}

/**
 * Takes images out of pasted content. Those embedded in it are uploaded. An image on another site becomes a link to it, because a page shows
 * uploaded files only and the browser may not fetch from there. A local file that Word refers to cannot be read: a line says that an image
 * is missing there. `missing` counts the images of these two kinds.
 */
export function takePictures(
  body: HTMLElement,
  document: Document,
): { pictures: Picture[]; missing: number } {
  const pictures: Picture[] = [];
  let missing = 0;
  for (const image of [...body.querySelectorAll("img")]) {
    const src = image.getAttribute("src") ?? "";
    const alt = image.alt.trim();
    const file = fileOfData(src);
    if (file) {
      const mark = `\ue000${pictures.length}\ue001`;
      pictures.push({ mark, file, alt: alt || null });
      putLine(image, mark, document);
    } else if (/^https?:/i.test(src)) {
      missing += 1;
      const link = document.createElement("a");
      link.href = src;
      link.textContent = alt || nameOf(src) || i18n.t("editor.paste.picture");
      if (image.closest("a")) image.replaceWith(link.textContent);
      else image.replaceWith(link);
    } else if (/^file:/i.test(src)) {
      missing += 1;
      putLine(image, i18n.t(alt ? "editor.paste.missingNamed" : "editor.paste.missing", { alt }), document);
    } else image.replaceWith(image.closest("a") ? alt : "");
  }
  for (const figure of [...body.querySelectorAll("figure")]) {
    for (const caption of [...figure.querySelectorAll("figcaption")]) {
      const line = document.createElement("p");
      line.append(...caption.childNodes);
      caption.replaceWith(line);
    }
    figure.replaceWith(...figure.childNodes);
  }
  return { pictures, missing };
}

/** Replaces an image with a paragraph of this text. */
function putLine(image: HTMLElement, text: string, document: Document): void {
  const line = document.createElement("p");
  line.textContent = text;
  image.replaceWith(line);
  liftOutOfLine(line);
}

/** The file name in the address of an image; null for an address that only names an id. */
function nameOf(src: string): string | null {
  const name = src.split(/[?#]/)[0]?.split("/").at(-1) ?? "";
  return /\.(?:png|jpe?g|gif|webp|svg|avif|bmp)$/i.test(name) ? name : null;
}

/** Splits the line that contains a block in two, with the block between them. */
function liftOutOfLine(block: HTMLElement): void {
  for (
    let line = block.parentElement;
    line && /^(p|span|a|b|i|em|strong|u|h[2-4])$/i.test(line.tagName);
    line = block.parentElement
  ) {
    const after = line.cloneNode() as HTMLElement;
    while (block.nextSibling) after.append(block.nextSibling);
    line.after(block, after);
    for (const part of [line, after]) if ((part.textContent ?? "") === "") part.remove();
  }
}

function fileOfData(src: string): File | null {
  const [, type = "", base64 = ""] = /^data:(image\/[\w.+-]+);base64,([\w+/=\s]+)$/.exec(src) ?? [];
  if (!type) return null;
  try {
    const bytes = Uint8Array.from(atob(base64.replace(/\s/g, "")), (letter) => letter.charCodeAt(0));
    const extension = type.split("/")[1]?.replace("jpeg", "jpg").replace("svg+xml", "svg") ?? "png";
    return new File([bytes], `image.${extension}`, { type });
  } catch {
    return null;
  }
}
