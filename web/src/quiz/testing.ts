import type { ContentNode } from "../content/model";
import type { Question } from "./model";

export const said = (text: string): ContentNode => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});
const parts = (...ids: string[]) => ids.map((id) => ({ id, content: said(id) }));

/** A question of each kind, in the form that learners receive. */
export const questions = {
  single: {
    __typename: "SingleChoiceQuestion",
    id: "q1",
    prompt: said("?"),
    points: 1,
    hints: [],
    options: parts("a", "b"),
  },
  multiple: {
    __typename: "MultipleChoiceQuestion",
    id: "q2",
    prompt: said("?"),
    points: 1,
    hints: [],
    allOrNothing: false,
    options: parts("a", "b", "c"),
  },
  text: { __typename: "ShortTextQuestion", id: "q3", prompt: said("?"), points: 1, hints: [] },
  number: { __typename: "NumericQuestion", id: "q4", prompt: said("?"), points: 1, hints: [], units: [] },
  matching: {
    __typename: "MatchingQuestion",
    id: "q5",
    prompt: said("?"),
    points: 1,
    hints: [],
    left: parts("l1", "l2"),
    right: parts("r1", "r2"),
  },
  ordering: {
    __typename: "OrderingQuestion",
    id: "q6",
    prompt: said("?"),
    points: 1,
    hints: [],
    items: parts("i1", "i2", "i3"),
  },
  blanks: {
    __typename: "FillBlankQuestion",
    id: "q7",
    prompt: said(""),
    points: 1,
    hints: [],
    text: said("…"),
    blanks: [
      { id: "b1", options: null },
      { id: "b2", options: parts("o1", "o2") },
    ],
  },
  essay: {
    __typename: "EssayQuestion",
    id: "q8",
    prompt: said("?"),
    points: 5,
    hints: [],
    minWords: 3,
    maxWords: 5,
    rubric: null,
  },
  files: {
    __typename: "FileUploadQuestion",
    id: "q9",
    prompt: said("?"),
    points: 5,
    hints: [],
    maxFiles: 2,
    extensions: ["pdf", "png"],
    rubric: null,
  },
  handIn: {
    __typename: "HandInQuestion",
    id: "q10",
    prompt: said(""),
    points: 10,
    hints: [],
    takesText: true,
    minWords: null,
    maxWords: null,
    maxFiles: 2,
    extensions: ["pdf", "png"],
    maxLinks: 2,
  },
  hotspot: {
    __typename: "HotspotQuestion",
    id: "q11",
    prompt: said("?"),
    points: 2,
    hints: [],
    picture: {
      type: "doc",
      content: [
        {
          type: "image",
          attrs: {
            src: "/files/0123456789abcdef0123456789abcdef/heart.png",
            alt: "Сердце в разрезе",
            naturalWidth: 800,
            naturalHeight: 600,
          },
        },
      ],
    },
    maxPlaces: 2,
  },
} satisfies Record<string, Question>;

export const all: Question[] = Object.values(questions);
