// What workflows understand of what comes from outside: what is of the right shape, bounded, and of anything
// else nothing, without a throw.
import { readAnswer } from '../../../workflows/parse/answer.ts';
import { readInventory } from '../../../workflows/parse/inventory.ts';
import { textOf } from '../../../workflows/parse/fields.ts';
import { readMeasured } from '../../../workflows/parse/figures.ts';
import { payloadConverter, UNREADABLE } from '../../../workflows/parse/payload-converter.ts';
import { readRing } from '../../../workflows/parse/ring.ts';
import { readLeave, readPermit, readTurnRequest, readSettled } from '../../../workflows/parse/turns.ts';
import { withUnreadable, withRing } from '../../../workflows/capp/after/rings.ts';
import { aFinding, aPlacedState } from '../../support/builders/states.ts';

const HUGE = 'x'.repeat(1_000_000);
const DEEP = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
const NOTHING: readonly unknown[] = [
  undefined,
  null,
  0,
  7,
  NaN,
  true,
  '',
  'spec',
  [],
  [null],
  {},
  UNREADABLE,
  new Uint8Array(8),
  HUGE,
  DEEP,
  () => 1,
];

describe.each<[string, (given: unknown) => unknown]>([
  ['ring', readRing],
  ['inventory', readInventory],
  ['answer', readAnswer],
  ['measure', readMeasured],
  ['permit', readPermit],
  ['leave', readLeave],
  ['requestTurn', readTurnRequest],
  ['settled', readSettled],
])('a %s', (_name, read) => {
  test.each(NOTHING.map((given, index) => [index, given] as const))(
    'is nothing when it is none (%#)',
    (_index, given) => {
      expect(read(given)).toBeNull();
    },
  );

  test.each([
    'causes',
    'minimumVersions',
    'seen',
    'entries',
    'finding',
    'mirror',
    'figures',
    'cluster',
    'answer',
    'namespace',
    'name',
    'to',
  ])('is nothing with %s of any other kind', (field) => {
    for (const value of NOTHING) {
      if ((field === 'entries' && Array.isArray(value)) || (field === 'cluster' && value === 'spec'))
        continue;
      expect(read({ [field]: value })).toBeNull();
    }
  });
});

describe('of a ring', () => {
  test('causes are those that are known, and one that is not asks to look at everything', () => {
    expect(readRing({ causes: ['site', 'spec', 'spec'] })).toEqual({
      causes: ['spec', 'site'],
      minimumVersions: {},
    });
    expect(readRing({ causes: ['of a newer version'] })).toEqual({ causes: ['resync'], minimumVersions: {} });
    expect(readRing({ causes: [7, null] })).toBeNull();
  });

  test('only the plain word asks to tell users again', () => {
    expect(readRing({ causes: ['spec'], tellAgain: true })).toEqual({
      causes: ['spec'],
      minimumVersions: {},
      tellAgain: true,
    });
    for (const tellAgain of [false, 'true', 1, null, {}])
      expect(readRing({ causes: ['spec'], tellAgain })).toEqual({ causes: ['spec'], minimumVersions: {} });
  });

  test.each<[string, object, object]>([
    ['a version of a kind that a cache answers', { Capp: '7' }, { Capp: '7' }],
    ['the highest that etcd can have', { Capp: '18446744073709551615' }, { Capp: '18446744073709551615' }],
    ['no longer number', { Capp: '9'.repeat(21) }, {}],
    [
      'no number that is none',
      { Capp: '-1', Placement: '1e9', ManifestWork: ' 1', RCSConfig: '', ManagedCluster: '007' },
      {},
    ],
    ['no kind that nobody answers', { Secret: '7', constructor: '7', ['__proto__']: '7' }, {}],
    ['nothing of another kind', { Capp: 7, Placement: null, ManifestWork: ['7'] }, {}],
  ])('minimum resource versions are %s', (_name, minimumVersions, expected) => {
    expect(readRing({ causes: ['spec'], minimumVersions })?.minimumVersions).toEqual(expected);
  });

  test('no more is kept of whoever was seen than a Capp can have copies, nor a time that no clock has', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`site-${index}`, index]));
    expect(Object.keys(readRing({ causes: ['site'], seen: many })?.seen ?? {})).toHaveLength(16);
    expect(
      readRing({ causes: ['site'], seen: { 'site-1': 1e300, 'site-2': -1, '../': 1, 'site-3': 'now' } }),
    ).toEqual({
      causes: ['site'],
      minimumVersions: {},
    });
  });

  test('a sight of a cluster that has no copy makes none, whatever it is called', () => {
    const state = aPlacedState();
    const { copies } = withRing(state, {
      causes: ['site'],
      minimumVersions: {},
      seen: { constructor: 1, 'site-9': 1, 'site-1': 5 },
    });
    expect([Object.keys(copies), copies['site-1']?.seenAt]).toEqual([['site-1'], 5]);
  });
});

