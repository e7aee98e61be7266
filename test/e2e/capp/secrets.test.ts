// Canary values show that the value of a Secret goes from the hub to the site and nowhere else, also for
// Capps that fail; nor is a token of an agent anywhere but on its site.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { CAPP } from '../../../crds/capp/capp.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { MIGRATE } from '../../../crds/labels.ts';
import { EVENT, SECRET } from '../../../crds/kubernetes/core.ts';
import { desiredProcesses } from '../../../deploy/local/supervise/desired.ts';
import {
  type CappOptions,
  createCapp,
  newNamespace,
  siteOf,
  untilCondition,
  untilReady,
} from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const CANARY = `canary-${Math.random().toString(36).slice(2)}-value`;

let stack: TestbedStack;
let namespace: string;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'canary');
});
afterAll(async () => {
  await seal(null);
  // Those that never become Ready would keep a drain of their site under way until their deadlines.
  for (const { metadata } of (await stack.hub.list(CAPP, { namespace })).items)
    await stack.hub.remove(CAPP, { namespace, name: metadata.name });
  await stack.close();
});

test('the value of a Secret is in no history, log, metric, event or status, and nor is a token of an agent', async () => {
  await makeSecret('small', { token: CANARY });
  await makeSecret('large', { token: CANARY, ballast: 'x'.repeat(450_000) });
  const uses = (secret: string) => ({ envFrom: [{ secretRef: { name: secret } }] });
  const wishes: Omit<CappOptions, 'namespace'>[] = [
    { name: 'well', container: uses('small') },
    { name: 'never', image: 'ghcr.io/me/never-pulls:v1', container: uses('small') },
    { name: 'crashing', image: 'ghcr.io/me/crashes:v1', container: uses('small') },
    { name: 'heavy', container: uses('large') },
  ];
  for (const wish of wishes) await createCapp(stack.hub, { namespace, ...wish });
  const ready = await untilReady(stack.hub, { namespace, name: 'well' });
  for (const name of ['never', 'crashing'])
    await untilCondition(stack.hub, { namespace, name }, { type: 'Ready', status: 'False' });
  await untilCondition(
    stack.hub,
    { namespace, name: 'heavy' },
    { type: 'Ready', status: 'False', reason: 'TooLarge' },
  );
  await seal('Required');
  await createCapp(stack.hub, { namespace, name: 'sealed', container: uses('small') });
  wishes.push({ name: 'sealed', container: uses('small') });
  await untilReady(stack.hub, { namespace, name: 'sealed' });
  expect(JSON.stringify(await stack.site(siteOf(ready)).get(SECRET, { namespace, name: 'small' }))).toContain(
    btoa(CANARY),
  );

  // An act that the audit tells.
  const well = { namespace, name: 'well' };
  await stack.hub.patch(CAPP, well, { metadata: { annotations: { [MIGRATE]: '#1' } } });
  const told = await eventually(() => auditOf(ready.metadata.uid));
  expect(told).toMatchObject({ act: 'Move', who: { via: 'Annotation' }, result: 'Moved' });

  for (const kube of [stack.hub, ...stack.sites.map(stack.site)]) {
    for (const resource of [CAPP, EVENT])
      expectNoCanary(resource.kind, JSON.stringify((await kube.list(resource, { namespace })).items));
  }
  for (const [name, text] of await metricsOf()) expectNoCanary(`metrics of ${name}`, text);
  for (const { name } of wishes) {
    const history = await stack.temporal.workflow.getHandle(`capp/${namespace}/${name}`).fetchHistory();
    expectNoCanary(`history of ${name}`, JSON.stringify(historyToJSON(history)));
  }
  for (const file of readdirSync(stack.layout.logs))
    expectNoCanary(file, readFileSync(join(stack.layout.logs, file), 'utf8'));
  const data = readdirSync(stack.layout.data).filter((file) => file.startsWith('temporal.db'));
  expect(data.length).toBeGreaterThan(0);
  for (const file of data) expectNoCanary(file, readFileSync(join(stack.layout.data, file), 'latin1'));
});

/** What each of our processes measures, by its name. */
async function metricsOf(): Promise<[string, string][]> {
  const measured = (await desiredProcesses(stack.layout)).flatMap(({ name, env }) => {
    const address = env?.['METRICS_ADDRESS'];
    return address === undefined ? [] : [{ name, address }];
  });
  expect(measured.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['bridge', 'gateway', 'hub-worker', 'site-1-agent', 'webhook']),
  );
  return Promise.all(
    measured.map(async ({ name, address }): Promise<[string, string]> => {
      const text = await (await fetch(`http://${address}/metrics`)).text();
      expect({ name, text }).toMatchObject({ text: expect.stringContaining('process') });
      return [name, text];
    }),
  );
}

/** The parts of the agents' tokens that say who they are. */
function tokens(): string[] {
  return stack.sites.map((site) => {
    const [, , mark = ''] = readFileSync(join(stack.layout.identityOf(site), 'token'), 'utf8').split('.');
    expect(mark.length).toBeGreaterThan(40);
    return mark.trim();
  });
}

/** The first line about the Capp in the hub worker's audit. */
function auditOf(uid: string | undefined): Promise<object | undefined> {
  const lines = readFileSync(join(stack.layout.logs, 'hub-worker.log'), 'utf8').split('\n');
  const acts = lines.filter((line) => line.includes('"log":"audit"')).map((line) => JSON.parse(line) as Line);
  return Promise.resolve(acts.find(({ what }) => what.uid === uid));
}

interface Line {
  readonly what: { readonly uid: string };
}

/** What the RCSConfig says of sealing. */
function seal(sealing: 'Required' | null): Promise<unknown> {
  return stack.hub.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { secrets: { sealing } } });
}

function makeSecret(name: string, values: Record<string, string>): Promise<unknown> {
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, btoa(value)]));
  return stack.hub.create(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name },
    data,
  } as never);
}

function expectNoCanary(where: string, text: string): void {
  const found = [CANARY, btoa(CANARY).slice(0, -4), ...tokens()].filter((form) => text.includes(form));
  expect({ where, found }).toEqual({ where, found: [] });
}
