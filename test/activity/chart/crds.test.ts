// What a real API server accepts and refuses by our CRDs.
import { CAPP } from '../../../crds/capp/capp.ts';
import { RCS_CONFIG } from '../../../crds/hub/rcs-config.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { serveOurs } from '../../support/servers/api/definitions.ts';
import { sampleCapp } from '../../support/builders/manifests/samples.ts';
import { bareServer } from '../../support/testbeds/hub/bare-server.ts';

const NS = 'crds-test';
const container = { name: 'a', image: 'i' };
const podOf = (pod: object) => ({ configurationSpec: { template: { spec: pod } } });
const good = podOf({ containers: [container] });
const moves = { policy: 'Evacuate', strategy: 'MakeBeforeBreak', failback: 'Never' };
const nfs = { name: 'data', server: 's', path: '/p', capacity: { storage: '1Gi' } };
const elastic = { type: 'elastic', host: 'h', index: 'i', user: 'u', passwordSecret: 'p' };

const asks = (operator: string, ...values: string[]) => ({
  matchExpressions: [{ key: 'region', operator, ...(values.length === 0 ? {} : { values }) }],
});

let kube: Kube;
bareServer(NS, (given) => (kube = given), { prepare: serveOurs });

const made = ({ apiVersion, kind }: Resource, name: string, spec: unknown) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: NS },
  spec,
});

/** Returns the object as the API server would store it. Refuses unknown fields, as kubectl does. */
function dryRun(spec: unknown, name = 'app'): Promise<unknown> {
  const path = `/apis/${CAPP.apiVersion}/namespaces/${NS}/capps?dryRun=All&fieldValidation=Strict`;
  return kube.raw('POST', path, { body: made(CAPP, name, spec) });
}

describe('the API server accepts', () => {
  it.each(['seed-hub.yaml', 'seed-site.yaml', 'capp.yaml'])(
    'the sample %s, and adds nothing but defaults',
    async (file) => {
      const { spec } = sampleCapp(file);
      expect(await dryRun(spec)).toHaveProperty('spec', {
        state: 'enabled',
        scaleMetric: 'concurrency',
        ...Object(spec),
      });
    },
  );

  it.each([
    [
      'fields of a pod spec that the schema does not know',
      podOf({
        containers: [{ ...container, lifecycle: { x: [1] } }],
        hostAliases: [{ ip: 'x' }],
        fresh: { a: null },
      }),
    ],
    [
      'empty fields that the Go operators leave behind',
      { ...good, routeSpec: { trafficTarget: {} }, logSpec: {}, volumesSpec: {} },
    ],
    [
      'a template with any metadata',
      {
        configurationSpec: {
          template: {
            metadata: { name: 'n', creationTimestamp: null, annotations: { a: 'b' } },
            spec: { containers: [container] },
          },
        },
      },
    ],
    [
      'what a site must be like',
      {
        ...good,
        requires: {
          labels: { matchLabels: { region: 'eu' }, ...asks('In', 'eu', 'us') },
          claims: asks('DoesNotExist'),
        },
      },
    ],
    [
      'how long it bears to be unhealthy',
      { ...good, migration: { ...moves, unhealthy: { afterSeconds: 60, restarts: 3 } } },
    ],
    [
      'a quantity that is a number',
      { ...good, volumesSpec: { nfsVolumes: [{ ...nfs, capacity: { storage: 5 } }] } },
    ],
  ])('%s, unchanged', async (_title, spec) => {
    expect(await dryRun(spec)).toHaveProperty('spec', {
      state: 'enabled',
      scaleMetric: 'concurrency',
      ...spec,
    });
  });
});

