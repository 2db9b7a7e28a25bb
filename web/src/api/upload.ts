import { i18n } from "../i18n";
import { ApiError } from "./apiError";
import { endRejectedSession, token } from "./session";

export interface UploadOptions {
  signal: AbortSignal;
  /** Receives the uploaded share, from 0 to 1. */
  onProgress: (share: number) => void;
}

/** A file as the server has stored it. */
export interface UploadedFile {
  id: string;
  url: string;
  filename: string;
  /** Detected from the bytes. */
  content_type: string;
  /** In bytes. */
  size: number;
}

/** Uploads one file and resolves with what the server has stored. Rejects as `upload` does. */
export function sendFile(url: string, file: File, options: UploadOptions): Promise<UploadedFile> {
  const form = new FormData();
  form.append("file", file);
  return upload(url, form, options);
}

/**
 * Posts a form with a file and resolves with the JSON of the response. Rejects with an `ApiError`, or with an `AbortError` when
 * `signal` aborts. Uses XMLHttpRequest, because `fetch` reports no upload progress.
 */
export function upload<T>(url: string, form: FormData, { signal, onProgress }: UploadOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    const used = token();
    request.setRequestHeader("Authorization", `Bearer ${used}`);
    request.setRequestHeader("Accept-Language", i18n.language);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(ApiError.unreachable(url, "upload"));
    request.onabort = () => reject(new DOMException("aborted", "AbortError"));
    request.onload = () => {
      const { status, statusText, responseText } = request;
      const { body, isJson } = parsed(responseText);
      if (status === 200 && isJson) return resolve(body as T);
      const error = new ApiError({ url, status, statusText, body });
      if (error.endsSession) endRejectedSession(used, status);
      reject(error);
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}

function parsed(text: string): { body: unknown; isJson: boolean } {
  try {
    return { body: JSON.parse(text), isJson: true };
  } catch {
    return { body: text, isJson: false };
  }
}
