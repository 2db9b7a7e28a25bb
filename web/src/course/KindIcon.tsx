import type { PageKind } from "../api/schema.generated";
import { IconAssignment, IconQuiz } from "../ui/icons";

interface Props {
  kind: PageKind;
  size?: number | undefined;
  className?: string | undefined;
}

/** The icon of a quiz or an assignment; nothing for a page that is only read. */
export function KindIcon({ kind, ...icon }: Props) {
  if (kind === "CONTENT") return null;
  return kind === "QUIZ" ? <IconQuiz {...icon} /> : <IconAssignment {...icon} />;
}
