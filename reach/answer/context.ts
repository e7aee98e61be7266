// What every answer needs, and where it goes.
import type { Kube } from '../../kube/client.ts';
import type { Ways } from '../site/way.ts';

export interface Context {
  /** The hub, with the reader's own rights. */
  readonly hub: Kube;
  readonly ways: Ways;
}

/** Where the lines of a log go. */
export interface Sink {
  /**
   * Resolves when more may be written: a slow reader slows the site down, and fills no memory here. What has
   * waited is dropped if the signal has aborted by then.
   */
  write(text: string, signal?: AbortSignal): Promise<void>;
  /** Aborts when the caller has gone or may no longer read it, or the time of the stream is over. */
  readonly signal: AbortSignal;
}
