// The commands of one activation as text, a line each, from either engine: lines that differ are commands
// that differ.
import { FIRST_PHASE, NO_SITE } from '../../../workflows/names.ts';
import { RESYNC_MS } from '../../../workflows/capp/resync.ts';

/** How long one try may take, in milliseconds, and how many there are (0: any number). */
export interface Terms {
  readonly tryMs: number;
  readonly tries: number;
}

export interface Call {
  readonly name: string;
  readonly given: readonly unknown[];
  /** Null where the simulator has none: it knows by itself how long an agent is waited for. */
  readonly terms: Terms | null;
}

/** Timers and activities have numbers of their own, from 1 on. */
export class Lines {
  readonly #activations: string[][] = [];
  /** By what a person finds the workflow: commands are only for what differs. */
  #index: string;

  constructor(
    { site, phase }: { readonly site: string; readonly phase: string } = {
      site: NO_SITE,
      phase: FIRST_PHASE,
    },
  ) {
    this.#index = JSON.stringify([site, phase]);
  }

  begin(at: number | null): void {
    this.#activations.push([`at ${at}`]);
  }

  /** The daily resync is jittered, by each engine with its own dice. */
  timer(number: number, ms: number): void {
    this.#add(`timer ${number}: ${ms >= RESYNC_MS ? 'a day' : Math.max(1, ms)}`);
  }

  activity(number: number, on: string, { name, given, terms }: Call): void {
    const bounds =
      terms === null
        ? ''
        : ` (${terms.tries === 0 ? 'any number of' : terms.tries} tries of ${terms.tryMs} ms)`;
    this.#add(`activity ${number}: ${name} ${on}${bounds} ${JSON.stringify(given)}`);
  }

  cancels(what: 'timer' | 'activity', number: number): void {
    this.#add(`cancels ${what} ${number}`);
  }

  index(site: string, phase: string): void {
    const index = JSON.stringify([site, phase]);
    if (index !== this.#index) this.#add(`is found by ${index}`);
    this.#index = index;
  }

  patches(id: string): void {
    this.#add(`goes on as of ${id}`);
  }

  accepts(): void {
    this.#add('accepts an Update');
  }

  answers(value: unknown): void {
    this.#add(`answers ${JSON.stringify(value ?? null)}`);
  }

  refuses(message: string): void {
    this.#add(`refuses: ${message}`);
  }

  ends(how: 'continues' | 'completes' | 'fails', what: unknown): void {
    this.#add(`${how} ${JSON.stringify(what ?? null)}`);
  }

  /** One text for each activation that has commands. */
  get texts(): readonly string[] {
    return this.#activations.filter(({ length }) => length > 1).map((lines) => lines.join('\n'));
  }

  #add(line: string): void {
    this.#activations.at(-1)?.push(line);
  }
}
