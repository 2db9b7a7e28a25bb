// @vitest-environment jsdom
// The malformed HTML of Word and Google Docs needs jsdom's standard parser.
import { DOMSerializer, DOMParser as ModelParser } from "@tiptap/pm/model";
import { beforeAll, describe, expect, test } from "vitest";
import { startI18n } from "../../testing/startI18n";
import { modelSchema } from "../schema";
import { toStored } from "../stored";
import { cleanHtml } from "./clean";
import { looksLikeMarkdown } from "./looksLikeMarkdown";
import { markdownToHtml } from "./markdown";

beforeAll(startI18n);

const schema = modelSchema();
const PAGE = "0190a6b2-3f4c-7d5e-8a9b-0c1d2e3f4a5b";
const OTHER = "0190a6b2-3f4c-7d5e-8a9b-0c1d2e3f4a5c";
const course = { hasPage: (id: string) => id === PAGE, origin: "https://kurso.example" };

function paste(html: string) {
  const cleaned = cleanHtml(html, course);
  const holder = document.createElement("div");
  holder.innerHTML = cleaned.html;
  const doc = ModelParser.fromSchema(schema).parse(holder);
  doc.check();
  return toStored(doc).content;
}

/** A compact notation of a document: `h2(Заголовок) p(текст, b(жирный))`. */
function outline(html: string): string {
  return (paste(html) ?? []).map(say).join(" ");
}
const SHORT: Record<string, string> = {
  paragraph: "p",
  bulletList: "ul",
  orderedList: "ol",
  listItem: "li",
  taskList: "tasks",
  taskItem: "task",
  codeBlock: "code",
  tableRow: "tr",
  tableCell: "td",
  tableHeader: "th",
  blockquote: "quote",
  hardBreak: "br",
};
type Stored = NonNullable<ReturnType<typeof paste>>[number];
function say(node: Stored): string {
  if (node.type === "text") {
    const marks = (node.marks ?? []).map((mark) => (mark.attrs?.href ? `a[${mark.attrs.href}]` : mark.type));
    return marks.length > 0 ? `${marks.join("+")}{${node.text}}` : String(node.text);
  }
  const attrs = Object.values(node.attrs ?? {}).filter((value) => value !== null);
  const name = (SHORT[node.type] ?? node.type) + (attrs.length > 0 ? `[${attrs.join(" ")}]` : "");
  return `${name}(${(node.content ?? []).map(say).join(" ")})`;
}

describe("from Word", () => {
  const word = (body: string) => `<html xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0cm;font-family:"Calibri"} --></style>
<!--[if gte mso 9]><xml><w:WordDocument/></xml><![endif]--></head><body lang=RU style='tab-interval:35.4pt'>
<!--StartFragment-->${body}<!--EndFragment--></body></html>`;

  test("headings and formatted text", () => {
    expect(
      outline(
        word(`<h1><span lang=RU style='mso-bidi-font-size:16.0pt'>Владение<o:p></o:p></span></h1>
<p class=MsoNormal><span lang=RU>Обычный, <b>жирный</b>, <i style='mso-bidi-font-style:normal'>курсив</i>, <u>подчёркнутый</u>,
<span style='background:yellow;mso-highlight:yellow'>выделенный</span>.<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>`),
      ),
    ).toBe(
      "heading[2](Владение) p(Обычный,  bold{жирный} ,  italic{курсив} ,  underline{подчёркнутый} ,  highlight{выделенный} .)",
    );
  });

  test("lists in lists, bulleted and numbered", () => {
    const item = (level: number, list: string, sign: string, text: string) =>
      `<p class=MsoListParagraphCxSpMiddle style='margin-left:36.0pt;text-indent:-18.0pt;mso-list:${list} level${level} lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span>${text}<o:p></o:p></span></p>`;
    expect(
      outline(
        word(
          item(1, "l0", "·", "раз") +
            item(2, "l0", "o", "внутри") +
            item(1, "l0", "·", "два") +
            "<p class=MsoNormal>Между</p>" +
            item(1, "l1", "1.", "первый") +
            item(1, "l1", "2.", "второй"),
        ),
      ),
    ).toBe("ul(li(p(раз) ul(li(p(внутри)))) li(p(два))) p(Между) ol(li(p(первый)) li(p(второй)))");
  });

  test("tables", () => {
    expect(
      outline(
        word(`<table class=MsoTableGrid border=1 cellspacing=0 style='border-collapse:collapse'><tr style='mso-yfti-irow:0'>
<td width=311 valign=top style='width:233.6pt;border:solid windowtext 1.0pt'><p class=MsoNormal><b>Тип<o:p></o:p></b></p></td>
<td width=311><p class=MsoNormal><b>Байт</b></p></td></tr><tr><td><p class=MsoNormal>u8</p></td><td><p class=MsoNormal>1</p></td></tr></table>`),
      ),
    ).toBe("table(tr(td(p(bold{Тип})) td(p(bold{Байт}))) tr(td(p(u8)) td(p(1))))");
  });

  test("a local image, which the browser cannot read, leaves a note in its place", () => {
    expect(
      outline(word(`<p class=MsoNormal>До <img width=624 src="file:///C:/Users/a/image001.png"> после</p>`)),
    ).toBe("p(До) p([Здесь была картинка]) p(после)");
  });
});

