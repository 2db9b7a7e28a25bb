import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/apiError";
import { sendCourse } from "./sendCourse";

/** Stands for a server that answers every upload with `status` and `text`. */
function answerUploads(status: number, text: string) {
  const sent: FormData[] = [];
  class Request {
    upload = {};
    status = 0;
    statusText = "";
    responseText = "";
    onload = () => {};
    open() {}
    setRequestHeader() {}
    abort() {}
    send(form: FormData) {
      sent.push(form);
      this.status = status;
      this.responseText = text;
      queueMicrotask(() => this.onload());
    }
  }
  vi.stubGlobal("XMLHttpRequest", Request);
  return sent;
}

afterEach(() => vi.unstubAllGlobals());

const file = new File(["{}"], "course.zip");
const options = { signal: new AbortController().signal, onProgress: () => {} };

test("an upload resolves with the id of the job, and sends the updated course before the file", async () => {
  const sent = answerUploads(200, '{"id": "job"}');
  expect(await sendCourse(file, { ...options, update: "course" })).toBe("job");
  expect([...(sent[0]?.keys() ?? [])]).toEqual(["course_id", "mode", "file"]);
});

test("an upload fails with the message of the server", async () => {
  answerUploads(413, '{"detail": "Too large."}');
  await expect(sendCourse(file, options)).rejects.toMatchObject({ status: 413, detail: "Too large." });
});

test("an upload fails when the response is not JSON", async () => {
  answerUploads(200, "<html>a proxy answers</html>");
  await expect(sendCourse(file, options)).rejects.toBeInstanceOf(ApiError);
}, 2000);
