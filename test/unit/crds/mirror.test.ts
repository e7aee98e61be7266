// What a site may write into a Capp's status on the hub: the fields that users know, with bounded sizes,
// whatever its agent sends.
import { mirrorOf } from '../../../activities/agent/report/mirror.ts';
import { mirrorPart } from '../../../activities/hub/status/status.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import { CappStatus as Schema } from '../../../crds/capp/status.ts';
import { allowedMirror } from '../../../crds/capp/mirror.ts';
import { aState } from '../../support/builders/states.ts';

const AT = '2026-03-01T12:00:00Z';
const HONEST: CappStatus = {
  applicationLinks: { consoleLink: 'https://app.apps.site-1.example:8443/x?y=z' },
  knativeObjectStatus: {
    url: 'http://app.apps.example',
    address: { url: 'http://app.apps.svc.cluster.local' },
    latestCreatedRevisionName: 'app-00002',
    latestReadyRevisionName: 'app-00001',
    observedGeneration: 2,
    traffic: [{ latestRevision: true, percent: 100, revisionName: 'app-00001' }],
    conditions: [
      {
        type: 'Ready',
        status: 'False',
        reason: 'RevisionMissing',
        message: 'Error: no such image: data is missing',
      },
    ],
  },
  revisions: [
    {
      name: 'app-00002',
      revisionsStatus: { containerStatuses: [{ name: 'app', imageDigest: 'x@sha256:1' }], actualReplicas: 0 },
    },
  ],
  routeStatus: { domainMappingObjectStatus: { url: 'https://app.example.com', observedGeneration: 1 } },
  loggingStatus: { conditions: [] },
  eventingStatus: { eventSources: [] },
  volumesStatus: {
    nfsVolumesStatus: [{ volumeName: 'v', nfsPvcStatus: { pvPhase: 'Bound', pvcPhase: 'Bound' } }],
  },
  stateStatus: { state: 'enabled', lastChange: AT },
  conditions: [
    { type: 'RouteReady', status: 'False', reason: 'NotMapped', message: 'Not yet.', lastTransitionTime: AT },
  ],
};

const isSmall = (value: unknown): boolean => Buffer.byteLength(JSON.stringify(value)) <= 16 * 1024;

test('the mirror of an honest agent is published unchanged', () => {
  expect(allowedMirror(mirrorOf(HONEST))).toEqual(mirrorOf(HONEST));
});

test('a site cannot set the status fields that the hub decides', () => {
  const hubs = {
    observedGeneration: 99,
    decisions: [{ at: AT, cluster: 'site-9', reason: 'Forged', candidates: [], excluded: [] }],
    migration: { serving: 'site-9', handledRequest: 'x', statusHash: 'forged' },
    applicationLinks: { site: 'site-9', consoleLink: 'http://app' },
    conditions: ['Ready', 'Placed', 'Applied', 'Available', 'Migrating', 'Stalled', 'Serving', 'Else'].map(
      (type) => ({
        type,
        status: 'True',
        reason: 'Forged',
        message: '',
        lastTransitionTime: AT,
      }),
    ),
    more: true,
  };
  expect(mirrorPart(hubs, 'hash', aState())).toEqual({
    applicationLinks: { consoleLink: 'http://app' },
    migration: { statusHash: 'hash', ...without(mirrorPart({}, 'hash', aState()).migration) },
  });
});

function without(migration: CappStatus['migration']): object {
  const { statusHash: _hash, ...rest } = migration ?? {};
  return rest;
}

test.each([
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'data:text/html,x',
  'ftp://files',
  '//elsewhere',
  'http://a"onclick="x',
  `http://${'x'.repeat(4_000)}`,
  '',
])('%p is dropped as a link', (link) => {
  const status = {
    applicationLinks: { consoleLink: link },
    knativeObjectStatus: { url: link, address: { url: link }, more: { homeLink: link } },
    routeStatus: { domainMappingObjectStatus: { url: link } },
  };
  expect(allowedMirror(status)).toEqual({
    knativeObjectStatus: { address: {}, more: {} },
    routeStatus: { domainMappingObjectStatus: {} },
  });
});

