// The simulator's questions to agents: `workflows/listener.ts` without Temporal. One question at a time to each site.
import type { Inquiry, News } from '../../../workflows/listener.ts';
import type { Answer } from '../../../workflows/ports.ts';

/** Puts a question; `settle` says whether anybody still waited for the answer. */
export type Put = (inquiry: Inquiry, settle: (answer: Answer | null, silent: boolean) => boolean) => void;

export class Listener {
  readonly #put: Put;
  readonly #asking = new Map<string, Inquiry>();
  #news: News[] = [];

  constructor(put: Put) {
    this.#put = put;
  }

  ask(inquiry: Inquiry): boolean {
    const { cluster } = inquiry;
    const before = this.#asking.get(cluster);
    if (before !== undefined && essence(before) === essence(inquiry)) return false;
    this.drop(cluster);
    this.#asking.set(cluster, inquiry);
    this.#put(inquiry, (answer, silent) => {
      if (this.#asking.get(cluster) !== inquiry) return false;
      this.#asking.delete(cluster);
      this.#news.push({ cluster, stamp: inquiry.question.stamp, answer, silent });
      return true;
    });
    return true;
  }

  asking(): readonly Inquiry[] {
    return [...this.#asking.values()];
  }

  hasNews(): boolean {
    return this.#news.length > 0;
  }

  take(): News | undefined {
    return this.#news.shift();
  }

  drop(cluster?: string): void {
    if (cluster === undefined) this.#asking.clear();
    else this.#asking.delete(cluster);
    this.#news = this.#news.filter((one) => cluster !== undefined && one.cluster !== cluster);
  }
}

function essence({ kind, question: { stamp, known } }: Inquiry): string {
  return [kind, stamp, known?.verdict, known?.reason].join('|');
}
