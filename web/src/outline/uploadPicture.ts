import type { Area } from "react-easy-crop";
import { ApiError } from "../api/apiError";
import { endSession, token } from "../api/session";
import { i18n } from "../i18n";

/** The server's limit in bytes. */
export const PICTURE_MAX = 10 * 1024 * 1024;
/** Largest side in pixels; the server stores a smaller one. */
const SIDE = 1024;

/** Uploads a module's picture and resolves with its address. `progress` receives the uploaded share, from 0 to 1. */
export function uploadPicture(
  moduleId: string,
  picture: Blob,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const url = `/api/v1/courses/upload_module_avatar/${moduleId}`;
  return new Promise((done, failed) => {
    // `fetch` reports no upload progress.
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.setRequestHeader("Authorization", `Bearer ${token()}`);
    request.setRequestHeader("Accept-Language", i18n.language);
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onerror = () => failed(ApiError.unreachable(url, request));
    request.onabort = () => failed(new DOMException("aborted", "AbortError"));
    request.onload = () => {
      const { status, statusText, responseText } = request;
      if (status === 200) {
        const answer = JSON.parse(responseText) as { avatar_url: string };
        done(answer.avatar_url);
        return;
      }
      const error = new ApiError({ url, status, statusText, body: parsed(responseText) });
      if (error.endsSession) endSession();
      failed(error);
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    const form = new FormData();
    form.append("file", picture, "picture");
    request.send(form);
  });
}

/** Crops an image to `area` and scales it down to `SIDE`. */
export async function cutOut(source: string, area: Area): Promise<Blob> {
  const image = new Image();
  image.src = source;
  await image.decode();
  const side = Math.max(1, Math.min(SIDE, Math.round(area.width)));
  const canvas = document.createElement("canvas");
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  context?.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, side, side);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture came of it"))), "image/png");
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
