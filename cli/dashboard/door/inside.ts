// What is behind the door.

/** The files of the page, which hold no data. */
export interface PageFiles {
  readonly html: string;
  readonly script: string;
  readonly style: string;
  readonly icon: string;
}

/**
 * Answers the page, once the door has let it in. What goes wrong is said in words; nothing is thrown on
 * purpose.
 */
export interface Inside {
  /** Sends a picture and then its differences, a value each, until the signal aborts or it has no more. */
  stream(query: URLSearchParams, send: (value: unknown) => void, signal: AbortSignal): Promise<void>;
  read(query: URLSearchParams): Promise<DoorAnswer>;
  act(asked: Readonly<Record<string, unknown>>): Promise<DoorAnswer>;
}

export interface DoorAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 502;
  readonly value: unknown;
}
