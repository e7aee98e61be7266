// Whether a workflow goes round and round while no time passes. A life of it would never end: what waits for
// its promises to rest waits for ever.

/** Many times what a workflow that gets on asks for at one instant. */
const MOST = 20_000;

export class Patience {
  readonly #id: string;
  readonly #end: (error: Error) => void;
  #at = -1;
  #asked = 0;

  /** `end` ends the life of the workflow with that id, which may catch what is thrown. */
  constructor(id: string, end: (error: Error) => void) {
    this.#id = id;
    this.#end = end;
  }

  /**
   * The workflow asks its engine for something at that time, in milliseconds, which is given back. Throws
   * once it has asked for too much.
   */
  ask(now: number): number {
    this.#asked = now === this.#at ? this.#asked + 1 : 1;
    this.#at = now;
    if (this.#asked <= MOST) return now;
    const error = new Error(`${this.#id} goes round and round: it has asked ${MOST} times at one instant`);
    this.#end(error);
    throw error;
  }
}
