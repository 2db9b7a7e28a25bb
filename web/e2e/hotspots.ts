import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { root } from "../../scripts/server.mjs";
import type { Classroom } from "./classroom.ts";
import type { ChosenFile } from "./file-answers.ts";

/** Questions with a picture on which places are marked. */

/** The picture of a course, with its parts. */
export const structure = async (): Promise<ChosenFile> => ({
  name: "structure.png",
  mimeType: "image/png",
  buffer: await readFile(join(root, "demo/src/images/structure.png")),
});

const ALT = "Схема: курс состоит из модулей, модули — из уроков, уроки — из страниц";

export const hotspotIds = {
  one: "0198f000-0000-7000-8000-00000000e001",
  all: "0198f000-0000-7000-8000-00000000e002",
};

/** Uploads the picture as the owner of a class and returns its document. */
async function uploadStructure({ server, owner }: Pick<Classroom, "server" | "owner">): Promise<object> {
  const { name, mimeType, buffer } = await structure();
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
  const answer = await fetch(`${server.url}/api/v1/courses/upload_file`, {
    method: "POST",
    headers: { authorization: `Bearer ${owner.token}` },
    body: form,
  });
  if (!answer.ok) throw new Error(await answer.text());
  const { url } = (await answer.json()) as { url: string };
  const attrs = { src: url, alt: ALT, naturalWidth: 1280, naturalHeight: 880 };
  return { type: "doc", content: [{ type: "image", attrs }] };
}

/** A quiz with a question of one place and one of several. */
export async function hotspotQuiz(classroom: Pick<Classroom, "server" | "owner">): Promise<object> {
  const picture = await uploadStructure(classroom);
  return {
    pass_percent: 60,
    reveal: "after_submit",
    questions: [
      {
        id: hotspotIds.one,
        type: "hotspot",
        prompt: "Где на схеме курс?",
        picture,
        zones: [{ shape: "rectangle", x: 22, y: 6, width: 23, height: 14 }],
      },
      {
        id: hotspotIds.all,
        type: "hotspot",
        prompt: "Где на схеме модули?",
        points: 2,
        picture,
        zones: [
          { shape: "ellipse", x: 18, y: 38, radius_x: 10, radius_y: 7 },
          {
            shape: "polygon",
            corners: [
              { x: 40, y: 31 },
              { x: 59, y: 31 },
              { x: 59, y: 45 },
              { x: 40, y: 45 },
            ],
          },
        ],
        mark_all: true,
      },
    ],
  };
}

/** The place in the window of a point of a picture, in percent. */
async function pointOn(picture: Locator, x: number, y: number): Promise<{ x: number; y: number }> {
  await picture.scrollIntoViewIfNeeded();
  const box = await picture.boundingBox();
  if (!box) throw new Error("the picture is not shown");
  return { x: box.x + (box.width * x) / 100, y: box.y + (box.height * y) / 100 };
}

export async function clickOn(page: Page, picture: Locator, x: number, y: number): Promise<void> {
  const point = await pointOn(picture, x, y);
  await page.mouse.click(point.x, point.y);
}

/** Drags with the mouse between two points of a picture. */
export async function dragOn(
  page: Page,
  picture: Locator,
  from: [x: number, y: number],
  to: [x: number, y: number],
): Promise<void> {
  const start = await pointOn(picture, ...from);
  const end = await pointOn(picture, ...to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 5 });
  await page.mouse.up();
}
