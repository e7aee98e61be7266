// Declares flow tests. Each test gets a testbed of its own, which is closed afterwards.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyToJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import type { FlowNamespace } from './setup.ts';
import { quietLogs } from './quiet-logs.ts';
import { openFlowTestbed, type FlowTestbed } from '../testbeds/flow.ts';

const RECORDED = join(import.meta.dirname, '../../history/recorded');
const PATIENCE_MS = 300_000;

export type Story = (name: string, play: (testbed: FlowTestbed) => Promise<void>) => void;

/** Returns the function that declares tests of one file, in the file's namespace. */
export function storiesOf(namespace: FlowNamespace): Story {
  quietLogs();
  let count = 0;
  return (name, play) => {
    count += 1;
    const app = `app-${count}`;
    test(
      name,
      async () => {
        const testbed = await openFlowTestbed({
          address: process.env['FLOW_TEMPORAL_ADDRESS'] ?? '',
          namespace,
          name: app,
        });
        try {
          await play(testbed);
        } finally {
          await testbed.close();
        }
      },
      PATIENCE_MS,
    );
  };
}

/** Writes a history to test/history/recorded if RECORD is set, as `make record` does. */
export async function record(name: string, history: History): Promise<void> {
  if (process.env['RECORD'] === undefined) return;
  await mkdir(RECORDED, { recursive: true });
  const events: unknown = JSON.parse(historyToJSON(history), (key, value: unknown) =>
    key === 'stackTrace' ? undefined : value,
  );
  await writeFile(join(RECORDED, `${name}.json`), `${JSON.stringify(events, null, 1)}\n`);
}
