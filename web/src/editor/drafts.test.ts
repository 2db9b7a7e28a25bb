import { EditorState } from "@tiptap/pm/state";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { DraftKeeper, forgetDraft, forgetOldDrafts, readDrafts, restoreDraft } from "./drafts";
import { abandonedDrafts, openEditorLock } from "./locks";
import { editorText } from "./pageText";
import { modelSchema } from "./schema";
import { toStored } from "./stored";

const schema = modelSchema();
const place = { userId: "u1", pageId: "p1", session: "s1" };
const label = { page: "Страница", course: "Курс" };
const paragraph = (text: string) => schema.nodeFromJSON(doc(text));
const doc = (text: string) => ({
  type: "doc",
  content: [{ type: "paragraph", ...(text && { content: [{ type: "text", text }] }) }],
});

beforeEach(() => localStorage.clear());

const keeper = (at = place) => new DraftKeeper(localStorage, at, () => label);
const texts = (user = "u1") => readDrafts(localStorage, user).map((draft) => restoreDraft(schema, draft));

/** Types character by character and reports each change with its steps, as the editor does. */
function type(keeper: DraftKeeper, text: string, from = 0) {
  let state = EditorState.create({ doc: paragraph("") });
  for (const [at, letter] of [...text].entries()) {
    const change = state.tr.insertText(letter, state.doc.content.size - 1);
    state = state.apply(change);
    const steps = change.steps.map((step) => step.toJSON());
    keeper.keep(editorText("Заголовок", state.doc), 3, { steps }, from + at);
  }
  return state.doc;
}

describe("a draft", () => {
  test("restores every character, from whole texts and steps alike", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), (length) => {
        localStorage.clear();
        const text = Array.from({ length }, (_, at) => "абвгд"[at % 5]).join("");
        const written = type(keeper(), text);
        expect(texts()).toEqual([{ title: "Заголовок", content: toStored(written), quiz: null }]);
      }),
      { numRuns: 15 },
    );
  });

  test("remembers the title, the version and the time of the last change", () => {
    const kept = keeper();
    kept.keep(editorText("А", paragraph("x")), 3, null, 10);
    kept.keep(editorText("Аб", paragraph("x")), 3, { title: "Аб" }, 20);
    const [draft] = readDrafts(localStorage, "u1", "p1");
    expect(draft).toMatchObject({ version: 3, at: 20, label, session: "s1" });
    expect(draft && restoreDraft(schema, draft).title).toBe("Аб");
  });

  test("is deleted with all its steps", () => {
    const kept = keeper();
    type(kept, "много букв");
    kept.forget();
    expect(localStorage.length).toBe(0);
    type(kept, "снова");
    expect(texts()).toHaveLength(1);
    for (const draft of readDrafts(localStorage, "u1")) forgetDraft(localStorage, draft);
    expect(localStorage.length).toBe(0);
  });

  test("belongs to its person and its page", () => {
    type(keeper(), "моё");
    expect(readDrafts(localStorage, "u2")).toEqual([]);
    expect(readDrafts(localStorage, "u1", "p2")).toEqual([]);
    expect(readDrafts(localStorage, "u1", "p1")).toHaveLength(1);
  });

  test("of another editor of the same page is kept beside it, newest first", () => {
    type(keeper(), "а", 100);
    type(keeper({ ...place, session: "s2" }), "б", 200);
    expect(readDrafts(localStorage, "u1").map((draft) => draft.session)).toEqual(["s2", "s1"]);
    keeper({ ...place, session: "s2" }).forget();
    expect(readDrafts(localStorage, "u1").map((draft) => draft.session)).toEqual(["s1"]);
  });

  test("keeps the whole text when a step is invalid", () => {
    const kept = keeper();
    type(kept, "абв");
    for (let at = 0; at < localStorage.length; at += 1) {
      const key = String(localStorage.key(at));
      if (key.endsWith(":2")) localStorage.setItem(key, '{"steps":[{"stepType":"hologram"}],"at":1}');
    }
    expect(texts()[0]?.content).toEqual(doc("а"));
  });

  test("without a whole text is ignored, and so is invalid data", () => {
    localStorage.setItem("kurso-draft:u1:p1:s1", "{not json");
    localStorage.setItem("kurso-draft:u1:p1:s2:1", "{}");
    expect(readDrafts(localStorage, "u1")).toEqual([]);
    forgetOldDrafts(localStorage, Date.now());
    expect(localStorage.length).toBe(0);
  });

  test("is deleted after two months", () => {
    type(keeper(), "старое", 0);
    forgetOldDrafts(localStorage, 59 * 86_400_000);
    expect(texts()).toHaveLength(1);
    forgetOldDrafts(localStorage, 61 * 86_400_000);
    expect(localStorage.length).toBe(0);
  });
});

test("a full storage is reported, and the next change writes the whole text", () => {
  let full = false;
  const storage = new Proxy(localStorage, {
    get: (target, name) =>
      name === "setItem"
        ? (key: string, value: string) => {
            if (full) throw new DOMException("full", "QuotaExceededError");
            target.setItem(key, value);
          }
        : typeof target[name as "getItem"] === "function"
          ? target[name as "getItem"].bind(target)
          : target[name as "getItem"],
  });
  const kept = new DraftKeeper(storage, place, () => label);
  kept.keep(editorText("", paragraph("а")), 1, null, 1);
  full = true;
  kept.keep(editorText("", paragraph("аб")), 1, { steps: [] }, 2);
  expect(kept.failed).toBe(true);
  full = false;
  kept.keep(editorText("", paragraph("абв")), 1, { steps: [] }, 3);
  expect(kept.failed).toBe(false);
  expect(texts()[0]?.content).toEqual(doc("абв"));
});

test("open editors have distinct ids", async () => {
  const [a, b] = [openEditorLock(), openEditorLock()];
  expect(a.session).toMatch(/^[0-9a-f]{32}$/);
  expect(a.session).not.toBe(b.session);
  expect(await abandonedDrafts([])).toEqual([]);
});
