// The workflow `hosts/hub`, the one authority to reserve hosts: whoever lacks some asks, and one after the
// other is served, in the order in which they asked. One that is short holds nothing, and keeps nobody
// waiting.
import { isFailed, messageOf } from '../engine/failed.ts';
import type { Runtime } from '../engine/runtime.ts';
import { askForHosts } from '../messages.ts';
import { fieldsOf, isName, isNamespace } from '../parse/fields.ts';
import type { SipRef } from './port.ts';

const SECOND = 1_000;
/** How long it waits for others before it ends; the next who asks starts it again. */
const LINGER = 60 * SECOND;
/** Who asks beyond this asks again in a minute. */
const MOST_WAITING = 1_000;

/** The state is the only argument, so continue-as-new is a checkpoint. Lost, everybody asks again. */
export interface HostsState {
  readonly version: 1;
  readonly waiting: readonly SipRef[];
}

/** Ends when nobody asks for a minute. */
export async function liveAsHosts(start: unknown, runtime: Runtime): Promise<void> {
  const waiting = readWaiting(start);
  runtime.handle(
    askForHosts,
    (given) => {
      const ref = readRef(given);
      if (ref === null) runtime.countUnreadable();
      else if (waiting.length < MOST_WAITING && !waiting.some((one) => isSame(one, ref))) waiting.push(ref);
    },
    { description: 'A SIPCluster lacks hosts, and asks for its turn' },
  );
  for (;;) {
    await runtime.until(() => waiting.length > 0, { ms: LINGER, summary: 'Until somebody lacks hosts' });
    // It leaves the queue before it is served: if it asks meanwhile, it has not been seen as it is now.
    const next = waiting.shift();
    if (next === undefined) return;
    await serve(runtime, next);
    if (runtime.isLong()) await checkpoint(runtime, waiting);
  }
}

/** A turn that fails is over: the SIPCluster asks again, and nobody behind it waits for that. */
async function serve(runtime: Runtime, ref: SipRef): Promise<void> {
  const named = `${ref.namespace}/${ref.name}`;
  try {
    const {
      outcome,
      hosts,
      says = '',
    } = await runtime.reserve(`Reserve hosts for ${named}`).reserveHosts(ref);
    runtime.show(`${named} was served last: **${outcome}**, ${hosts} hosts. ${says}`.trim());
  } catch (error) {
    if (!isFailed(error)) throw error;
    runtime.show(`${named} could not be served (${messageOf(error)}). It asks again in a minute.`);
  }
}

async function checkpoint(runtime: Runtime, waiting: readonly SipRef[]): Promise<void> {
  await runtime.until(runtime.isHandled);
  await runtime.continueAsNew({ version: 1, waiting } satisfies HostsState);
}

function isSame(a: SipRef, b: SipRef): boolean {
  return a.namespace === b.namespace && a.name === b.name;
}

function readWaiting(given: unknown): SipRef[] {
  const waiting = fieldsOf(given)?.['waiting'];
  return Array.isArray(waiting) ? waiting.map(readRef).filter((ref) => ref !== null) : [];
}

function readRef(given: unknown): SipRef | null {
  const { namespace, name } = fieldsOf(given) ?? {};
  return isNamespace(namespace) && isName(name) ? { namespace, name } : null;
}
