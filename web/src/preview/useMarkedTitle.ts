import { useEffect } from "react";

/**
 * Puts a mark in front of the title of the tab, whatever screen sets the title and whenever it does. The screens are those of learners,
 * which do not know the mark.
 */
export function useMarkedTitle(mark: string): void {
  useEffect(() => {
    const update = () => {
      // Setting the title is a change that is observed, too.
      if (document.title && !document.title.startsWith(mark)) document.title = `${mark} ${document.title}`;
    };
    const observer = new MutationObserver(update);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    update();
    return () => {
      observer.disconnect();
      // Screens render their own title elements. The title of index.html, which applies before that, was marked as well.
      for (const title of document.head.querySelectorAll("title"))
        if (title.textContent.startsWith(mark))
          title.textContent = title.textContent.slice(mark.length).trimStart();
    };
  }, [mark]);
}
