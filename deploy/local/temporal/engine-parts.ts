// What an engine needs of the stack, and what the stack needs of an engine.
import type { Layout } from '../layout.ts';
import type { Ports } from '../ports.ts';
import type { ProcessSpec } from '../supervise/process-spec.ts';
import type { Temporal } from './dev-server.ts';

export interface Ground {
  readonly layout: Layout;
  readonly ports: Ports;
  /** Starts what the engine needs before itself, and waits until it is ready. */
  start(specs: readonly ProcessSpec[]): Promise<void>;
}

export interface Engine extends Temporal {
  /** Once it is ready: brings the namespace and the search attributes, where starting it does not. Safe to repeat. */
  prepare(): Promise<void>;
}
