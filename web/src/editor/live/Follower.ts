import type { EditPageQuery } from "../EditPage.generated";
import type { PageSaver } from "../PageSaver";
import { serverText } from "../pageText";
import { isSettled } from "../saving";

type EditedPage = EditPageQuery["page"];

interface Options {
  /** Reads the text that the authors work on from the server; resolves to undefined without an answer. */
  read: () => Promise<EditedPage | undefined>;
  /** Shows the page in the editor; `by` is the name of its editor, null when unknown. */
  show: (page: EditedPage, by: string | null) => void;
  /** Called while this editor has unsaved changes. */
  onOwnText: () => void;
}

/**
 * Keeps an editor at the newest announced version as long as it has no unsaved changes. Unsaved changes are sent at once instead: the
 * server answers with a conflict that carries the other text.
 */
export class Follower {
  /** The version that the server announced last, until it is shown here; lower than the one here when changes were discarded. */
  #announced: number | null = null;
  #by: string | null = null;
  #isReading = false;
  readonly stop: () => void;

  constructor(
    private readonly saver: PageSaver,
    private readonly options: Options,
  ) {
    const { unsubscribe } = saver.state.subscribe(() => {
      if (!isSettled(saver.state.get())) options.onOwnText();
      // Another version may have been announced while a save of this editor was in flight.
      void this.#catchUp();
    });
    this.stop = unsubscribe;
  }

  /** Takes the announcement that the server has `version` now, by `by`. */
  readonly notice = (version: number, by: string | null) => {
    this.#announced = version;
    this.#by = by;
    const state = this.saver.state.get();
    // An early conflict is smaller than a late one.
    if (version !== state.version && !isSettled(state)) this.saver.flush();
    else void this.#catchUp();
  };

  async #catchUp() {
    const { saver, options } = this;
    const announced = this.#announced;
    if (this.#isReading || announced === null || !isSettled(saver.state.get())) return;
    if (announced === saver.state.get().version) {
      this.#announced = null;
      return;
    }
    this.#isReading = true;
    // Without an answer the next announcement tries again; a save on top of a stale version conflicts anyway.
    const page = await options.read().catch(() => undefined);
    this.#isReading = false;
    const state = saver.state.get();
    if (!page) return;
    if (!isSettled(state)) {
      saver.flush();
      return;
    }
    // Another announcement may have come meanwhile.
    if (this.#announced === announced) this.#announced = null;
    if (page.version === state.version) return;
    saver.dispatch({ type: "replaced", version: page.version, text: serverText(page) });
    options.show(page, this.#by);
    void this.#catchUp();
  }
}
