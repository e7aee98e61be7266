// What the resync finds and rings for: everything that was missed while the bridge or Temporal was down.
import { jest } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { ringForStale, ringForUnready } from '../../../../bridge/resync/resync.ts';
import { workflowResync } from '../../../../bridge/resync/workflows.ts';
import type { RingCall, Ringer } from '../../../../bridge/ringer.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { byNames, ownWork } from '../../../support/builders/works.ts';

const OLD = '2026-03-01T12:00:00Z';

function aged(name: string, meta: Partial<Capp['metadata']> = {}): Capp {
  const capp = aCapp({ name, uid: `uid-${name}` });
  return { ...capp, metadata: { ...capp.metadata, creationTimestamp: OLD, ...meta } };
}

function ready(capp: Capp): Capp {
  const condition = {
    type: 'Ready',
    status: 'True' as const,
    reason: 'Ready',
    message: '',
    lastTransitionTime: OLD,
    observedGeneration: 1,
  };
  return {
    ...capp,
    status: { observedGeneration: 1, conditions: [condition], applicationLinks: { site: 'site-1' } },
  };
}

function workOf(name: string): KubeObject {
  return ownWork({ name, uid: `uid-${name}` });
}

const versioned = (name: string, resourceVersion: string, rest: object = {}) => ({
  metadata: { name, resourceVersion },
  ...rest,
});

/** What a ring for a Capp without a site asks for besides. */
const PLACES = {
  roleBindings: { by: () => [] },
  serviceAccounts: { get: () => undefined },
  configs: {
    list: () => [versioned('rcs-config', '7', { spec: { placements: [], placementsNamespace: '' } })],
  },
  clusters: { list: () => [versioned('site-1', '3')], get: () => undefined },
  drains: { list: () => [], changedAt: () => '' },
  placements: { list: () => [] },
  decisions: { list: () => [] },
};

/** The bridge's caches, the workflows that run, and the rings: name, cause, uid. */
function hub(capps: readonly Capp[], works: readonly KubeObject[] = [], running: readonly string[] = []) {
  const calls: string[] = [];
  const yielding: string[] = [];
  const versions: unknown[] = [];
  const ringer: Pick<Ringer, 'ring'> = {
    ring: ({ name, cause, uid, yields, changed, beside }: RingCall) => {
      versions.push([changed, beside]);
      calls.push(`${name} ${cause} ${uid}`);
      if (yields === true) yielding.push(name);
    },
  };
  const watched = {
    capps: byNames(capps),
    works: byNames(works),
    secrets: byNames([]),
    configMaps: byNames([]),
    ...PLACES,
  } as unknown as BridgeWatched;
  let lists = 0;
  async function* list() {
    lists += 1;
    for (const workflowId of running) yield await Promise.resolve({ workflowId });
  }
  const count = () => Promise.resolve({ count: running.length });
  const client = { workflow: { list, count } } as unknown as Pick<Client, 'workflow'>;
  const told = (): string[] => calls.splice(0);
  return {
    watched,
    ringer: ringer as Ringer,
    census: workflowResync(client, watched, ringer as Ringer),
    told,
    /** How often all running workflows have been listed. */
    lists: () => lists,
    /** Those whose ring goes behind all others. */
    yielding,
    /** The changed object of each ring, and what else it asks of the caches. */
    versions,
  };
}

const going = aged('going', { deletionTimestamp: OLD });

test('a Capp without a workflow is rung for, also when it is being deleted', async () => {
  const { census, told } = hub([ready(aged('kept')), going, aged('missed')], [], ['capp/apps/kept']);
  await census();
  expect(told()).toEqual(['going spec uid-going', 'missed spec uid-missed']);
});

describe('when all workflows are listed', () => {
  beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-02T12:00:00Z') }));
  afterEach(() => void jest.useRealTimers());

  test('with as many of them as Capps: every ten minutes', async () => {
    const { census, lists } = hub([ready(aged('kept'))], [], ['capp/apps/kept']);
    for (let minute = 0; minute < 21; minute += 1) {
      await census();
      jest.advanceTimersByTime(60_000);
    }
    expect(lists()).toBe(3);
  });

  test('when one has been lost: in the next minute', async () => {
    const running = ['capp/apps/kept', 'capp/apps/lost'];
    const { census, told } = hub([ready(aged('kept')), ready(aged('lost'))], [], running);
    await census();
    running.pop();
    jest.advanceTimersByTime(60_000);
    await census();
    expect(told()).toEqual(['lost spec uid-lost']);
  });

  test('while one is missing and another has no Capp: every minute, although their number is right', async () => {
    const { census, lists, told } = hub([aged('missed')], [], ['capp/apps/widow']);
    for (let minute = 0; minute < 3; minute += 1) {
      await census();
      jest.advanceTimersByTime(60_000);
    }
    expect(lists()).toBe(3);
    expect(told()).toEqual([
      'widow meta null',
      'missed spec uid-missed',
      'missed spec uid-missed',
      'missed spec uid-missed',
    ]);
  });
});

