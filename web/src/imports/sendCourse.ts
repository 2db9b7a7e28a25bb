import { type UploadOptions, upload } from "../api/upload";

interface Options extends UploadOptions {
  /** The course to update with the file. */
  update?: string;
}

/** Uploads a course file and returns the id of its import job, which continues on the server. */
export async function sendCourse(file: File, { update, ...options }: Options): Promise<string> {
  const form = new FormData();
  // Before the file, so that the server rejects a forbidden update before the upload.
  if (update !== undefined) {
    form.append("course_id", update);
    form.append("mode", "update");
  }
  form.append("file", file);
  return (await upload<{ id: string }>("/api/v1/courses/import", form, options)).id;
}
