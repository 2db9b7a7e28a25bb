import { Choice } from "./fields/Choice";
import { Essay } from "./fields/Essay";
import { FileUpload, type Unsent } from "./fields/FileUpload";
import { FillBlank } from "./fields/FillBlank";
import { HandIn } from "./fields/HandIn";
import { Hotspot } from "./fields/Hotspot";
import { Matching } from "./fields/Matching";
import { Ordering } from "./fields/Ordering";
import { Numeric, ShortText } from "./fields/Written";
import type { Answer, Question } from "./model";
import { promptId } from "./QuestionFrame";

interface AnswerFieldProps {
  pageId: string;
  question: Question;
  answer: Answer | undefined;
  onAnswer: (answer: Answer) => void;
  /** Called with the state of the uploads of a question that takes files. */
  onUnsent: (unsent: Unsent | null) => void;
  disabled: boolean;
}

/** The input for an answer, by the kind of the question. */
export function AnswerField({ question, pageId, onUnsent, ...rest }: AnswerFieldProps) {
  const shared = { ...rest, labelledBy: promptId(question.id) };
  switch (question.__typename) {
    case "SingleChoiceQuestion":
      return <Choice question={question} {...shared} />;
    case "MultipleChoiceQuestion":
      return <Choice question={question} {...shared} />;
    case "ShortTextQuestion":
      return <ShortText question={question} {...shared} />;
    case "NumericQuestion":
      return <Numeric question={question} {...shared} />;
    case "MatchingQuestion":
      return <Matching question={question} {...shared} />;
    case "OrderingQuestion":
      return <Ordering question={question} {...shared} />;
    case "FillBlankQuestion":
      return <FillBlank question={question} {...shared} />;
    case "HotspotQuestion":
      return <Hotspot question={question} {...shared} />;
    case "EssayQuestion":
      return <Essay question={question} {...shared} />;
    case "FileUploadQuestion":
      return <FileUpload question={question} pageId={pageId} onUnsent={onUnsent} {...shared} />;
    case "HandInQuestion":
      return <HandIn question={question} pageId={pageId} onUnsent={onUnsent} {...rest} />;
  }
}
