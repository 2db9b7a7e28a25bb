import { useContext } from "react";
import { BrokenBlock } from "./BrokenBlock";
import { BlanksContext } from "./blanks";
import { type ContentNode, stringAttr } from "./model";

/** A blank in the text of a question; the quiz provides its content. */
export function Blank({ node }: { node: ContentNode }) {
  const draw = useContext(BlanksContext);
  const id = stringAttr(node, "blank_id");
  return draw && id ? draw(id) : <BrokenBlock what="inline" type="blank" />;
}