test('a Capp that was just created is not rung for, because Temporal may not list its workflow yet', async () => {
  const { census, told } = hub([aged('newborn', { creationTimestamp: new Date().toISOString() })]);
  await census();
  expect(told()).toEqual([]);
});

test('a workflow whose Capp is gone is rung for, and not again in the next resync', async () => {
  const { census, told } = hub([], [], ['capp/apps/widow', 'capp/apps/widow/of-another-form', 'site/site-1']);
  await census();
  await census();
  expect(told()).toEqual(['widow meta null']);
});

test('a bridge that starts rings for Capps that are being deleted, were never looked at or are not Ready, and for works without a Capp', () => {
  const { watched, ringer, told } = hub([going, aged('missed')], [workOf('going'), workOf('orphan')]);
  ringForUnready(watched, ringer);
  expect(told()).toEqual(['going spec uid-going', 'missed spec uid-missed']);
  ringForStale(watched, ringer);
  expect(told()).toEqual(['going spec uid-going', 'missed spec uid-missed', 'orphan work uid-orphan']);
});

test('a work without a Capp and without our label starts no workflow, whatever its annotations say', () => {
  const { metadata } = workOf('heirloom');
  const bare: KubeObject = { metadata: { name: metadata.name, namespace: 'site-1' } };
  const annotated: KubeObject = { metadata: { ...metadata, labels: {} } };
  const misnamed: KubeObject = { metadata: { ...metadata, name: 'mw-create-another-work' } };
  const { watched, ringer, told } = hub([], [bare, annotated, misnamed]);
  ringForStale(watched, ringer);
  expect(told()).toEqual([]);
});

describe('a work on a site other than that of its Capp', () => {
  const elsewhere = ownWork({ name: 'app', uid: 'uid-app' }, { namespace: 'site-2' });
  const moving = (capp: Capp): Capp => {
    const condition = {
      type: 'Migrating',
      status: 'True' as const,
      reason: 'Moving',
      message: '',
      lastTransitionTime: OLD,
    };
    return { ...capp, status: { ...capp.status, conditions: [condition] } };
  };

  test('rings its Capp with cause stray, also while the Capp is not Ready', () => {
    const unready = {
      ...aged('app'),
      status: { observedGeneration: 1, applicationLinks: { site: 'site-1' } },
    };
    const { watched, ringer, told } = hub([unready], [workOf('app'), elsewhere]);
    ringForStale(watched, ringer);
    expect(told()).toEqual(['app stray uid-app']);
  });

  test.each<[string, Capp, readonly KubeObject[]]>([
    [
      'when it is being deleted',
      ready(aged('app')),
      [workOf('app'), { metadata: { ...elsewhere.metadata, deletionTimestamp: OLD } }],
    ],
    ['when the Capp is moving there', moving(ready(aged('app'))), [workOf('app'), elsewhere]],
    ['when the Capp has no site yet', aged('app'), [elsewhere]],
  ])('does not count as a stray %s', (_what, capp, works) => {
    const { watched, ringer, told } = hub([capp], works);
    ringForStale(watched, ringer);
    expect(told().filter((call) => call.includes('stray'))).toEqual([]);
  });
});

test('the resync rings for what is new, edited or being deleted before it rings for what was seen', async () => {
  const seen: Capp = { ...aged('seen'), status: { observedGeneration: 1 } };
  const { watched, ringer, census, yielding } = hub([seen, going, aged('new')]);
  await census();
  ringForUnready(watched, ringer);
  expect(yielding).toEqual(['seen', 'seen']);
});

test('a ring of the resync asks for caches as new as the edit that it found', () => {
  const edited = aged('edited', { generation: 2, resourceVersion: '41' });
  const { watched, ringer, versions } = hub([{ ...ready(edited), status: { observedGeneration: 1 } }]);
  ringForStale(watched, ringer);
  expect(versions).toEqual([
    [
      { kind: 'Capp', resourceVersion: '41' },
      { RCSConfig: '7', ManagedCluster: '3' },
    ],
  ]);
});