describe('the API server refuses, naming the field,', () => {
  it.each<[string, unknown, string]>([
    ['a Capp without a workload', {}, 'spec.configurationSpec'],
    [
      'a pod without containers',
      podOf({ containers: [] }),
      'spec.configurationSpec.template.spec.containers',
    ],
    [
      'a container without an image',
      podOf({ containers: [{ name: 'a' }] }),
      'spec.configurationSpec.template.spec.containers[0].image',
    ],
    [
      'a number where text belongs',
      podOf({ containers: [{ ...container, env: [{ name: 'A', value: 1 }] }] }),
      'spec.configurationSpec.template.spec.containers[0].env[0].value',
    ],
    ['a log without an index', { ...good, logSpec: { ...elastic, index: '' } }, 'spec.logSpec.index'],
    ['a log without a user', { ...good, logSpec: { ...elastic, user: undefined } }, 'spec.logSpec.user'],
    ['a log without a type', { ...good, logSpec: { host: 'h' } }, 'spec.logSpec.type'],
    ['an unknown metric', { ...good, scaleMetric: 'disk' }, 'spec.scaleMetric'],
    [
      'a maximum below the minimum',
      { ...good, scaleSpec: { minReplicas: 3, maxReplicas: 2 } },
      'spec.scaleSpec.maxReplicas',
    ],
    [
      'a maximum below the minimum of an older manifest',
      { ...good, minReplicas: 3, scaleSpec: { maxReplicas: 2 } },
      'spec.minReplicas',
    ],
    ['an unknown policy', { ...good, migration: { policy: 'Never' } }, 'spec.migration.policy'],
    [
      'an operator that no selector has',
      { ...good, requires: { labels: asks('Foo', 'x') } },
      'spec.requires.labels.matchExpressions[0].operator',
    ],
    [
      'In without values',
      { ...good, requires: { labels: asks('In') } },
      'spec.requires.labels.matchExpressions[0].values',
    ],
    [
      'NotIn with an empty list',
      { ...good, requires: { claims: { matchExpressions: [{ key: 'a', operator: 'NotIn', values: [] }] } } },
      'spec.requires.claims.matchExpressions[0].values',
    ],
    [
      'Exists with a value',
      { ...good, requires: { claims: asks('Exists', 'x') } },
      'spec.requires.claims.matchExpressions[0].values',
    ],
    [
      'an expression without a key',
      { ...good, requires: { labels: { matchExpressions: [{ operator: 'Exists' }] } } },
      'spec.requires.labels.matchExpressions[0].key',
    ],
    [
      'a Capp that leaves as soon as it is unhealthy',
      { ...good, migration: { unhealthy: { afterSeconds: 59 } } },
      'spec.migration.unhealthy.afterSeconds',
    ],
    [
      'a Capp that leaves without a restart',
      { ...good, migration: { unhealthy: { afterSeconds: 60, restarts: 0 } } },
      'spec.migration.unhealthy.restarts',
    ],
    [
      'a Capp that leaves when it is unhealthy, and does not say after how long',
      { ...good, migration: { unhealthy: {} } },
      'spec.migration.unhealthy.afterSeconds',
    ],
    [
      'an unhealthy Capp whose old copy goes first',
      { ...good, migration: { strategy: 'Recreate', unhealthy: { afterSeconds: 300 } } },
      'spec.migration.unhealthy',
    ],
    [
      'a relative export',
      { ...good, volumesSpec: { nfsVolumes: [{ ...nfs, path: 'p' }] } },
      'spec.volumesSpec.nfsVolumes[0].path',
    ],
    [
      'a volume without a server',
      { ...good, volumesSpec: { nfsVolumes: [{ ...nfs, server: undefined }] } },
      'spec.volumesSpec.nfsVolumes[0].server',
    ],
    [
      'an invalid quantity',
      { ...good, volumesSpec: { nfsVolumes: [{ ...nfs, capacity: { storage: 'much' } }] } },
      'spec.volumesSpec.nfsVolumes[0].capacity.storage',
    ],
  ])('%s', async (_title, spec, field) => {
    await expect(dryRun(spec)).rejects.toMatchObject({
      code: 422,
      fields: expect.arrayContaining([expect.stringContaining(field)]),
    });
  });

  it.each([
    ['an unknown field', { ...good, scaleMetrik: 'cpu' }, 'app', 400],
    ['a name that begins with a digit', good, '9app', 422],
    ['a name of 64 characters', good, 'a'.repeat(64), 422],
    ['a name with a dot', good, 'a.b', 422],
  ])('%s', async (_title, spec, name, code) => {
    await expect(dryRun(spec, name)).rejects.toMatchObject({ code });
  });

  it('an RCSConfig without placements', async () => {
    await expect(kube.create(RCS_CONFIG, made(RCS_CONFIG, 'c', { placements: [] }))).rejects.toMatchObject({
      code: 422,
      fields: [expect.stringContaining('spec.placements')],
    });
  });
});

describe('the status of a Capp', () => {
  it('is stored completely, with the status of Knative in it, and causes no new generation', async () => {
    const capp = made(CAPP, 'status', good);
    await kube.create(CAPP, capp);
    const at = '2026-11-21T08:00:00Z';
    const status = {
      observedGeneration: 1,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'Ready',
          message: '',
          lastTransitionTime: at,
          observedGeneration: 1,
        },
      ],
      knativeObjectStatus: { url: 'u', traffic: [{ percent: 100 }], anything: { at: 'all' } },
      revisions: [{ name: 'r', revisionsStatus: { actualReplicas: 1 } }],
      decisions: [{ at, cluster: null, reason: 'NoDecision', placement: 'p', candidates: [], excluded: [] }],
      migration: { serving: 'site-1', lastMove: { from: 'site-2', to: 'site-1' } },
    };
    const object: KubeObject & { readonly status: unknown } = { ...capp, status };
    const written = await kube.apply(CAPP, object, { fieldManager: 'test', subresource: 'status' });
    expect(written).toHaveProperty('status', status);
    expect(written.metadata.generation).toBe(1);
  });
});
