import { ApiError } from "../api/apiError";
import { endSession, token } from "../api/session";
import { i18n } from "../i18n";

const ADDRESS = "/api/v1/courses/import";

interface Options {
  /** The course to update with the file. */
  update?: string;
  signal: AbortSignal;
  /** Called with the uploaded share, 0 to 1. */
  onProgress: (share: number) => void;
}

/** Uploads a course file and returns the id of its import job, which continues on the server. */
export function sendCourse(file: File, { update, signal, onProgress }: Options): Promise<string> {
  return new Promise((resolve, reject) => {
    // `fetch` does not report upload progress.
    const request = new XMLHttpRequest();
    request.open("POST", ADDRESS);
    request.setRequestHeader("Authorization", `Bearer ${token()}`);
    request.setRequestHeader("Accept-Language", i18n.language);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(ApiError.unreachable(ADDRESS, "upload"));
    request.onabort = () => reject(new DOMException("aborted", "AbortError"));
    request.onload = async () => {
      const { status, statusText, responseText } = request;
      if (status === 200) return resolve((JSON.parse(responseText) as { id: string }).id);
      const error = await ApiError.fromResponse(new Response(responseText, { status, statusText }));
      if (error.endsSession) endSession();
      reject(error);
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    const form = new FormData();
    // Before the file, so that the server rejects a forbidden update before the upload.
    if (update !== undefined) {
      form.append("course_id", update);
      form.append("mode", "update");
    }
    form.append("file", file);
    request.send(form);
  });
}
