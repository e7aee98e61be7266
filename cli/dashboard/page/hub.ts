// What the page asks the program: a stream of differences, questions, and acts.
import { JSON_HEADERS, KEY_HEADER } from './entry.ts';

export interface PageDifference {
  readonly set: Readonly<Record<string, unknown>>;
  readonly drop: readonly string[];
  readonly first: boolean;
}

/** What an act or a question was refused with: a sentence that says what to do. */
export class RefusedByProgram extends Error {
  /** 409: what was seen is not so any more. */
  readonly status: number;

  constructor(status: number, says: string) {
    super(says);
    this.status = status;
  }
}

/** What a person is told of a refusal, and of a program that does not answer. */
export function sentence(error: unknown): string {
  if (error instanceof RefusedByProgram) return error.message;
  return 'The program on your machine does not answer: has kubectl capp dashboard ended?';
}

export interface PageProgram {
  /**
   * Ends when the program ends the stream. Throws when it is cut off, RefusedByProgram when the tab is not
   * let in.
   */
  stream(query: string, take: (difference: PageDifference) => void, signal: AbortSignal): Promise<void>;
  /** Throws RefusedByProgram. */
  read<T>(query: Readonly<Record<string, string>>): Promise<T>;
  /** Throws RefusedByProgram. */
  act<T>(body: Readonly<Record<string, string>>): Promise<T>;
}

export function programBehind(key: string): PageProgram {
  const headers = { [KEY_HEADER]: key };
  return {
    async stream(query, take, signal) {
      const answer = await fetch(`/stream?${query}`, { headers, signal });
      if (!answer.ok || answer.body === null) throw await refusalIn(answer);
      await lines(answer.body, (line) => take(JSON.parse(line) as PageDifference));
    },
    read: async (query) => valueIn(await fetch(`/read?${new URLSearchParams(query)}`, { headers })),
    act: async (body) =>
      valueIn(
        await fetch('/act', {
          method: 'POST',
          headers: { ...headers, ...JSON_HEADERS },
          body: JSON.stringify(body),
        }),
      ),
  };
}

async function valueIn<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw await refusalIn(answer);
  return (await answer.json()) as T;
}

async function refusalIn(answer: Response): Promise<RefusedByProgram> {
  const said = (await answer.json().catch(() => ({}))) as { says?: string };
  return new RefusedByProgram(answer.status, said.says ?? 'The program gave no reason.');
}

async function lines(body: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const all = `${rest}${decoder.decode(part.value, { stream: true })}`.split('\n');
    rest = all.pop() ?? '';
    for (const line of all) take(line);
  }
}
