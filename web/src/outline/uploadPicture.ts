import type { Area } from "react-easy-crop";
import { type UploadOptions, upload } from "../api/upload";

/** The server's limit in bytes. */
export const PICTURE_MAX = 10 * 1024 * 1024;

/** Uploads a module's picture and resolves with its address. */
export async function uploadPicture(
  moduleId: string,
  picture: Blob,
  options: UploadOptions,
): Promise<string> {
  const form = new FormData();
  form.append("file", picture, "picture");
  const url = `/api/v1/courses/upload_module_avatar/${moduleId}`;
  return (await upload<{ avatar_url: string }>(url, form, options)).avatar_url;
}

/** Crops an image to `area`, and scales it down so that its width is at most `side`. */
export async function cutOut(source: string, area: Area, side: number): Promise<Blob> {
  const image = new Image();
  image.src = source;
  await image.decode();
  const width = Math.max(1, Math.min(side, Math.round(area.width)));
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.max(1, Math.round((width * area.height) / area.width));
  const context = canvas.getContext("2d");
  context?.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture came of it"))), "image/png");
  });
}