describe("from Google Docs", () => {
  const docs = (body: string) =>
    `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1f0e">${body}</b><br class="Apple-interchange-newline">`;

  test("the wrapping bold element is ignored", () => {
    expect(
      outline(
        docs(`<h1 dir="ltr" style="line-height:1.38"><span style="font-size:20pt;font-weight:400">Глава</span></h1>
<p dir="ltr"><span style="font-weight:400">Простой, </span><span style="font-weight:700">жирный</span><span style="font-style:italic">, курсив</span><span style="text-decoration:line-through"> зачёркнут</span><span style="font-size:0.6em;vertical-align:super">2</span></p>`),
      ),
    ).toMatch(
      /^heading\[2\]\(Глава\) p\(Простой, {2}bold\{жирный\} italic\{, курсив\} strike\{ зачёркнут\} superscript\{2\}\)/,
    );
  });

  test("lists nested beside their items", () => {
    expect(
      outline(
        docs(
          `<ul style="margin-top:0"><li dir="ltr" style="list-style-type:disc" aria-level="1"><p dir="ltr" role="presentation"><span>раз</span></p></li><ul><li dir="ltr" aria-level="2"><p><span>внутри</span></p></li></ul><li dir="ltr"><p><span>два</span></p></li></ul>`,
        ),
      ),
    ).toMatch(/^ul\(li\(p\(раз\) ul\(li\(p\(внутри\)\)\)\) li\(p\(два\)\)\)/);
  });

  test("checklists", () => {
    expect(
      outline(
        docs(
          `<ul><li role="checkbox" aria-checked="true" dir="ltr"><p><span>готово</span></p></li><li role="checkbox" aria-checked="false"><p><span>ещё нет</span></p></li></ul>`,
        ),
      ),
    ).toMatch(/^tasks\(task\[true\]\(p\(готово\)\) task\[false\]\(p\(ещё нет\)\)\)/);
  });

  test("links keep their targets", () => {
    expect(
      outline(
        docs(
          `<p><a href="https://www.google.com/url?q=https://doc.rust-lang.org/book/&sa=D" style="text-decoration:none"><span style="color:#1155cc;text-decoration:underline">книга</span></a></p>`,
        ),
      ),
    ).toMatch(/^p\(a\[https:\/\/doc\.rust-lang\.org\/book\/\]\{книга\}\)/);
  });

  test("embedded images are returned for uploading", () => {
    const pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const { html, pictures, missing } = cleanHtml(
      docs(`<p>до <img src="data:image/png;base64,${pixel}"> после</p>`),
      course,
    );
    expect(pictures).toHaveLength(1);
    expect(missing).toBe(0);
    expect(pictures[0]?.file).toMatchObject({ name: "image.png", type: "image/png", size: 70 });
    expect(html).toContain(pictures[0]?.mark);
    expect(html).not.toContain("<img");
  });
});

