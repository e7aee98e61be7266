// What an agent sends of a Capp's status to the hub: known fields, bounded, without the output of containers.
import { hashOf, MIRROR_LIMIT, mirrorOf, saying } from '../../../activities/agent/report/mirror.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';

const CANARY = 'canary-of-a-container';
const condition = (message: string, lastTransitionTime = '2026-03-01T12:00:00Z') => ({
  type: 'Ready',
  status: 'False',
  reason: 'ContainerMissing',
  message,
  lastTransitionTime,
});

test('the mirror has the fields that users know, and no others', () => {
  const status = {
    observedGeneration: 4,
    conditions: [],
    applicationLinks: { site: 'somewhere', consoleLink: 'http://app' },
    knativeObjectStatus: { url: 'http://app' },
    revisions: [{ name: 'app-1' }],
    routeStatus: { url: 'http://route' },
    loggingStatus: { conditions: [] },
    eventingStatus: { eventSources: [] },
    volumesStatus: { nfsVolumesStatus: [] },
    stateStatus: { state: 'enabled', lastChange: '2026-03-01T12:00:00Z' },
    migration: { serving: 'site-9' },
    ours: 'unknown',
  } as CappStatus;
  const { observedGeneration: _g, conditions: _c, migration: _m, applicationLinks: _l, ...rest } = status;
  const { ours: _o, ...known } = rest as typeof rest & { ours: string };
  expect(mirrorOf(status)).toEqual({ ...known, applicationLinks: { consoleLink: 'http://app' } });
  expect(mirrorOf(undefined)).toEqual({});
});

test('the mirror has RouteReady with its time and without a generation, but not Ready and Serving', () => {
  const aside = {
    type: 'RouteReady',
    status: 'False',
    reason: 'NotMapped',
    lastTransitionTime: '2026-03-01T12:00:00Z',
  } as const;
  const conditions = ['Ready', 'Serving', 'Else'].map((type) => ({ ...aside, type, message: 'm' }));
  const status: CappStatus = {
    conditions: [...conditions, { ...aside, message: 'x'.repeat(1_000), observedGeneration: 7 }],
  };
  expect(mirrorOf(status)).toEqual({ conditions: [{ ...aside, message: saying('x'.repeat(1_000)) }] });
});

test('a lastTransitionTime inside a field changes neither mirror nor hash', () => {
  const at = (time: string): CappStatus => ({
    knativeObjectStatus: { conditions: [condition('down', time)] },
  });
  const [before, after] = [mirrorOf(at('2026-03-01T12:00:00Z')), mirrorOf(at('2026-03-02T12:00:00Z'))];
  expect(after).toEqual(before);
  expect(JSON.stringify(after)).not.toContain('lastTransitionTime');
});

test('another verdict or reason changes the hash', () => {
  const hashes = [
    hashOf({}, 'Ready', 'Ready'),
    hashOf({}, 'Failed', 'Ready'),
    hashOf({}, 'Failed', 'Other'),
    hashOf({ revisions: [] }, 'Ready', 'Ready'),
  ];
  expect(new Set(hashes).size).toBe(4);
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{20}$/);
});

test.each([
  ['short', 'The image cannot be pulled.', 'The image cannot be pulled.'],
  [
    'with container output',
    `Revision "app-1" failed: Container failed with: panic: ${CANARY}\nat main`,
    'Revision "app-1" failed: the container failed.',
  ],
  ['with container output on many lines', `container failed with: \n${CANARY}`, 'the container failed.'],
])('a message that is %s is shortened as expected', (_name, message, said) => {
  expect(saying(message)).toBe(said);
});

test('a long message is cut to 256 bytes, between characters', () => {
  for (const message of ['x'.repeat(1_000), 'ä'.repeat(500), '🙂'.repeat(300), `x${'🙂'.repeat(300)}`]) {
    const said = saying(message);
    expect(Buffer.byteLength(said)).toBeLessThanOrEqual(256);
    expect(Buffer.byteLength(said)).toBeGreaterThan(248);
    expect(said).toMatch(/^[xä🙂]+…$/u);
  }
});

test('messages at any depth are shortened', () => {
  const status = {
    routeStatus: { conditions: [condition(`container failed with: ${CANARY}`)] },
    revisions: [{ name: 'a', revisionsStatus: { conditions: [condition('x'.repeat(1_000))] } }],
  };
  const text = JSON.stringify(mirrorOf(status));
  expect(text).not.toContain(CANARY);
  expect(text.length).toBeLessThan(700);
});

test('the mirror has at most the newest ten revisions', () => {
  const revisions = Array.from({ length: 40 }, (_, index) => ({ name: `app-${40 - index}` }));
  expect(mirrorOf({ revisions })['revisions']).toEqual(revisions.slice(0, 10));
});

test('a status that is too large loses its least important fields first', () => {
  const large = { filler: 'x'.repeat(MIRROR_LIMIT) };
  const links = { consoleLink: 'http://app' };
  const some = mirrorOf({
    applicationLinks: links,
    revisions: [{ name: 'app-1', revisionsStatus: large }],
    knativeObjectStatus: { url: 'http://app' },
  });
  expect(some).toEqual({ applicationLinks: links, knativeObjectStatus: { url: 'http://app' } });
  const all = mirrorOf({
    applicationLinks: links,
    revisions: [{ name: 'app-1', revisionsStatus: large }],
    routeStatus: large,
    loggingStatus: large,
    volumesStatus: large,
    knativeObjectStatus: large,
  });
  expect(all).toEqual({ applicationLinks: links });
});
