// What 834d80aa's own workflows of CappSets and Bundles left in Temporal in the middle of a rollout: at rest
// between two turns, and in a turn that a server's activity is at. Recorded on a real server with that
// version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { Worker } from '../support/replay/replaying-worker.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { replays } from '../support/replay/replay.ts';

quietLogs();

const LEFT = ['set-rollout', 'set-in-a-turn', 'bundle-rollout', 'bundle-in-a-turn'] as const;
const EARLIER = join(import.meta.dirname, '../support/flow/earlier/workflows.ts');

interface Left {
  readonly events: readonly {
    readonly eventType: string;
    readonly workflowExecutionStartedEventAttributes?: { readonly workflowId: string };
  }[];
}

const left = (name: string): Left =>
  JSON.parse(readFileSync(join(import.meta.dirname, `earlier/${name}.json`), 'utf8')) as Left;

let workflowBundle: Awaited<ReturnType<typeof bundleWorkflowCode>>;
beforeAll(async () => {
  workflowBundle = await bundleWorkflowCode({ workflowsPath: EARLIER, logger: new DefaultLogger('WARN') });
}, 120_000);

test.each(LEFT)(
  'the stand-in that the upgrade is tried with does what that version did: %s',
  async (name) => {
    const history = left(name);
    const { workflowId = '' } = history.events[0]?.workflowExecutionStartedEventAttributes ?? {};
    await Worker.runReplayHistory({ workflowBundle, replayName: name }, history, workflowId);
  },
);

test.each(['set-rollout', 'set-in-a-turn'])(
  'today nothing follows it, so it calls for nothing more until the bridge ends it: %s',
  async (name) => {
    await expect(replays(left(name))).rejects.toThrow('Nondeterminism');
  },
);
