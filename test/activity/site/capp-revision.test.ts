// The history of a Capp that no hub has shipped, on a real API server with our CRD.
import { CAPP_REVISION } from '../../../crds/capp-revision.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { CAPP_REVISION_DEFINITION } from '../../../crds/definitions/of-sites.ts';
import { CAPP_OF_REVISION, ROLLOUT } from '../../../crds/labels.ts';
import type { CappRevision } from '../../../crds/capp-revision.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { serve } from '../../support/servers/api/definitions.ts';
import { at, NS, siteTestbed } from '../../support/testbeds/site/site.ts';
import { serveCappConfig, serveKnative, writeCappConfig } from '../../support/testbeds/site/site-kinds.ts';

const testbed = siteTestbed();
beforeAll(async () => {
  await serveKnative(testbed.kube);
  await serveCappConfig(testbed.kube);
}, 300_000);

async function numbersOf(name: string): Promise<readonly number[]> {
  const labelSelector = `${CAPP_OF_REVISION}=${name}`;
  const { items } = await testbed.kube.list<CappRevision>(CAPP_REVISION, { namespace: NS, labelSelector });
  return items.map(({ spec }) => spec?.revisionNumber ?? 0).toSorted((a, b) => a - b);
}

const untilNumbers = (name: string, numbers: readonly number[]): Promise<unknown> =>
  eventually(async () => {
    expect(await numbersOf(name)).toEqual(numbers);
    return true;
  });

const annotate = (name: string, annotations: Record<string, string>): Promise<Capp> =>
  testbed.kube.patch<Capp>(CAPP, at(name), { metadata: { annotations } });

test('a Capp from before the kind was served gets its first revision as soon as it is, with all that the Capp says', async () => {
  const { spec } = await testbed.make('early', { scaleMetric: 'rps' });
  await testbed.says('early', 'Ready', 'Deploying');
  await serve(testbed.kube, CAPP_REVISION_DEFINITION, CAPP_REVISION);
  await untilNumbers('early', [1]);
  const revision = await testbed.kube.get<CappRevision>(CAPP_REVISION, at('early-00001'));
  expect(revision?.spec?.cappTemplate.cappSpec).toEqual(spec);
}, 300_000);

test('each change of spec, labels or annotations makes the next one, and a stamp or a status makes none', async () => {
  await testbed.make('shop');
  await untilNumbers('shop', [1]);
  await annotate('shop', { note: '1' });
  await untilNumbers('shop', [1, 2]);
  await testbed.edit('shop', { state: 'disabled' });
  await untilNumbers('shop', [1, 2, 3]);
  await annotate('shop', { 'rcs.dana.io/last-updated-by': 'someone' });
  await testbed.says('shop', 'Ready', 'Disabled');
  await testbed.operator.idle();
  await testbed.restart();
  await testbed.operator.idle();
  expect(await numbersOf('shop')).toEqual([1, 2, 3]);
}, 300_000);

test('of twelve revisions the newest ten stay, and fewer as soon as the CappConfig says so', async () => {
  await testbed.make('busy');
  for (let count = 1; count < 12; count += 1) {
    await eventually(async () => ((await numbersOf('busy')).at(-1) === count ? true : undefined));
    await annotate('busy', { count: String(count) });
  }
  await untilNumbers('busy', [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  await writeCappConfig(testbed.kube, { revisionHistoryLimit: 1 });
  await untilNumbers('busy', [12]);
  await annotate('busy', { count: 'last' });
  await untilNumbers('busy', [13]);
}, 300_000);

test('a burst of edits ends with a revision of the last one, each number once', async () => {
  await testbed.make('burst');
  await Promise.all(Array.from({ length: 40 }, (_, index) => annotate('burst', { edit: String(index) })));
  const last = await testbed.live('burst');
  await eventually(async () => {
    const { items } = await testbed.kube.list<CappRevision>(CAPP_REVISION, {
      namespace: NS,
      labelSelector: `${CAPP_OF_REVISION}=burst`,
    });
    expect(items.map(({ spec }) => spec?.cappTemplate.annotations)).toEqual([last.metadata.annotations]);
    return true;
  });
}, 300_000);

test('a Capp that a hub has shipped gets none: its hub keeps the history', async () => {
  const { apiVersion, kind } = CAPP;
  const template = { spec: { containers: [{ name: 'app', image: 'i:1' }] } };
  await testbed.kube.create<Capp>(CAPP, {
    apiVersion,
    kind,
    metadata: { ...at('shipped'), annotations: { [ROLLOUT]: 'u/1/h/1' } },
    spec: { configurationSpec: { template } },
  } as unknown as Capp);
  await testbed.says('shipped', 'Ready', 'Deploying');
  await testbed.operator.idle();
  expect(await numbersOf('shipped')).toEqual([]);
});
