interface Part {
  id: string;
}

export interface Question {
  __typename: string;
  id: string;
  options?: Part[];
  left?: Part[];
  right?: Part[];
  items?: Part[];
  units?: string[];
  blanks?: (Part & { options: Part[] | null })[];
}

/** Returns an answer to a question that the server accepts: the first of the possible choices. */
export function answerTemplate(question: Question): object {
  return { questionId: question.id, ...answer(question) };
}

function answer({
  __typename,
  options = [],
  left = [],
  right = [],
  items = [],
  units = [],
  blanks = [],
}: Question): object {
  const ids = (parts: Part[]) => parts.map(({ id }) => id);
  switch (__typename) {
    case "SingleChoiceQuestion":
    case "MultipleChoiceQuestion":
      return { optionIds: ids(options).slice(0, 1) };
    case "NumericQuestion":
      return { number: "1", ...(units[0] !== undefined && { unit: units[0] }) };
    case "MatchingQuestion":
      return {
        pairs: left.flatMap(({ id }, at) => (right[at] ? [{ leftId: id, rightId: right[at].id }] : [])),
      };
    case "OrderingQuestion":
      return { order: ids(items) };
    case "FillBlankQuestion":
      return {
        blanks: blanks.map(({ id, options }) => ({
          blankId: id,
          ...(options ? { optionId: options[0]?.id } : { text: "…" }),
        })),
      };
    case "HotspotQuestion":
      return { places: [{ x: 50, y: 50 }] };
    case "EssayQuestion":
      return { content: "…" };
    case "FileUploadQuestion":
      // Its files are uploaded over REST; without them the question counts as not answered.
      return { fileIds: [] };
    default:
      return { text: "…" };
  }
}
