import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { renderApp } from "../testing/renderApp";
import { startI18n } from "../testing/startI18n";

beforeAll(startI18n);
afterEach(cleanup);

const LABELS = ["Фамилия", "Имя", "Отчество", "Email", "Пароль", "Подтверждение пароля"];
const field = (label: string) => screen.getByLabelText(label) as HTMLInputElement;

async function open() {
  const app = await renderApp("/signup", {
    Signup: () => ({ signup: { __typename: "SignupPayload", user: { __typename: "User", id: "u1" } } }),
  });
  await screen.findByRole("button", { name: "Зарегистрироваться" });
  return app;
}

function type(label: string, value: string) {
  fireEvent.change(field(label), { target: { value } });
  fireEvent.blur(field(label));
}

const submit = () => fireEvent.click(screen.getByRole("button", { name: "Зарегистрироваться" }));

describe("/signup", () => {
  test("has the six fields in their order, the button, and the link to /login", async () => {
    await open();
    const form = field("Email").form as HTMLFormElement;
    const labels = [...form.querySelectorAll("input")].map((input) => input.labels?.[0]?.textContent);
    expect(labels).toEqual(LABELS);
    const link = screen.getByRole("link", { name: "Уже есть аккаунт? Войти" });
    expect(link.getAttribute("href")).toBe("/login");
  });

  test.each([
    ["Фамилия", "", ["Фамилия обязательна"]],
    ["Имя", "", ["Имя обязательно"]],
    ["Отчество", "", ["Отчество обязательно"]],
    ["Email", "", ["Email обязателен"]],
    ["Email", "anna@", ["Неверный формат email"]],
    ["Пароль", "", ["Пароль обязателен"]],
    ["Пароль", "1234567", ["Пароль должен содержать минимум 8 символов"]],
    ["Подтверждение пароля", "12345679", ["Пароли не совпадают"]],
    ["Подтверждение пароля", "", ["Подтверждение пароля обязательно", "Пароли не совпадают"]],
  ])("%s left as «%s» is answered with %j", async (label, value, messages) => {
    await open();
    if (label === "Подтверждение пароля") type("Пароль", "12345678");
    // No error appears before the field loses focus.
    fireEvent.change(field(label), { target: { value: `${value}x` } });
    fireEvent.change(field(label), { target: { value } });
    expect(screen.queryByText(messages[0] ?? "")).toBeNull();
    fireEvent.blur(field(label));
    for (const message of messages) expect(await screen.findByText(message)).toBeTruthy();
    expect(field(label).getAttribute("aria-invalid")).toBe("true");
  });

  test("sends the full name without the password confirmation, and opens /login", async () => {
    const { asked, router } = await open();
    const values = [" Иванова ", "Анна", "Петровна ", "anna@example.com", "12345678", "12345678"];
    for (const [at, label] of LABELS.entries()) type(label, values[at] ?? "");
    submit();
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
    const input = { email: "anna@example.com", password: "12345678", fullName: "Иванова Анна Петровна" };
    expect(asked).toEqual([{ name: "Signup", variables: { input } }]);
  });

  test("sends nothing while a field is invalid", async () => {
    const { asked } = await open();
    submit();
    await screen.findByText("Фамилия обязательна");
    expect(asked).toEqual([]);
  });
});
