import { commands, Extension } from "@tiptap/core";

/**
 * Overrides TipTap's `focus`, which moves the focus one frame later: keys pressed in between would go to the previously focused field.
 */
export const FocusAtOnce = Extension.create({
  name: "focusAtOnce",
  addCommands() {
    return {
      focus:
        (position = null, options = {}) =>
        (props) => {
          if (props.dispatch && position !== false) props.view.focus();
          return commands.focus(position, options)(props);
        },
    };
  },
});
