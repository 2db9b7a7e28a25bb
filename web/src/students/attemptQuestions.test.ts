import { expect, test } from "vitest";
import { attemptQuestions } from "./attemptQuestions";

test("a hotspot question of an attempt takes as many places as it has zones, if all are to be marked", () => {
  const question = { id: "q", type: "hotspot", prompt: null, picture: { type: "doc" }, zones: [{}, {}] };
  const [one, all] = attemptQuestions({ questions: [question, { ...question, mark_all: true }] });
  expect(one).toMatchObject({ __typename: "HotspotQuestion", picture: { type: "doc" }, maxPlaces: 1 });
  expect(all).toMatchObject({ maxPlaces: 2 });
});
