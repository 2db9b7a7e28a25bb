import { expect, test } from "vitest";
import { begins, marked, matches } from "./matching";

test.each([
  ["Тёмная тема", "темн", true],
  ["Тёмная тема", "тема ТЁМ", true],
  ["Тёмная тема", "светлая", false],
  ["Settings Настройки", "settings", true],
  ["Выйти", "", true],
])("«%s» by «%s»: %s", (text, typed, found) => expect(matches(text, typed)).toBe(found));

test.each([
  ["Циклы в Rust", "rust цик", ["", "Цик", "лы в ", "Rust", ""]],
  ["Ёжики", "еж", ["", "Ёж", "ики"]],
  ["Урок", "", ["Урок"]],
  ["ураура", "ура уран", ["", "ура", "", "ура", ""]],
])("what «%s» was found by «%s»", (text, typed, parts) => expect(marked(text, typed)).toEqual(parts));

test.each([
  ["Администрирование", "стр", false],
  ["Администрирование", "АДМ", true],
  ["Тёмная тема", "тем темн", true],
  ["GraphQL: песочница", "песо", true],
  ["Выйти", "", true],
])("a word of «%s» begins with «%s»: %s", (text, typed, does) => expect(begins(text, typed)).toBe(does));
