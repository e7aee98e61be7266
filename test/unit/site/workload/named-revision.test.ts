// A Capp that names its revision keeps what runs when only the site's figures change: Knative changes no
// revision of a name.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { KnativeService } from '../../../../crds/kubernetes/knative.ts';
import { normalise } from '../../../../crds/capp/normalise.ts';
import { DEFAULT_AUTOSCALE, NO_LIMITS, type Autoscale } from '../../../../site/workload/autoscaling.ts';
import { scaleReady } from '../../../../site/workload/limits.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { writtenService } from '../../../support/builders/site/written-service.ts';

const SCALING = 'autoscaling.knative.dev/';
const LIMITED: Autoscale = { ...DEFAULT_AUTOSCALE, limits: { ...NO_LIMITS, scaleDelaySeconds: 600 } };
/** As the version before decision 126 did. */
const BEFORE: Autoscale = { ...LIMITED, limits: { ...LIMITED.limits, windowSeconds: null } };

function named(annotations: Record<string, string>, name: string | null = 'app-v1'): Capp {
  const own = Object.entries(annotations).map(([key, value]) => [`${SCALING}${key}`, value]);
  const template = {
    metadata: { ...(name === null ? {} : { name }), annotations: Object.fromEntries(own) },
    spec: { containers: [{ name: 'a', image: 'i' }] },
  };
  const spec = { configurationSpec: { template } };
  return normalise(aCapp({ name: 'app', namespace: 'ns', uid: 'u', spec })).capp;
}

const written = (capp: Capp, live: KnativeService | undefined, autoscale: Autoscale) =>
  writtenService(capp, live, { autoscale });

async function running(capp: Capp, autoscale: Autoscale): Promise<KnativeService> {
  const live = await written(capp, undefined, autoscale);
  if (live === null) throw new Error('Nothing was written.');
  return live;
}

/** A Capp whose status tells of `observed`, when its spec is the second one. */
function seen(capp: Capp, ready: 'True' | 'Unknown' | 'False', observed = 2): Capp {
  const conditions = [
    { type: 'Ready', status: ready, reason: 'r', message: '', lastTransitionTime: '2026-03-01T12:00:00Z' },
  ];
  const metadata = { ...capp.metadata, generation: 2 };
  return { ...capp, metadata, status: { observedGeneration: observed, conditions } };
}

test.each<[string, Autoscale, Autoscale]>([
  ['an upgrade lowers its window', BEFORE, LIMITED],
  ['its site lowers a limit', DEFAULT_AUTOSCALE, LIMITED],
  ['its site has another target', LIMITED, { ...LIMITED, targets: { ...LIMITED.targets, concurrency: 99 } }],
  ['its site has more replicas to wake up with', LIMITED, { ...LIMITED, activationScale: 9 }],
])('a running Capp whose revision has a name is not written when %s', async (_why, before, after) => {
  const capp = named({ window: '1h', 'max-scale': '0' });
  const live = await running(capp, before);
  expect(await written(capp, live, after)).toBeNull();
  const free = named({ window: '1h', 'max-scale': '0' }, null);
  expect(await written(free, await running(free, before), after)).not.toBeNull();
});

test('it gets the figures with its next name', async () => {
  const live = await running(named({ window: '1h' }), BEFORE);
  const renamed = await written(named({ window: '1h' }, 'app-v2'), live, LIMITED);
  expect(renamed?.spec?.template?.metadata).toMatchObject({
    name: 'app-v2',
    annotations: { [`${SCALING}window`]: '10m0s' },
  });
});

test.each([
  [{ 'min-scale': '2' }, { 'min-scale': '3' }],
  [{ minScale: '2' }, { minScale: '3' }],
  [{ 'max-scale': '5' }, { 'max-scale': '0' }],
  [{ window: '20s' }, { window: '30s' }],
])(
  'an edit for more under the same name is written, so that Knative says why not: %j to %j',
  async (from, to) => {
    const live = await running(named(from), DEFAULT_AUTOSCALE);
    const first = seen(named(to), 'True', 1);
    const annotations = Object.entries(to).map(([key, value]) => [`${SCALING}${key}`, value]);
    for (const edited of [first, seen(first, 'Unknown'), seen(first, 'False')]) {
      const object = await written(edited, live, LIMITED);
      expect(object?.spec?.template?.metadata?.annotations).toMatchObject(Object.fromEntries(annotations));
    }
  },
);

test('a raised limit is no edit', async () => {
  const capp = named({ window: '1h' });
  const live = await running(capp, LIMITED);
  expect(await written(seen(capp, 'True'), live, DEFAULT_AUTOSCALE)).toBeNull();
});

test('what its site lowers is said of the next name', () => {
  const said = (capp: Capp): string => scaleReady(capp, LIMITED.limits)?.message ?? '';
  expect(said(named({ window: '1h' }))).toContain(
    'A revision that you have named keeps what it was made with.',
  );
  expect(said(named({ window: '1h' }, null))).not.toContain('named');
});