describe("from web pages", () => {
  test("only content is kept", () => {
    expect(
      outline(`<nav>Меню</nav><article><h5>Мелкий</h5><p onclick="alert(1)" style="color:red">Текст<script>alert(1)</script>
<span style="display:none">тайна</span></p><button>Нажми</button><form><input value="x"></form></article>`),
    ).toBe("heading[4](Мелкий) p(Текст)");
  });

  test("dangerous and unknown addresses", () => {
    expect(
      outline(
        `<p><a href="javascript:alert(1)">раз</a> <a href="https://a.example/x y">два</a> <a href="#top">три</a> <a href="/etc">четыре</a></p>`,
      ),
    ).toBe("p(раз  a[https://a.example/x%20y]{два}   a[#top]{три}  четыре)");
  });

  test("links to pages of this course stay, others become web addresses", () => {
    expect(
      outline(
        `<p><a href="https://kurso.example/view-page/${PAGE}#%D1%81%D1%82%D0%B5%D0%BA">своя</a> <a href="/edit-page/${PAGE}">тоже</a> <a href="page:${OTHER}">чужая</a></p>`,
      ),
    ).toBe(
      `p(a[page:${PAGE}#стек]{своя}   a[page:${PAGE}]{тоже}   a[https://kurso.example/view-page/${OTHER}]{чужая})`,
    );
  });

  test("code keeps its lines and its language", () => {
    expect(
      paste(
        `<div class="highlight highlight-source-rust"><pre><span class="pl-k">fn</span> main() {<br>    <span>println!</span>("&lt;b&gt;");\n}\n</pre></div>`,
      ),
    ).toEqual([
      {
        type: "codeBlock",
        attrs: { language: "rust" },
        content: [{ type: "text", text: 'fn main() {\n    println!("<b>");\n}' }],
      },
    ]);
    expect(outline('<pre><code class="hljs language-python">x = 1</code></pre>')).toBe("code[python](x = 1)");
  });

  test("formulas come as LaTeX", () => {
    const katex = `<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2</span></span>`;
    expect(outline(`<p>Пусть ${katex}.</p><span class="katex-display">${katex}</span>`)).toBe(
      "p(Пусть  inlineMath[x^2]() .) blockMath[x^2]()",
    );
  });

  test("tables, definitions, collapsible blocks, videos", () => {
    expect(
      outline(
        `<table><caption>Размеры</caption><thead><tr><td>Тип</td></tr></thead><tbody><tr><td style="text-align:right" colspan="99999">1</td></tr></tbody></table>`,
      ),
    ).toBe("p(Размеры) table(tr(th(p(Тип))) tr(td[right](p(1))))");
    expect(outline("<dl><dt>Стек</dt><dd>Память</dd></dl>")).toBe("p(bold{Стек}) p(Память)");
    expect(outline("<details open><summary>Ответ</summary><p>42</p></details>")).toBe(
      "details[true](detailsSummary(Ответ) detailsContent(p(42)))",
    );
    expect(outline("<details><summary>Пусто</summary></details>")).toBe(
      "details[false](detailsSummary(Пусто) detailsContent(p()))",
    );
    expect(
      outline(
        '<p>a</p><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0"></iframe><iframe src="https://evil.example"></iframe>',
      ),
    ).toBe("p(a) embed[youtube dQw4w9WgXcQ]()");
    expect(outline("<table><tr><td><p>Одна ячейка</p></td></tr></table>")).toBe("p(Одна ячейка)");
  });

  test("images of other sites become links to them", () => {
    expect(
      outline(
        '<figure><img src="https://a.example/c.png" alt="Схема"><figcaption>Рис. 1</figcaption></figure>',
      ),
    ).toBe("p(a[https://a.example/c.png]{Схема}) p(Рис. 1)");
  });

  test("zero-width and layout spaces are removed", () => {
    expect(outline("<p>а\u200bб &nbsp;в&nbsp;г</p>")).toBe("p(аб в\u00a0г)");
  });
});

