// The workflow of one managed cluster: it receives the inventories of its agent and rings the Capps that
// differ or are missing.
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  setCurrentDetails,
  setDefaultSignalHandler,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { isFailed } from '../engine/failed.ts';
import { Failure } from '../failures.ts';
import { readAnswer } from '../parse/answer.ts';
import { readInventory } from '../parse/inventory.ts';
import { readSite } from '../parse/start.ts';
import * as messages from '../messages.ts';
import { countUnreadable } from '../engine/metrics.ts';
import { cappWorkflowId } from '../names.ts';
import { agentReport, hub, localRead } from '../engine/proxies.ts';
import type { SiteState } from './state.ts';
import { rungFor, stretches, type Inventory, type InventoryEntry, type Compared } from '../types/ring.ts';

/**
 * How many entries are compared in one step: an activity's arguments should stay far below Temporal's 2 MiB.
 */
const PAGE = 500;
/** How many copies without a work are taken up for one stretch. The others wait for the next inventory. */
const MOST_STRAYS = 20;
/** How many stretches may wait. Of an agent that sends without end, the newest are kept. */
const MOST_WAITING = 64;
/** The backoff between two tries to compare a page, in milliseconds. */
const PAUSE_MS = 5_000;

/**
 * Ends by cancellation, when its cluster leaves the hub. Fails at once if neither its input nor its id names
 * a cluster.
 */
export async function site(start: SiteState): Promise<void> {
  const state = begin(start);
  setHandler(messages.inventory, (given) => {
    const heard = readInventory(given);
    if (heard !== null) state.inventories = [...state.inventories, heard].slice(-MOST_WAITING);
    else unhear(state);
  });
  setDefaultSignalHandler(() => unhear(state));
  for (;;) {
    setCurrentDetails(`Waits for an inventory of **${state.cluster}**: its agent sends one when it starts.`);
    await condition(() => state.inventories.length > 0 || workflowInfo().continueAsNewSuggested);
    const [next, ...rest] = state.inventories;
    if (next !== undefined) {
      state.inventories = rest;
      await look(state.cluster, next);
    } else {
      await condition(allHandlersFinished);
      await continueAsNew<typeof site>(state);
    }
  }
}

function begin(start: unknown): SiteState {
  const state = readSite(start, workflowInfo().workflowId);
  if (state !== null) return state;
  const message = 'Start a site workflow with the id site/<cluster> and the input {"cluster":"site-1"}';
  throw ApplicationFailure.create({ type: Failure.Invalid, message, nonRetryable: true });
}

function unhear(state: SiteState): void {
  state.unreadable = (state.unreadable ?? 0) + 1;
  countUnreadable();
}

async function look(cluster: string, inventory: Inventory): Promise<void> {
  for (const stretch of stretches(inventory, PAGE)) {
    const { differing, strays = [] } = await compare(cluster, stretch);
    await Promise.all(differing.map(({ namespace, name }) => ringCapp(namespace, name)));
    for (const stray of strays.slice(0, MOST_STRAYS)) await takeUp(cluster, stray);
  }
}

/**
 * Until it is done: a local activity ends when the caches take too long, and the inventory must not be lost
 * with it.
 */
async function compare(cluster: string, stretch: Inventory): Promise<Compared> {
  for (;;) {
    try {
      return await localRead(`Compare ${stretch.entries.length} Capps`).compare(cluster, stretch);
    } catch (error) {
      if (!isFailed(error)) throw error;
      await sleep(PAUSE_MS, { summary: 'Another try' });
    }
  }
}

/**
 * An inventory may be old by now, so the agent is asked once more. The next inventory brings what fails now.
 */
async function takeUp(
  cluster: string,
  { namespace, name, uid, stamp, statusHash }: InventoryEntry,
): Promise<void> {
  const capp = { namespace, name, uid };
  try {
    const seen = await agentReport(cluster, `Check whether ${cluster} has ${namespace}/${name}`).report(
      capp,
      {
        stamp,
        known: null,
        statusHash,
      },
    );
    if (readAnswer(seen) !== null)
      await hub(`Take up copies without a work on ${cluster}`).takeUp(capp, cluster);
  } catch (error) {
    // An agent may fail as if it had been cancelled. That does not end this workflow.
    const isCancelled = CancellationScope.current().consideredCancelled;
    if (isCancelled || !(error instanceof TemporalFailure)) throw error;
  }
}

/** A Capp whose workflow has ended meanwhile needs no ring. */
async function ringCapp(namespace: string, name: string): Promise<void> {
  await getExternalWorkflowHandle(cappWorkflowId(namespace, name))
    .signal(messages.ring, rungFor('site'))
    .catch((error: unknown) => {
      if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    });
}