describe('of an answer', () => {
  const finding = aFinding();

  test('what is right is taken as it is', () => {
    expect(readAnswer({ finding, mirror: { a: 1 } })).toEqual({ finding, mirror: { a: 1 } });
    expect(readAnswer({ finding })).toEqual({ finding, mirror: null });
  });

  test.each([
    { verdict: 'Perhaps' },
    { healthy: 'yes' },
    { reason: 'x'.repeat(65) },
    { reason: 'not camel' },
    { reason: '' },
    { statusHash: '' },
    { statusHash: 'x'.repeat(65) },
    { statusHash: null },
  ])('nothing is believed with %j', (plain) => {
    expect(readAnswer({ finding: { ...finding, ...plain } })).toBeNull();
  });

  test('a message is cut, and one that says nothing is said to, so that every condition has a reason', () => {
    const message = readAnswer({ finding: { ...finding, message: HUGE } })?.finding.message ?? '';
    expect([Buffer.byteLength(message), message.endsWith('x…')]).toEqual([256, true]);
    for (const none of [7, '', ' \n'])
      expect(readAnswer({ finding: { ...finding, message: none } })?.finding.message).toBe(
        'The site says Ready, and no more.',
      );
  });

  test.each([
    ['too large', { a: HUGE }],
    ['too deep', { a: DEEP }],
    ['none', []],
  ])('a mirror that is %s is left out', (_name, mirror) => {
    expect(readAnswer({ finding, mirror })).toEqual({ finding, mirror: null });
  });
});

test.each([
  ['é', 5, 'éé', 'éé'],
  ['é', 5, 'ééé', 'é…'],
  ['😀', 8, '😀😀', '😀😀'],
  ['😀', 8, '😀😀😀', '😀…'],
])('a text of %s is cut to %i bytes between characters', (_name, bytes, text, expected) => {
  expect(textOf(text, bytes)).toBe(expected);
});

test('what could not be read changes nothing but its count', () => {
  const state = aPlacedState({ unreadable: 2 });
  expect(withUnreadable(state)).toEqual({ ...state, unreadable: 3 });
});

describe('the payload converter', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  test.each([
    ['binary garbage', { metadata: { encoding: bytes('binary/nonsense') }, data: bytes('x') }],
    ['half a JSON', { metadata: { encoding: bytes('json/plain') }, data: bytes('{') }],
    ['no text', { metadata: { encoding: bytes('json/plain') }, data: new Uint8Array([0xff]) }],
    ['no encoding', { metadata: {}, data: bytes('{}') }],
    ['nothing', {}],
  ])('makes of %s what nobody can read', (_name, payload) => {
    expect(payloadConverter.fromPayload(payload)).toBe(UNREADABLE);
  });

  test('leaves all else as it was', () => {
    for (const value of [undefined, null, 7, 'text', { causes: ['spec'] }]) {
      expect(payloadConverter.fromPayload(payloadConverter.toPayload(value))).toEqual(value);
    }
  });
});
