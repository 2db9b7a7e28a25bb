// Generates mdBook folders, which the benchmarks import as courses.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

/** The measured course sizes: the number of pages, and the modules, lessons per module and pages per lesson. */
export const shapes = {
  100: [5, 5, 4],
  500: [10, 10, 5],
  1000: [10, 10, 10],
  4000: [20, 20, 10],
};

/** Writes a book of `pages` pages, a key of `shapes`. */
export async function writeCourse(folder, pages) {
  const [modules, lessons, each] = shapes[pages];
  const summary = ["# Summary", ""];
  await start(folder, `Курс из ${pages} страниц`);
  for (let m = 1; m <= modules; m++) {
    summary.push(`# Модуль ${m}. Основы`, "");
    for (let l = 1; l <= lessons; l++) {
      for (let p = 1; p <= each; p++) {
        const file = `m${m}-l${l}-p${p}.md`;
        // A chapter becomes the first page of its lesson.
        const title = p === 1 ? `Урок ${m}.${l}. Что мы узнаем` : `Страница ${p}. Подробности и примеры`;
        summary.push(`${p === 1 ? "" : "  "}- [${title}](${file})`);
        await writeFile(join(folder, "src", file), `# ${title}\n\nТекст страницы ${p} урока ${l}.\n`);
      }
    }
    summary.push("");
  }
  await writeFile(join(folder, "src/SUMMARY.md"), summary.join("\n"));
}

/** Writes a book with one page, which shows images of exactly the given sizes in bytes. */
export async function writeImages(folder, sizes) {
  await start(folder, "Файлы");
  await writeFile(join(folder, "src/SUMMARY.md"), "# Summary\n\n- [Файлы](files.md)\n");
  await writeFile(
    join(folder, "src/files.md"),
    ["# Файлы", ...sizes.map((size) => `![${size}](size-${size}.png)`)].join("\n\n"),
  );
  for (const size of sizes) await writeFile(join(folder, `src/size-${size}.png`), png(size));
}

async function start(folder, title) {
  await mkdir(join(folder, "src"), { recursive: true });
  await writeFile(join(folder, "book.toml"), `[book]\ntitle = "${title}"\nlanguage = "ru"\n`);
}

/** A valid PNG of one pixel, padded to `size` bytes by a private chunk that decoders ignore. */
function png(size) {
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const parts = [
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.from([0, 255]))),
    chunk("IEND", Buffer.alloc(0)),
  ];
  const padding = size - parts.reduce((sum, part) => sum + part.length, 0) - 12;
  if (padding < 0) throw new Error(`no PNG is as small as ${size} bytes`);
  parts.splice(3, 0, chunk("paDd", Buffer.alloc(padding, "kurso")));
  return Buffer.concat(parts);
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
