import type { EditPageQuery } from "../EditPage.generated";
import type { PageSaver } from "../PageSaver";
import { ofServer } from "../pageText";
import { isSettled } from "../saving";

type EditedPage = EditPageQuery["page"];

interface Options {
  /** The page as the server holds it; undefined without an answer. */
  read: () => Promise<EditedPage | undefined>;
  /** Puts it into the editor; `by` is who saved it, when that is known. */
  show: (page: EditedPage, by: string | null) => void;
  /** Something was written here. */
  onOwnText: () => void;
}

/**
 * Keeps an editor at the newest version that it has heard of, as long as it has no changes of its own. What is not saved yet is
 * sent at once instead: the server's answer brings the other text to compare it with.
 */
export class Follower {
  #newest = 0;
  #by: string | null = null;
  #isReading = false;
  readonly stop: () => void;

  constructor(
    private readonly saver: PageSaver,
    private readonly options: Options,
  ) {
    this.stop = saver.subscribe(() => {
      if (!isSettled(saver.get())) options.onOwnText();
      // A save of our own may have been on its way when theirs was heard of.
      void this.#catchUp();
    });
  }

  readonly notice = (version: number, by: string | null) => {
    if (version > this.#newest) {
      this.#newest = version;
      this.#by = by;
    }
    const state = this.saver.get();
    // Two texts meet now rather than when much more of one is written.
    if (version > state.version && !isSettled(state)) this.saver.flush();
    else void this.#catchUp();
  };

  async #catchUp() {
    const { saver, options } = this;
    if (this.#isReading || !isSettled(saver.get()) || this.#newest <= saver.get().version) return;
    this.#isReading = true;
    // Without an answer it waits for the next event: a stale save is told so in any case.
    const page = await options.read().catch(() => undefined);
    this.#isReading = false;
    const state = saver.get();
    if (!page || page.version <= state.version) return;
    if (!isSettled(state)) {
      saver.flush();
      return;
    }
    saver.replaced(page.version, ofServer(page));
    options.show(page, this.#by);
    void this.#catchUp();
  }
}
