// Virtual time: what is to happen when, in order. Two things at the same time happen in the order in which they were planned.

interface Planned {
  readonly at: number;
  readonly what: () => void;
}

export class Clockwork {
  now: number;
  #planned: Planned[] = [];

  constructor(now: number) {
    this.now = now;
  }

  after(milliseconds: number, what: () => void): void {
    const at = this.now + Math.max(0, milliseconds);
    let index = this.#planned.length;
    while (index > 0 && (this.#planned[index - 1]?.at ?? 0) > at) index -= 1;
    this.#planned.splice(index, 0, { at, what });
  }

  /** Lets the next thing happen if it is due by `end`; else the time is `end`, and nothing has happened. */
  step(end: number): boolean {
    const [next] = this.#planned;
    if (next === undefined || next.at > end) {
      this.now = end;
      return false;
    }
    this.#planned.shift();
    this.now = next.at;
    next.what();
    return true;
  }
}
