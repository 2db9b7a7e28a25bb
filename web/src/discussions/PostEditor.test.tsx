import { act, cleanup, configure, fireEvent, screen, waitFor } from "@testing-library/react";
import type { Editor } from "@tiptap/core";
import type { ComponentProps } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/apiError";
import { insertFiles } from "../editor/behaviour/uploads";
import { uploadFile } from "../editor/upload";
import { renderInRouter } from "../testing/renderInRouter";
import { runToastAction, toastStore } from "../ui/toasts";
import { keepDraft, keyOf, readDraft } from "./drafts";
import { PostEditor } from "./PostEditor";
import { aText } from "./testing";

vi.mock("../editor/upload", () => ({ uploadFile: vi.fn() }));
configure({ asyncUtilTimeout: 10_000 });

beforeEach(() => {
  vi.stubGlobal("fetch", () => new Promise(() => {}));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  toastStore.setState(() => []);
  localStorage.clear();
});

type Props = ComponentProps<typeof PostEditor>;

const form = (more: Partial<Props> = {}) => {
  const props: Props = {
    userId: "u1",
    draftKey: "answer:d1",
    label: "Ваш ответ",
    placeholder: "Ответ",
    submit: "Ответить",
    onSend: vi.fn(async () => {}),
    onClose: vi.fn(),
    onReopen: vi.fn(),
    ...more,
  };
  return { props, ui: <PostEditor {...props} /> };
};
async function open(more: Partial<Props> = {}) {
  const { props, ui } = form(more);
  await renderInRouter(ui);
  const field = await screen.findByRole("textbox");
  return { props, field, editor: (field as unknown as { editor: Editor }).editor };
}
const write = (editor: Editor, text: string) => act(() => void editor.commands.insertContent(text));
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const pressEscape = (field: HTMLElement) => fireEvent.keyDown(field, { key: "Escape" });
const edit = { draftKey: "edit:p1", initial: aText("Было."), submit: "Сохранить", editedAt: null } as const;

test("Escape keeps an edit with changes and moves on to the button, and closes one without", async () => {
  const { props, field, editor } = await open(edit);
  write(editor, "Стало. ");
  pressEscape(field);
  expect(props.onClose).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Сохранить" }));
  expect(readDraft("u1", "edit:p1")).not.toBeNull();
  cleanup();
  localStorage.clear();
  const second = await open(edit);
  pressEscape(second.field);
  expect(second.props.onClose).toHaveBeenCalledOnce();
  expect(toastStore.get()).toEqual([]);
});

test("a cancelled edit can be restored", async () => {
  const { props, editor } = await open(edit);
  write(editor, "Стало. ");
  press("Отмена");
  expect(props.onClose).toHaveBeenCalledOnce();
  expect(readDraft("u1", "edit:p1")).toBeNull();
  const [toast] = toastStore.get();
  runToastAction(toast?.id ?? 0);
  expect(JSON.stringify(readDraft("u1", "edit:p1")?.body)).toContain("Стало.");
  expect(props.onReopen).toHaveBeenCalledOnce();
});

test("a new text is put away as a draft, or deleted with a way back", async () => {
  keepDraft("u1", "answer:d1", { body: aText("Так.") });
  const { props } = await open();
  press("Свернуть");
  expect(props.onClose).toHaveBeenCalledOnce();
  expect(readDraft("u1", "answer:d1")).not.toBeNull();
  press("Удалить черновик");
  expect(readDraft("u1", "answer:d1")).toBeNull();
  runToastAction(toastStore.get()[0]?.id ?? 0);
  expect(readDraft("u1", "answer:d1")?.body).toEqual(aText("Так."));
});

test("a second form of the same draft closes the first one, and opening writes nothing", async () => {
  keepDraft("u1", "new:p1", { body: aText("Почему?"), isAnonymous: true });
  const stored = localStorage.getItem(keyOf("u1", "new:p1"));
  const first = form({ draftKey: "new:p1", extra: { place: null, isAnonymous: false } });
  const second = form({ draftKey: "new:p1", extra: { place: null, isAnonymous: false } });
  await renderInRouter(
    <>
      {first.ui}
      {second.ui}
    </>,
  );
  await waitFor(() => expect(first.props.onClose).toHaveBeenCalledOnce());
  expect(second.props.onClose).not.toHaveBeenCalled();
  expect(localStorage.getItem(keyOf("u1", "new:p1"))).toBe(stored);
});

