// Virtual time: what is to happen when, in order. Two things at the same time happen in the order in which
// they were planned.

/** Something planned; called, it will not happen. */
export type Cancel = () => void;

interface Planned {
  readonly at: number;
  readonly order: number;
  what: (() => void) | null;
}

export class Clockwork {
  now: number;
  #order = 0;
  /** A binary heap, the soonest first. */
  readonly #planned: Planned[] = [];

  constructor(now: number) {
    this.now = now;
  }

  after(milliseconds: number, what: () => void): Cancel {
    this.#order += 1;
    const planned: Planned = { at: this.now + Math.max(0, milliseconds), order: this.#order, what };
    this.#planned.push(planned);
    this.#rise(this.#planned.length - 1);
    return () => void (planned.what = null);
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.after(milliseconds, resolve));
  }

  /** Lets the next thing happen if it is due by `end`; else the time is `end`, and nothing has happened. */
  step(end: number): boolean {
    for (;;) {
      const next = this.#planned[0];
      if (next === undefined || next.at > end) {
        this.now = Math.max(this.now, end);
        return false;
      }
      this.#pop();
      if (next.what === null) continue;
      this.now = next.at;
      next.what();
      return true;
    }
  }

  #pop(): void {
    const last = this.#planned.pop();
    if (last === undefined || this.#planned.length === 0) return;
    this.#planned[0] = last;
    this.#sink();
  }

  #rise(from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let least = index;
      if (this.#isBefore(left, least)) least = left;
      if (this.#isBefore(right, least)) least = right;
      if (least === index) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const one = this.#planned[a];
    const other = this.#planned[b];
    if (one === undefined || other === undefined) return false;
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#planned[a], this.#planned[b]];
    if (one === undefined || other === undefined) return;
    this.#planned[a] = other;
    this.#planned[b] = one;
  }
}
