import { type RefObject, useEffect, useState } from "react";
import { withTexts } from "../../i18n";
import { optional } from "../../ui/optional";
import { whenIdle } from "../../ui/whenIdle";
import type { Page } from "../ReadingPage";

const PageKept = optional(() =>
  withTexts(import("../../notes/PageKept"), "notes").then(({ PageKept }) => PageKept),
);

interface Props {
  page: Page;
  content: RefObject<HTMLElement | null>;
}

/** The notes, the bookmark and the ticks of the reader. They wait for the text and what belongs to it. */
export function Kept({ page, content }: Props) {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle && <PageKept page={page} content={content} />;
}
