import { useContext } from "react";
import { BrokenBlock } from "./BrokenBlock";
import { BlanksContext } from "./blanks";
import { type ContentNode, stringAttr } from "./model";

/** A gap in a text that asks: what stands in it is the quiz's to say. */
export function Blank({ node }: { node: ContentNode }) {
  const draw = useContext(BlanksContext);
  const id = stringAttr(node, "blank_id");
  return draw && id ? draw(id) : <BrokenBlock what="inline" type="blank" />;
}
