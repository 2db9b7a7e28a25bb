import { Accessibility, type Draggable, PointerActivationConstraints, PointerSensor } from "@dnd-kit/dom";

/**
 * The pointer alone drags: mouse, finger and pen alike. The keyboard and screen readers have buttons of their own, which
 * say in our words what they do; the library's pick-up mode would be a second way with English words.
 */
export const sensors = [
  PointerSensor.configure({
    activationConstraints: (event: PointerEvent, source: Draggable) => {
      // A handle scrolls nothing, so it drags at once; a finger on anything larger may be about to scroll.
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
