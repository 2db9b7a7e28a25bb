// Generates course packages for the import benchmark, as streamed zips of any size.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { crc32, deflateRawSync } from "node:zlib";

/** Streaming zip writer without data descriptors. */
export class Zip {
  #out;
  #at = 0;
  #directory = [];
  #entries = 0;

  /** @param {string} path */
  constructor(path) {
    this.#out = createWriteStream(path);
  }

  async #write(bytes) {
    this.#at += bytes.length;
    if (!this.#out.write(bytes)) await once(this.#out, "drain");
  }

  /**
   * @param {string} name @param {string | Buffer} content
   * @param {number} [times] repeats the content this many times, stored without compression
   */
  async add(name, content, times) {
    const bytes = Buffer.from(content);
    const packed = times ? bytes : deflateRawSync(bytes, { level: 1 });
    let sum = 0;
    for (let n = 0; n < (times ?? 1); n++) sum = crc32(bytes, sum);
    const file = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800, 2);
    fields.writeUInt16LE(times ? 0 : 8, 4);
    fields.writeUInt16LE(0x21, 8);
    fields.writeUInt32LE(sum, 10);
    fields.writeUInt32LE(packed.length * (times ?? 1), 14);
    fields.writeUInt32LE(bytes.length * (times ?? 1), 18);
    fields.writeUInt16LE(file.length, 22);
    const at = Buffer.alloc(4);
    at.writeUInt32LE(this.#at);
    this.#directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, Buffer.alloc(10), at, file);
    this.#entries += 1;
    await this.#write(Buffer.concat([Buffer.from("PK\x03\x04"), fields, file]));
    for (let n = 0; n < (times ?? 1); n++) await this.#write(packed);
  }

  async end() {
    const directory = Buffer.concat(this.#directory);
    const end = Buffer.alloc(22);
    end.write("PK\x05\x06", "latin1");
    end.writeUInt16LE(this.#entries, 8);
    end.writeUInt16LE(this.#entries, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(this.#at, 16);
    await this.#write(directory);
    await this.#write(end);
    this.#out.end();
    await once(this.#out, "close");
  }
}

/** The positions of the pages of a course: 10 modules of 10 lessons of pages / 100 pages. */
export function* places(pages) {
  const each = pages / 100;
  for (let m = 1; m <= 10; m++)
    for (let l = 1; l <= 10; l++)
      for (let p = 1; p <= each; p++) yield { m, l, p, number: ((m - 1) * 10 + l - 1) * each + p };
}

/** A page in Markdown like a book chapter: 8 KB of text, lists, tables, code and formulas, with links. */
export function chapter(number) {
  const words = `Текст страницы ${number}: **важное** и \`код\`, ссылка на [статью](https://example.com/${number}). `;
  return [
    words.repeat(12),
    "## Подробности",
    Array.from({ length: 8 }, (_, n) => `- пункт ${n} *о* ${words}`).join("\n"),
    "| понятие | смысл |\n|---|---|\n" +
      Array.from({ length: 10 }, (_, n) => `| понятие ${n} | ${words.slice(0, 60)} |`).join("\n"),
    `\`\`\`rust\n${'fn main() { println!("{}", 1); }\n'.repeat(15)}\`\`\``,
    "$$\n\\sum_{i=0}^n \\frac{x^i}{i!}\n$$",
    words.repeat(8),
  ].join("\n\n");
}

/** Writes Kurso Markdown as a zip; every tenth page is a quiz. `files` is the number of attached files of 128 MB. */
export async function markdownPackage(path, pages, files = 0) {
  const zip = new Zip(path);
  await zip.add("course.toml", `format = 1\ntitle = "Курс из ${pages} страниц"\n`);
  for (const { m, l, p, number } of places(pages)) {
    const file = number <= files ? `\n\n[Запись](../../files/record-${number}.bin)\n` : "";
    const quiz = number % 10 === 0 ? "\n\n??? single_choice\n\nСколько будет 2 × 2?\n\n( ) 3\n(x) 4\n" : "";
    const folder = `${String(m).padStart(2, "0")}-module/${String(l).padStart(2, "0")}-lesson`;
    const title = `Страница ${m}.${l}.${p}`;
    await zip.add(
      `${folder}/${p}-page.md`,
      `+++\ntitle = "${title}"\n+++\n\n${chapter(number)}${file}${quiz}`,
    );
  }
  for (let n = 1; n <= files; n++) {
    // The contents differ, because the server stores identical files once.
    const piece = Buffer.alloc(1 << 20, `record ${n} `);
    await zip.add(`files/record-${n}.bin`, piece, 128);
  }
  await zip.end();
}

/** Writes an mdBook as a zip. */
export async function bookPackage(path, pages) {
  const zip = new Zip(path);
  await zip.add("book.toml", '[book]\ntitle = "Книга"\nlanguage = "ru"\n');
  const summary = ["# Summary"];
  for (const { m, l, p, number } of places(pages)) {
    if (l === 1 && p === 1) summary.push("", `# Модуль ${m}`, "");
    summary.push(`${p === 1 ? "" : "  "}- [Страница ${number}](p${number}.md)`);
    await zip.add(`src/p${number}.md`, `# Страница ${number}\n\n${chapter(number)}\n`);
  }
  await zip.add("src/SUMMARY.md", `${summary.join("\n")}\n`);
  await zip.end();
}

/** The chapter as an HTML page. */
function html(number) {
  const text = chapter(number)
    .split("\n\n")
    .map((part) => `<p>${part.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`);
  return `<html><head><title>Страница ${number}</title></head><body>${text.join("\n")}</body></html>`;
}

/** Writes a Common Cartridge 1.3 with web content pages. */
export async function cartridgePackage(path, pages, files = 0) {
  const zip = new Zip(path);
  const [items, resources] = [[], []];
  for (const { m, l, p, number } of places(pages)) {
    if (p === 1 && l === 1)
      items.push(`${m > 1 ? "</item>" : ""}<item identifier="m${m}"><title>Модуль ${m}</title>`);
    items.push(
      `<item identifier="i${number}" identifierref="r${number}"><title>Страница ${number}</title></item>`,
    );
    const href = `pages/p${number}.html`;
    resources.push(
      `<resource identifier="r${number}" type="webcontent" href="${href}"><file href="${href}"/></resource>`,
    );
    await zip.add(href, html(number));
  }
  for (let n = 1; n <= files; n++) {
    items.push(`<item identifier="if${n}" identifierref="f${n}"><title>Запись ${n}</title></item>`);
    const href = `files/record-${n}.bin`;
    resources.push(
      `<resource identifier="f${n}" type="webcontent" href="${href}"><file href="${href}"/></resource>`,
    );
    await zip.add(href, Buffer.alloc(1 << 20, `record ${n} `), 128);
  }
  await zip.add(
    "imsmanifest.xml",
    '<?xml version="1.0" encoding="UTF-8"?><manifest identifier="x" xmlns="http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1">' +
      "<metadata><schema>IMS Common Cartridge</schema><schemaversion>1.3.0</schemaversion></metadata>" +
      `<organizations><organization identifier="o" structure="rooted-hierarchy"><item identifier="root">${items.join("")}` +
      `</item></item></organization></organizations><resources>${resources.join("")}</resources></manifest>`,
  );
  await zip.end();
}
