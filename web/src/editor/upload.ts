import { ApiError } from "../api/apiError";
import { endSession, token } from "../api/session";
import { i18n } from "../i18n";

const URL_OF_UPLOADS = "/api/v1/courses/upload_file";

interface Uploaded {
  url: string;
  filename: string;
  content_type: string;
  size: number;
}

export interface UploadedBlock {
  type: "image" | "video" | "audio" | "attachment";
  attrs: Record<string, unknown>;
}

interface Options {
  signal: AbortSignal;
  /** Takes the uploaded share, from 0 to 1. */
  onProgress: (share: number) => void;
}

/** Uploads a file and resolves with the block that shows it. The server detects the kind of file from its bytes. */
export async function uploadFile(file: File, options: Options): Promise<UploadedBlock> {
  const [size, uploaded] = await Promise.all([naturalSize(file), send(file, options)]);
  return blockOf(uploaded, size);
}

function blockOf({ url, filename, content_type, size }: Uploaded, natural: Natural | null): UploadedBlock {
  const kind = content_type.split("/")[0];
  const naturals = { naturalWidth: natural?.width ?? null, naturalHeight: natural?.height ?? null };
  if (kind === "image") return { type: "image", attrs: { src: url, ...naturals } };
  if (kind === "video") return { type: "video", attrs: { src: url, ...naturals } };
  if (kind === "audio") return { type: "audio", attrs: { src: url } };
  return {
    type: "attachment",
    attrs: { src: url, filename: cut(filename), size, contentType: content_type },
  };
}

const cut = (name: string) => [...name].slice(0, 255).join("");

/** Uses XMLHttpRequest, because `fetch` reports no upload progress. */
function send(file: File, { signal, onProgress }: Options): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", URL_OF_UPLOADS);
    request.setRequestHeader("Authorization", `Bearer ${token()}`);
    request.setRequestHeader("Accept-Language", i18n.language);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(ApiError.unreachable(URL_OF_UPLOADS, "upload"));
    request.onload = async () => {
      if (request.status === 200) return resolve(JSON.parse(request.responseText));
      const { status, statusText } = request;
      const error = await ApiError.fromResponse(new Response(request.responseText, { status, statusText }));
      if (error.endsSession) endSession();
      reject(error);
    };
    request.onabort = () => reject(new DOMException("aborted", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
}

interface Natural {
  width: number;
  height: number;
}

/** Natural size of an image or video, which prevents layout shifts on the page; null when unknown. */
function naturalSize(file: File): Promise<Natural | null> {
  const kind = file.type.split("/")[0];
  if (kind !== "image" && kind !== "video") return Promise.resolve(null);
  const address = URL.createObjectURL(file);
  return new Promise<Natural | null>((resolve) => {
    const measured = (width: number, height: number) =>
      resolve(width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : null);
    if (kind === "image") {
      const image = new Image();
      image.onload = () => measured(image.naturalWidth, image.naturalHeight);
      image.onerror = () => resolve(null);
      image.src = address;
    } else {
      const video = document.createElement("video");
      video.onloadedmetadata = () => measured(video.videoWidth, video.videoHeight);
      video.onerror = () => resolve(null);
      video.preload = "metadata";
      video.src = address;
    }
    setTimeout(() => resolve(null), 5000);
  }).finally(() => URL.revokeObjectURL(address));
}
