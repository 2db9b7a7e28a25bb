import type { Question } from "../quiz/model";

type Json = Readonly<Record<string, unknown>>;

/**
 * Converts the quiz of an attempt from the author's format to the questions that the learner's result components show.
 * Skips questions it cannot read, because the quiz of an old attempt may have an older format.
 */
export function attemptQuestions(quiz: unknown): Question[] {
  return objects(field(quiz, "questions")).flatMap((question) => questionOf(question) ?? []);
}

function questionOf(json: Json): Question | null {
  const { id, prompt, points } = json;
  const own = (kind: string, rest: object) =>
    ({ __typename: kind, id, prompt, points: points ?? 1, ...rest }) as unknown as Question;
  switch (json.type) {
    case "single_choice":
      return own("SingleChoiceQuestion", { options: parts(json.options) });
    case "multiple_choice":
      return own("MultipleChoiceQuestion", { options: parts(json.options) });
    case "short_text":
      return own("ShortTextQuestion", {});
    case "numeric":
    // The result of the attempt has its prompt with the values.
    case "formula":
      return own("NumericQuestion", {});
    case "matching": {
      const pairs = objects(json.pairs);
      return own("MatchingQuestion", {
        left: pairs.map(({ id, left }) => ({ __typename: "QuizPart", id, content: left })),
        right: pairs.map(({ id, right }) => ({ __typename: "QuizPart", id, content: right })),
      });
    }
    case "ordering":
      return own("OrderingQuestion", { items: parts(json.items) });
    case "fill_blank":
      return own("FillBlankQuestion", {
        text: json.text,
        blanks: objects(json.blanks).map(({ id, options }) => ({
          __typename: "QuizBlank",
          id,
          options: Array.isArray(options) ? parts(options) : null,
        })),
      });
    case "hotspot":
      return own("HotspotQuestion", {
        picture: json.picture,
        maxPlaces: json.mark_all === true ? objects(json.zones).length : 1,
      });
    case "essay":
      return own("EssayQuestion", {
        minWords: json.min_words ?? null,
        maxWords: json.max_words ?? null,
        rubric: null,
      });
    case "file_upload":
      return own("FileUploadQuestion", {
        maxFiles: json.max_files ?? 1,
        extensions: json.extensions ?? [],
        rubric: null,
      });
    case "hand_in":
      return own("HandInQuestion", {
        takesText: json.takes_text ?? true,
        minWords: json.min_words ?? null,
        maxWords: json.max_words ?? null,
        maxFiles: json.max_files ?? 0,
        extensions: json.extensions ?? [],
        maxLinks: json.max_links ?? 0,
        rubric: null,
      });
    default:
      return null;
  }
}

function parts(json: unknown) {
  return objects(json).map(({ id, content }) => ({ __typename: "QuizPart", id, content }));
}

function field(json: unknown, name: string): unknown {
  return isObject(json) ? json[name] : undefined;
}

function objects(json: unknown): Json[] {
  return Array.isArray(json) ? json.filter(isObject) : [];
}

function isObject(json: unknown): json is Json {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
