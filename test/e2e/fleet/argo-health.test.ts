// What Argo CD makes of the conditions of our kinds, by the Lua of deploy/argo and Argo CD's own code.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { toolPath } from '../../../deploy/local/programs/tools.ts';

const ROOT = new URL('../../../', import.meta.url);
const scriptOf = (file: string): URL => new URL(`deploy/argo/${file}.lua`, ROOT);

async function healthOf(file: string, object: object): Promise<string> {
  const child = spawn(toolPath('argo'), ['health', fileURLToPath(scriptOf(file))]);
  child.stdin.end(JSON.stringify(object));
  const [said, failed] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (said === '') throw new Error(failed);
  const { status, message } = JSON.parse(said) as { status: string; message: string };
  return `${status} | ${message}`;
}

const CAPP = { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp' };
const ready = (status: string, reason: string) => ({ type: 'Ready', status, reason, message: 'why' });
const aCapp = (conditions: object[], plain: { metadata?: object; spec?: object; seen?: number } = {}) => ({
  ...CAPP,
  metadata: { name: 'hello', generation: 2, ...plain.metadata },
  spec: { ...plain.spec },
  status: { observedGeneration: plain.seen ?? 2, conditions },
});

test.each<[string, object, string]>([
  ['that serves', aCapp([ready('True', 'Serving')]), 'Healthy | Serving: why'],
  [
    'that is stopped as asked',
    aCapp([ready('True', 'Disabled')], { spec: { state: 'disabled' } }),
    'Suspended | spec.state is disabled.',
  ],
  [
    'that is paused',
    aCapp([ready('True', 'Serving')], { metadata: { annotations: { 'rcs.dana.io/paused': 'true' } } }),
    'Suspended | Annotation rcs.dana.io/paused pauses the Capp.',
  ],
  [
    'that is not paused any more',
    aCapp([ready('True', 'Serving')], { metadata: { annotations: { 'rcs.dana.io/paused': 'false' } } }),
    'Healthy | Serving: why',
  ],
  [
    'that nobody has looked at',
    { ...CAPP, metadata: { generation: 1 }, spec: {} },
    'Progressing | The hub has not looked at this generation yet.',
  ],
  [
    'whose newest generation nobody has looked at',
    aCapp([ready('True', 'Serving')], { seen: 1 }),
    'Progressing | The hub has not looked at this generation yet.',
  ],
  ['on its way to its site', aCapp([ready('False', 'Applying')]), 'Progressing | Applying: why'],
  ['whose state nobody knows', aCapp([ready('Unknown', 'AgentSilent')]), 'Progressing | AgentSilent: why'],
  ['that no site can take', aCapp([ready('False', 'NoCandidate')]), 'Degraded | NoCandidate: why'],
  ['whose image is missing', aCapp([ready('False', 'ImageNeverReady')]), 'Degraded | ImageNeverReady: why'],
  [
    'that was not Ready in time',
    aCapp([
      ready('Unknown', 'Deploying'),
      { type: 'Stalled', status: 'True', reason: 'DeadlinePassed', message: 'late' },
    ]),
    'Degraded | DeadlinePassed: late',
  ],
  [
    'that is being deleted',
    aCapp([ready('True', 'Serving')], { metadata: { deletionTimestamp: '2026-03-01T12:00:00Z' } }),
    'Progressing | The Capp is being deleted.',
  ],
])('a Capp %s', async (_title, capp, health) => {
  expect(await healthOf('capp-health', capp)).toBe(health);
});

const of = (type: string, status: string, reason: string, observedGeneration = 2) => ({
  type,
  status,
  reason,
  message: 'why',
  observedGeneration,
});
const aSet = (conditions: object[], metadata: object = {}) => ({
  apiVersion: CAPP.apiVersion,
  kind: 'CappSet',
  metadata: { name: 'shop', generation: 2, ...metadata },
  status: { conditions },
});
const GOES_ON = of('Stalled', 'False', 'Progressing');

test.each<[string, object, string]>([
  [
    'that is Ready everywhere',
    aSet([of('Ready', 'True', 'SitesReady'), GOES_ON]),
    'Healthy | SitesReady: why',
  ],
  ['on its way', aSet([of('Ready', 'False', 'SitesUnderWay'), GOES_ON]), 'Progressing | SitesUnderWay: why'],
  [
    'that was edited a moment ago',
    aSet([of('Ready', 'True', 'SitesReady', 1), of('Stalled', 'True', 'SitesFailed', 1)]),
    'Progressing | The hub has not looked at this generation yet.',
  ],
  [
    'with a failed stage',
    aSet([of('Ready', 'False', 'SitesFailed'), of('Stalled', 'True', 'SitesFailed')]),
    'Degraded | SitesFailed: why',
  ],
  [
    'whose removals wait for a person, though it is Ready',
    aSet([of('Ready', 'True', 'SitesReady'), of('Stalled', 'True', 'RemovalHeld')]),
    'Degraded | RemovalHeld: why',
  ],
  [
    'that waits for approval',
    aSet([of('Ready', 'False', 'AwaitsApproval'), GOES_ON]),
    'Suspended | AwaitsApproval: why',
  ],
  ['that is paused', aSet([of('Ready', 'False', 'Paused'), GOES_ON]), 'Suspended | Paused: why'],
  ['that nobody has looked at', aSet([]), 'Progressing | The hub has not looked at this generation yet.'],
  [
    'that is being deleted',
    aSet([of('Ready', 'True', 'SitesReady')], { deletionTimestamp: '2026-03-01T12:00:00Z' }),
    'Progressing | The CappSet is being deleted.',
  ],
])('a CappSet %s', async (_title, set, health) => {
  expect(await healthOf('rollout-health', set)).toBe(health);
});

test('a Bundle has the same health by the same conditions', async () => {
  const bundle = {
    ...aSet([of('Ready', 'False', 'NotAllowed'), of('Stalled', 'True', 'NotAllowed')]),
    kind: 'Bundle',
  };
  expect(await healthOf('rollout-health', bundle)).toBe('Degraded | NotAllowed: why');
});

test('the docs show the health checks as they are tested', async () => {
  const docs = await readFile(new URL('docs/argo.md', ROOT), 'utf8');
  const blocks = async (file: string): Promise<number> => {
    const lines = (await readFile(scriptOf(file), 'utf8')).trimEnd().split('\n');
    const indented = lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n');
    return docs.split(indented).length - 1;
  };
  expect([await blocks('capp-health'), await blocks('rollout-health')]).toEqual([1, 1]);
});