describe("Markdown", () => {
  test("is distinguished from plain text", () => {
    for (const text of [
      "# Заголовок",
      "```rust\nfn main() {}\n```",
      "- раз\n- два",
      "| a | b |\n|---|---|\n| 1 | 2 |",
      "см. [тут](https://a.example)",
      "**жирный** и `код`",
    ]) {
      expect(looksLikeMarkdown(text), text).toBe(true);
    }
    for (const text of [
      "Просто текст.",
      "5 * 3 - 2",
      "- тире в начале",
      "цена $5",
      "# без продолжения".slice(0, 1),
      "a_b_c и 2*3*4",
    ]) {
      expect(looksLikeMarkdown(text), text).toBe(false);
    }
  });

  test("is converted to the content model", () => {
    const markdown = `# Глава

Текст с **жирным**, *курсивом*, ~~зачёркнутым~~, \`кодом\` и [ссылкой](https://a.example).

- [x] готово
- [ ] нет

1. раз
   - внутри

> [!WARNING]
> Осторожно

| a | b |
|:-:|---|
| 1 | $x^2$ |

\`\`\`rust,ignore
fn main() {}
\`\`\`

$$
\\frac{1}{2} < 1
$$

---`;
    expect(outline(markdownToHtml(markdown))).toBe(
      [
        "heading[2](Глава)",
        "p(Текст с  bold{жирным} ,  italic{курсивом} ,  strike{зачёркнутым} ,  code{кодом}  и  a[https://a.example]{ссылкой} .)",
        "tasks(task[true](p(готово)) task[false](p(нет)))",
        "ol(li(p(раз) ul(li(p(внутри)))))",
        "callout[warning](p(Осторожно))",
        "table(tr(th[center](p(a)) th(p(b))) tr(td[center](p(1)) td(p(inlineMath[x^2]()))))",
        "code[rust](fn main() {})",
        "blockMath[\\frac{1}{2} < 1]()",
        "horizontalRule()",
      ].join(" "),
    );
  });
});

test("every block copied in the editor is pasted unchanged", () => {
  const text = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
  const src = `/files/${"0a".repeat(16)}/a.png`;
  const blocks = [
    { type: "heading", attrs: { level: 3 }, content: [{ type: "text", text: "Раздел" }] },
    { type: "image", attrs: { src, alt: "Схема", width: 320, naturalWidth: 640, naturalHeight: 480 } },
    { type: "video", attrs: { src, caption: "Лекция" } },
    { type: "audio", attrs: { src } },
    { type: "attachment", attrs: { src, filename: "план.pdf", size: 7, contentType: "application/pdf" } },
    { type: "embed", attrs: { provider: "vk", id: "-1_2" } },
    { type: "blockMath", attrs: { latex: "a < b" } },
    { type: "callout", attrs: { kind: "danger" }, content: [text("врезка")] },
    {
      type: "details",
      attrs: { open: true },
      content: [
        { type: "detailsSummary", content: [{ type: "text", text: "Вопрос" }] },
        { type: "detailsContent", content: [text("Ответ")] },
      ],
    },
    { type: "taskList", content: [{ type: "taskItem", attrs: { checked: true }, content: [text("дело")] }] },
    {
      type: "codeBlock",
      attrs: { language: "rust", caption: "a.rs" },
      content: [{ type: "text", text: "a\n  b" }],
    },
    {
      type: "orderedList",
      attrs: { start: 3, type: "a" },
      content: [{ type: "listItem", content: [text("три")] }],
    },
    {
      type: "paragraph",
      content: [
        { type: "inlineMath", attrs: { latex: "x^2" } },
        { type: "text", text: "сюда", marks: [{ type: "link", attrs: { href: `page:${PAGE}#итоги` } }] },
      ],
    },
    { type: "horizontalRule" },
  ];
  const doc = schema.nodeFromJSON({ type: "doc", content: blocks });
  const holder = document.createElement("div");
  DOMSerializer.fromSchema(schema).serializeFragment(doc.content, { document }, holder);
  const cleaned = cleanHtml(`<div data-pm-slice="0 0 []"></div>${holder.innerHTML}`, course);
  const read = document.createElement("div");
  read.innerHTML = cleaned.html.replace(/^<div data-pm-slice="0 0 \[\]"><\/div>/, "");
  expect(toStored(ModelParser.fromSchema(schema).parse(read)).content).toEqual(toStored(doc).content);
});

test("an image of Google Docs, whose address says nothing, becomes a link that says what it is", () => {
  expect(outline('<p><img src="https://lh7-rt.googleusercontent.com/docsz/AD_4nXabc?key=1"></p>')).toContain(
    "Картинка",
  );
  const { missing } = cleanHtml('<img src="https://a.example/b.png"><img src="file:///C:/a.png">', course);
  expect(missing).toBe(2);
});

test("an embedded image keeps its description", () => {
  const { pictures } = cleanHtml('<img alt="Схема сети" src="data:image/png;base64,iVBORw0KGgo=">', course);
  expect(pictures[0]?.alt).toBe("Схема сети");
});
