import { sumOf } from "../quiz/rubric";
import { newId } from "../ui/newId";

/** A rubric in its author's form, with the names of docs/quizzes.md. */
export interface AuthorRubric {
  /** Whether learners see it before they answer. */
  is_shown: boolean;
  criteria: AuthorCriterion[];
}

export interface AuthorCriterion {
  id: string;
  name: string;
  description: string;
  levels: AuthorLevel[];
}

export interface AuthorLevel {
  id: string;
  name: string;
  description: string;
  points: number;
}

/** Points as the server stores them: at most four decimal places. */
export const roundPoints = (points: number): number => Math.round(points * 10_000) / 10_000;

export const newLevel = (name = "", points = 0): AuthorLevel => ({
  id: newId(),
  name,
  description: "",
  points,
});

/** A criterion with the three levels that most have: all of the points, half of them, and none. */
export function newCriterion(points: number, names: readonly [string, string, string]): AuthorCriterion {
  const [all, half, none] = names;
  return {
    id: newId(),
    name: "",
    description: "",
    levels: [newLevel(all, points), newLevel(half, roundPoints(points / 2)), newLevel(none, 0)],
  };
}

/** An empty criterion with the levels of another one, because the criteria of a rubric usually have the same. */
export function nextCriterion({ levels }: AuthorCriterion): AuthorCriterion {
  return {
    id: newId(),
    name: "",
    description: "",
    levels: levels.map(({ name, points }) => newLevel(name, points)),
  };
}

/** The points of the best level of a criterion; 0 without levels. */
export const bestOf = ({ levels }: Pick<AuthorCriterion, "levels">): number =>
  Math.max(0, ...levels.map(({ points }) => points));

/** The points of a question with the rubric. */
export const pointsOf = ({ criteria }: AuthorRubric): number => sumOf(criteria.map(bestOf));

/** A copy of a rubric with new ids, from its author's form or as GraphQL returns it. */
export function copyOfRubric(rubric: Pick<AuthorRubric, "criteria">, isShown: boolean): AuthorRubric {
  return {
    is_shown: isShown,
    criteria: rubric.criteria.map(({ name, description, levels }) => ({
      id: newId(),
      name,
      description,
      levels: levels.map(({ name, description, points }) => ({ id: newId(), name, description, points })),
    })),
  };
}

type Found = [at: string, lack: "criteria" | "criterionName" | "levels" | "levelName" | "rubricPoints"];

/** What a rubric needs before its quiz can be published, with the path inside the question. */
export function missingInRubric(rubric: AuthorRubric, points: number): Found[] {
  const at = "rubric.criteria";
  if (rubric.criteria.length === 0) return [[at, "criteria"]];
  return [
    ...rubric.criteria.flatMap(({ name, levels }, index): Found[] => [
      ...(name.trim() === "" ? [[`${at}[${index}].name`, "criterionName"] as Found] : []),
      ...(levels.length === 0 ? [[`${at}[${index}].levels`, "levels"] as Found] : []),
      ...levels.flatMap(({ name }, level): Found[] =>
        name.trim() === "" ? [[`${at}[${index}].levels[${level}].name`, "levelName"]] : [],
      ),
    ]),
    ...(pointsOf(rubric) === points ? [] : [[at, "rubricPoints"] as Found]),
  ];
}
