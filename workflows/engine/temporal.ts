// Temporal as the engine of the workflows. It keeps no state, since one instance serves many workflows.
import { defineSearchAttributeKey } from '@temporalio/common';
import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  patched,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { measure, countUnreadable } from './metrics.ts';
import { CAPP_PHASE, CAPP_SITE } from '../names.ts';
import {
  agentReport,
  agentVerdict,
  agentVerify,
  ask,
  hub,
  localRead,
  localWrite,
  reserve,
  tell,
} from './proxies.ts';
import type { Runtime } from './runtime.ts';

const SITE = defineSearchAttributeKey(CAPP_SITE, 'KEYWORD');
const PHASE = defineSearchAttributeKey(CAPP_PHASE, 'KEYWORD');

export const temporal: Runtime = {
  agentReport,
  agentVerdict,
  agentVerify,
  ask,
  hub,
  localRead,
  localWrite,
  reserve,
  tell,
  measure,
  countUnreadable,
  handle: setHandler,
  show: setCurrentDetails,
  isHandled: allHandlersFinished,
  patched,
  id: () => workflowInfo().workflowId,
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, summary) => sleep(ms, { summary }),
  until: (holds, atMost) => (atMost === undefined ? condition(holds) : limited(holds, atMost)),
  isLong: () => workflowInfo().continueAsNewSuggested,
  continueAsNew: (start) => continueAsNew<(start: unknown) => Promise<unknown>>(start),
  beside: (work) => {
    const scope = new CancellationScope();
    return { result: scope.run(work), cancel: () => scope.cancel() };
  },
  index: ({ site, phase }) => {
    const { typedSearchAttributes: shown } = workflowInfo();
    if (shown.get(SITE) === site && shown.get(PHASE) === phase) return;
    upsertSearchAttributes([
      { key: SITE, value: site },
      { key: PHASE, value: phase },
    ]);
  },
};

async function limited(
  holds: () => boolean,
  { ms, summary }: { ms: number; summary: string },
): Promise<void> {
  await condition(holds, ms, { summary });
}
