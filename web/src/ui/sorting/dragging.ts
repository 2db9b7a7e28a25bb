import { Accessibility, type Draggable, PointerActivationConstraints, PointerSensor } from "@dnd-kit/dom";

/**
 * Dragging uses only the pointer: mouse, touch and pen. Keyboards and screen readers use buttons with translated labels; the
 * library's keyboard mode would be a second way with English texts.
 */
export const sensors = [
  PointerSensor.configure({
    activationConstraints: (event: PointerEvent, source: Draggable) => {
      // A handle drags at once; a touch on a larger element may be the start of scrolling.
      if (isOnHandle(event, source)) return [new PointerActivationConstraints.Distance({ value: 3 })];
      return event.pointerType === "touch"
        ? [new PointerActivationConstraints.Delay({ value: 180, tolerance: 8 })]
        : [new PointerActivationConstraints.Distance({ value: 5 })];
    },
    preventActivation: () => false,
  }),
];

export const plugins = <T>(defaults: T[]): T[] =>
  defaults.filter((plugin) => plugin !== (Accessibility as T));

function isOnHandle(event: PointerEvent, source: Draggable): boolean {
  return event.target instanceof Node && source.handle?.contains(event.target) === true;
}
