import { expect, test } from "vitest";
import { documentOf } from "../../quiz-builder/model";
import type { GivenAnswer } from "../model";
import { questions } from "../testing";
import { withStored } from "./stored";

const number = (value: string): GivenAnswer => ({
  __typename: "NumberAnswer",
  questionId: questions.number.id,
  number: value,
  unit: null,
});
const text = (value: string): GivenAnswer => ({
  __typename: "TextAnswer",
  questionId: questions.text.id,
  text: value,
});
const asked = [questions.text, questions.number];

test("an answer that means the same stays as it was typed", () => {
  const mine = { [questions.number.id]: { number: "−1,50" }, [questions.text.id]: { text: "кот " } };
  expect(withStored(asked, mine, {}, [number("-1.5"), text("кот")])).toEqual(mine);
});

test("another answer replaces the one here, also by none, but not an unsent one", () => {
  const mine = { [questions.number.id]: { number: "1" }, [questions.text.id]: { text: "кот" } };
  expect(withStored(asked, mine, {}, [number("2")])).toEqual({ [questions.number.id]: { number: "2" } });
  expect(withStored(asked, mine, mine, [number("2")])).toEqual(mine);
});

test("an empty document is no other answer than none", () => {
  const essay = { ...questions.essay };
  const mine = { [essay.id]: { content: documentOf("") } };
  expect(withStored([essay], mine, {}, [])).toEqual(mine);
});
