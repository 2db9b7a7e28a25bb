import { Extension } from "@tiptap/core";
import { Plugin, TextSelection } from "@tiptap/pm/state";

/**
 * Text of an emoji picker, of dictation or of a screen keyboard replaces a selection of several blocks as typed text does. The browser
 * would replace them by itself, and a table at their start would swallow the text.
 */
export const TypeOver = Extension.create({
  name: "typeOver",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleDOMEvents: {
          beforeinput(view, event) {
            const { data, inputType, isComposing } = event;
            const { selection } = view.state;
            const { $from, $to, from, to } = selection;
            if (inputType !== "insertText" || isComposing || !data) return false;
            if (selection instanceof TextSelection && $from.sameParent($to)) return false;
            const insert = () => view.state.tr.insertText(data).scrollIntoView();
            if (!view.someProp("handleTextInput", (handle) => handle(view, from, to, data, insert)))
              view.dispatch(insert());
            event.preventDefault();
            return true;
          },
        },
      },
    }),
  ],
});
