// Records the messages between hub and agents on a running stack, which agents and hub workers of other
// versions must understand.
//
// Usage: make up; edit, move and delete a few Capps, restart an agent; make baseline
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import type { Wire } from './wire.ts';

const FILE = join(import.meta.dirname, 'wire.json');
/** The types of the workflows to read. */
const WORKFLOWS = ['capp', 'site', 'score'];
/** The activities whose arguments and results are recorded. */
const ASKED: ReadonlySet<string> = new Set(['awaitVerdict', 'report', 'measure']);
/** The signals that are recorded. */
const SAID: ReadonlySet<string> = new Set(['ring', 'audit']);

async function main(): Promise<void> {
  const connection = await Connection.connect({
    address: process.env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233',
  });
  const client = new Client({ connection });
  const query = WORKFLOWS.map((type) => `WorkflowType = '${type}'`).join(' OR ');
  const answers = new Map<string, Wire['answers'][number]>();
  const signals = new Map<string, Wire['signals'][number]>();
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const one of answersIn(history))
      answers.set(JSON.stringify([one.activity, one.args.slice(1), one.answer]), one);
    for (const one of signalsIn(history)) signals.set(JSON.stringify(one), one);
  }
  const wire: Wire = { answers: [...answers.values()], signals: [...signals.values()] };
  await writeFile(FILE, `${JSON.stringify(wire, null, 1)}\n`);
  await connection.close();
  console.log(`Wrote ${wire.answers.length} answers and ${wire.signals.length} signals to ${FILE}.`);
}

function answersIn({ events }: History): Wire['answers'] {
  const asked = new Map<string, { activity: string; args: unknown[] }>();
  return (events ?? []).flatMap((event) => {
    const { activityTaskScheduledEventAttributes: begun, activityTaskCompletedEventAttributes: done } = event;
    const activity = begun?.activityType?.name ?? '';
    if (ASKED.has(activity))
      asked.set(String(event.eventId), { activity, args: valuesOf(begun?.input?.payloads) });
    const question = asked.get(String(done?.scheduledEventId));
    return question === undefined
      ? []
      : [{ ...question, answer: valuesOf(done?.result?.payloads)[0] ?? null }];
  });
}

function signalsIn({ events }: History): Wire['signals'] {
  return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: said }) => {
    const signal = said?.signalName ?? '';
    return SAID.has(signal) ? [{ signal, args: valuesOf(said?.input?.payloads) }] : [];
  });
}

function valuesOf(payloads: Payload[] | null | undefined): unknown[] {
  return (payloads ?? []).map((payload) => defaultPayloadConverter.fromPayload(payload));
}

await main();
