// Temporal's client as the hub's processes use it: what they say takes a while in virtual time, and may fail
// before it has done anything, or after.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { unlessAborted, within } from '../../../../kube/http/deadline.ts';
import type { Clockwork } from './clockwork.ts';
import type { Run } from './run.ts';

export interface Start {
  readonly workflowId: string;
  readonly args: readonly unknown[];
  readonly signal?: { readonly name: string } | string;
  readonly signalArgs?: readonly unknown[];
}

/** Says something to Temporal, by `go`. */
export type Told = (what: string, go: () => Promise<void>) => Promise<void>;

/** What a client asks of Temporal. */
export interface Asked {
  readonly runs: ReadonlyMap<string, Pick<Run, 'id' | 'type'>>;
  readonly isAway: boolean;
  now(): number;
  /** False if nobody runs by that name. */
  send(id: string, name: string, given: readonly unknown[]): boolean;
  startWith(type: string, start: Start): void;
}

/** How long a call takes, and how well it does. */
interface Way {
  readonly clock: Clockwork;
  between(least: number, most: number): number;
  slips(probability: number): boolean;
}

/** `told` carries what is said, or lets it go wrong. */
export function clientOf(temporal: Asked, way: Way, told: Told = (_what, go) => go()): Client {
  const slowly = <T>(work: () => T): Promise<T> => called(temporal, way, work);
  const workflow = {
    signalWithStart: (type: string, start: Start) =>
      told(`start and tell ${start.workflowId} ${nameOf(start.signal ?? 'nothing')}`, () =>
        slowly(() => temporal.startWith(type, start)),
      ),
    getHandle: (id: string) => ({
      signal: (signal: { name: string } | string, ...given: unknown[]) =>
        told(`tell ${id} ${nameOf(signal)}`, () =>
          slowly(() => {
            if (!temporal.send(id, nameOf(signal), given))
              throw new WorkflowNotFoundError('workflow not found', id, undefined);
          }),
        ),
    }),
    list: ({ query = '' }: { readonly query?: string } = {}) => listed(temporal, slowly, query),
    count: () => slowly(() => ({ count: [...temporal.runs.values()].filter(isOfCapp).length })),
  };
  return {
    workflow,
    withAbortSignal: <T>(signal: AbortSignal, work: () => Promise<T>) => unlessAborted(signal, work()),
    withDeadline: <T>(until: number, work: () => Promise<T>) =>
      within({ deadlineMs: until - temporal.now() }, (limit) => unlessAborted(limit, work())),
  } as unknown as Client;
}

/** Of the types that the query names. */
async function* listed(
  { runs }: Asked,
  slowly: (work: () => void) => Promise<void>,
  query: string,
): AsyncGenerator<{ workflowId: string }> {
  await slowly(() => undefined);
  for (const { id, type } of runs.values()) if (query.includes(`'${type}'`)) yield { workflowId: id };
}

/** A call may fail before it has done anything, or after. */
async function called<T>(temporal: Asked, { clock, between, slips }: Way, work: () => T): Promise<T> {
  await clock.pause(between(2, slips(0.05) ? 2_000 : 30));
  if (temporal.isAway || slips(0.02)) throw new Error('Temporal does not answer');
  const result = work();
  if (slips(0.02)) throw new Error('Temporal does not answer');
  return result;
}

export function nameOf(signal: { readonly name: string } | string): string {
  return typeof signal === 'string' ? signal : signal.name;
}

function isOfCapp({ type }: Pick<Run, 'type'>): boolean {
  return type === 'capp';
}
