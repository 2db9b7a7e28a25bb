import { autoUpdate, computePosition, flip, offset, shift, size } from "@floating-ui/dom";

const TALLEST_PX = 384;

/** Positions a menu beside its anchor and inside the window. */
export function float(
  anchor: Element | { getBoundingClientRect: () => DOMRect },
  floating: HTMLElement,
): () => void {
  const updatePosition = () =>
    computePosition(anchor as Element, floating, {
      strategy: "fixed",
      placement: "bottom-start",
      middleware: [
        offset(6),
        flip({ padding: 8 }),
        shift({ padding: 8 }),
        size({
          padding: 8,
          apply: ({ availableHeight }) => {
            floating.style.maxHeight = `${Math.max(160, Math.min(availableHeight, TALLEST_PX, 0.45 * window.innerHeight))}px`;
          },
        }),
      ],
    }).then(({ x, y }) => {
      floating.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    });
  if (anchor instanceof Element) return autoUpdate(anchor, floating, () => void updatePosition());
  void updatePosition();
  return () => {};
}
