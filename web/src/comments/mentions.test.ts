import { describe, expect, test } from "vitest";
import { findPeople, mentionAt, partsOf, storedOf, typedOf } from "./mentions";

const anna = { id: "11111111-1111-4111-8111-111111111111", name: "Анна" };
const annaPetrova = { id: "22222222-2222-4222-8222-222222222222", name: "Анна Петрова" };
const token = ({ id, name }: typeof anna) => `@[${name}](user:${id})`;

describe("a stored text", () => {
  test("is words and mentions", () => {
    expect(partsOf(`Смотри, ${token(anna)}!`)).toEqual([{ text: "Смотри, " }, anna, { text: "!" }]);
    expect(partsOf("")).toEqual([]);
  });

  test("keeps what only looks like a mention", () => {
    const text = "@[Анна](user:кто-то) и @Анна";
    expect(partsOf(text)).toEqual([{ text }]);
  });
});

describe("a typed text", () => {
  test("is the stored text again", () => {
    const stored = `${token(annaPetrova)} и ${token(anna)}, посмотрите`;
    const { text, mentioned } = typedOf(stored);
    expect(text).toBe("@Анна Петрова и @Анна, посмотрите");
    expect(storedOf(text, mentioned)).toBe(stored);
  });

  test("mentions only people who were chosen", () => {
    expect(storedOf("@Анна Петрова и @Пётр", [annaPetrova])).toBe(`${token(annaPetrova)} и @Пётр`);
  });

  test("mentions nobody whose name was changed", () => {
    expect(storedOf("@Аннабель, @Анн", [anna])).toBe("@Аннабель, @Анн");
    expect(storedOf("@Анна.", [anna])).toBe(`${token(anna)}.`);
  });

  test("cannot end a mention early by a bracket in a name", () => {
    const stored = storedOf("@А]Б", [{ id: anna.id, name: "А]Б" }]);
    expect(partsOf(stored)).toEqual([{ id: anna.id, name: "А Б" }]);
  });
});

describe("the mention before the cursor", () => {
  test.each([
    ["Привет, @ан", 11, { from: 8, query: "ан" }],
    ["@", 1, { from: 0, query: "" }],
    ["@Анна Пе", 8, { from: 0, query: "Анна Пе" }],
    ["anna@example.org", 12, null],
    ["@ и дальше", 10, null],
    ["@Анна\nдальше", 12, null],
    ["без знака", 9, null],
  ] as const)("in «%s» at %d", (text, cursor, expected) => expect(mentionAt(text, cursor)).toEqual(expected));
});

test("people are found by the beginnings of their names and addresses", () => {
  const people = [
    { name: "Семёнов Пётр", email: "petr@example.org" },
    { name: "Петрова Анна", email: "anna@example.org" },
  ];
  const names = (query: string) => findPeople(people, query).map(({ name }) => name);
  expect(names("")).toHaveLength(2);
  expect(names("семенов")).toEqual(["Семёнов Пётр"]);
  expect(names("пет")).toEqual(["Семёнов Пётр", "Петрова Анна"]);
  expect(names("ан пет")).toEqual(["Петрова Анна"]);
  expect(names("petr")).toEqual(["Семёнов Пётр"]);
  expect(names("трова")).toEqual([]);
});