test("what another tab writes is shown, and what it sends closes the form", async () => {
  keepDraft("u1", "answer:d1", { body: aText("Так.") });
  const { props, field } = await open();
  const tell = (oldText: string, newText: string | null) => {
    const value = (text: string) => JSON.stringify({ body: aText(text), savedAt: 1 });
    const newValue = newText === null ? null : value(newText);
    const key = keyOf("u1", "answer:d1");
    act(
      () =>
        void window.dispatchEvent(new StorageEvent("storage", { key, oldValue: value(oldText), newValue })),
    );
  };
  tell("Так.", "Вот так.");
  expect(field.textContent).toBe("Вот так.");
  tell("Другое.", null);
  expect(props.onClose).not.toHaveBeenCalled();
  tell("Вот так.", null);
  expect(props.onClose).toHaveBeenCalledOnce();
});

test("after an attempt that may have arrived, the next one knows of it, even in a new form", async () => {
  keepDraft("u1", "answer:d1", { body: aText("Так.") });
  const timeout = new ApiError({ url: "/graphql", status: 504, statusText: "", body: null });
  const onSend = vi.fn(async (_body: unknown, _isAgain: boolean) => {
    throw timeout;
  });
  await open({ onSend });
  press("Ответить");
  await screen.findByRole("alert");
  expect(onSend.mock.lastCall?.[1]).toBe(false);
  expect(readDraft("u1", "answer:d1")?.isUncertain).toBe(true);
  cleanup();
  const { props } = await open();
  press("Ответить");
  await waitFor(() => expect(props.onClose).toHaveBeenCalledOnce());
  expect(vi.mocked(props.onSend).mock.lastCall?.[1]).toBe(true);
  expect(readDraft("u1", "answer:d1")).toBeNull();
});

test("an attempt that was refused did not arrive", async () => {
  keepDraft("u1", "answer:d1", { body: aText("Так.") });
  const refused = new ApiError({ url: "/graphql", status: 409, statusText: "", body: { detail: "Закрыто" } });
  await open({ onSend: () => Promise.reject(refused) });
  press("Ответить");
  expect((await screen.findByRole("alert")).textContent).toBe("Закрыто");
  expect(readDraft("u1", "answer:d1")?.isUncertain).toBeUndefined();
});

test("an edit that was begun before another change says so, and can begin again", async () => {
  keepDraft("u1", "edit:p1", { body: aText("Моё."), base: null });
  const { field } = await open({ ...edit, editedAt: "2026-11-20T10:00:00Z" });
  expect(screen.getByText(/Текст изменили/)).toBeDefined();
  press("Начать с\u00a0нового текста");
  expect(field.textContent).toBe("Было.");
  expect(screen.queryByText(/Текст изменили/)).toBeNull();
  expect(readDraft("u1", "edit:p1")).toBeNull();
});

test("nothing is sent while it is refused, and the reason is read with the field", async () => {
  keepDraft("u1", "answer:d1", { body: aText("Так.") });
  const { props, field } = await open({ refusal: "Вопрос закрыт для ответов." });
  press("Ответить");
  fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
  expect(props.onSend).not.toHaveBeenCalled();
  const described = document.getElementById(field.getAttribute("aria-describedby") ?? "");
  expect(described?.textContent).toBe("Вопрос закрыт для ответов.");
});

test("a picture that was not uploaded is not left out silently", async () => {
  vi.mocked(uploadFile).mockRejectedValue(new TypeError("Failed to fetch"));
  keepDraft("u1", "answer:d1", { body: aText("Вот:") });
  const { props, editor } = await open();
  act(() => insertFiles(editor.view, [new File(["x"], "a.png", { type: "image/png" })]));
  await waitFor(() => expect(document.querySelector("[data-upload][data-failed]")).not.toBeNull());
  press("Ответить");
  expect((await screen.findByRole("alert")).textContent).toMatch(/Картинка не загрузилась/);
  expect(props.onSend).not.toHaveBeenCalled();
});

test("a file that the server does not take for a picture is refused with a reason", async () => {
  vi.mocked(uploadFile).mockResolvedValue({ type: "attachment", attrs: {} });
  const { editor } = await open();
  act(() => insertFiles(editor.view, [new File(["%PDF"], "a.png", { type: "image/png" })]));
  await waitFor(() =>
    expect(toastStore.get().map(({ text }) => text)).toEqual(["Сюда можно вставить только картинки."]),
  );
  expect(document.querySelector("[data-upload]")).toBeNull();
});