test('script URLs are dropped from every field', () => {
  expect(
    allowedMirror({ knativeObjectStatus: { a: 'javascript:x', b: ['\u0001vbscript:x', 'fine'] } }),
  ).toEqual({
    knativeObjectStatus: { b: ['fine'] },
  });
});

test.each<[string, unknown]>([
  [
    'a message of 40,000 bytes',
    {
      knativeObjectStatus: { conditions: [{ type: 'Ready', status: 'False', message: 'é'.repeat(20_000) }] },
    },
  ],
  [
    'a list of 5,000 messages',
    {
      knativeObjectStatus: {
        conditions: Array.from({ length: 5_000 }, () => ({
          type: 'x',
          status: 'y',
          message: 'z'.repeat(300),
        })),
      },
    },
  ],
  [
    'an object with 5,000 keys',
    { loggingStatus: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key-${index}`, 'x'])) },
  ],
  ['a key of a million characters', { loggingStatus: { ['k'.repeat(1_000_000)]: 1 } }],
  [
    'an object that is nested 5,000 deep',
    { loggingStatus: JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`) as unknown },
  ],
  [
    'several large fields together',
    Object.fromEntries(
      ['revisions', 'knativeObjectStatus', 'routeStatus', 'loggingStatus', 'volumesStatus'].map((name) => [
        name,
        { a: Array.from({ length: 60 }, () => 'x'.repeat(1_000)) },
      ]),
    ),
  ],
])('%s is cut to at most 16 KiB', (_name, status) => {
  const allowed = allowedMirror(status);
  expect(isSmall(allowed)).toBe(true);
  expect(Schema.safeParse(allowed).success).toBe(true);
  for (const condition of allowed.knativeObjectStatus?.conditions ?? [])
    expect(Buffer.byteLength(condition.message ?? '')).toBeLessThanOrEqual(256);
});

test.each([
  [
    'not an object',
    {
      knativeObjectStatus: 'x',
      revisions: {},
      routeStatus: [],
      volumesStatus: 7,
      stateStatus: null,
      loggingStatus: true,
    },
    {},
  ],
  [
    'of another type',
    {
      knativeObjectStatus: { url: 5, latestCreatedRevisionName: 7 },
      stateStatus: { lastChange: 'yesterday' },
    },
    {},
  ],
  ['a revision without a name', { revisions: [{ revisionsStatus: {} }] }, {}],
])('a field that is %s is dropped, and the rest is published', (_name, status, expected) => {
  expect(allowedMirror({ ...status, applicationLinks: { consoleLink: 'http://app' } })).toEqual({
    ...expected,
    applicationLinks: { consoleLink: 'http://app' },
  });
});

test.each<[string, object]>([
  ['a condition whose reason is not a word', { reason: 'not a reason' }],
  ['a condition with a reason of more than 64 characters', { reason: 'X'.repeat(65) }],
  ['a condition with an unknown status', { status: 'Perhaps' }],
  ['a condition without a valid time', { lastTransitionTime: 'now' }],
])('%s is dropped', (_name, plain) => {
  const [aside] = HONEST.conditions ?? [];
  expect(allowedMirror({ conditions: [{ ...aside, ...plain }, 7, null] })).toEqual({});
});

test.each([undefined, null, 7, 'x', [], () => 1, Symbol('x')])(
  '%p as a mirror gives an empty status',
  (given) => {
    expect(allowedMirror(given)).toEqual({});
  },
);

test('of very many fields no more are looked at than are kept', () => {
  let looks = 0;
  const many = {};
  for (let index = 0; index < 1_000; index += 1)
    Object.defineProperty(many, `k${index}`, { enumerable: true, get: () => (looks += 1) });
  const { stateStatus } = allowedMirror({ stateStatus: many });
  expect(looks).toBe(64);
  expect(stateStatus).toBeDefined();
});
