// What is remembered of copies that could not be written: a site with a marker is not written, so a marker
// must go when the copy is there, and stay while nobody has tried.
import { refusedAfter, writtenBy } from '../../../activities/hub/rollout/shipped.ts';
import type { RefusedCopy } from '../../../workflows/stages/memory.ts';
import { NOW } from '../../support/builders/states.ts';

const SITES = ['s1', 's2', 's3', 's4', 's5'];
const marker = (at: number, more: Partial<RefusedCopy> = {}): RefusedCopy => ({
  revision: 'new',
  reason: 'WriteFailed',
  message: 'why',
  at,
  generation: 2,
  ...more,
});
const before = {
  s1: marker(1, { retryAt: 5 }),
  s2: marker(2, { retryAt: 5 }),
  s3: marker(3, { retryAt: 5 }),
  s4: marker(4),
  gone: marker(9),
};
const look = {
  members: SITES.map((cluster) => ({ site: { cluster }, target: { cluster, verdict: 'Progressing' } })),
  memory: { refused: before },
  plan: { advance: ['s1', 's2', 's3'].map((cluster) => ({ cluster, revision: 'new' })) },
};
const refusal = { reason: 'Rejected', message: 'no' };
const shipped = new Map([
  ['s1', { is: 'there', version: '7' }],
  ['s2', { is: 'unwritten', refusal }],
]);
const after = refusedAfter(look as never, shipped as never, () => 2, NOW);

test('a copy that is there is refused no more', () => {
  expect(after['s1']).toBeUndefined();
});

test('what is tried again remembers its first try, and what was not tried what it was', () => {
  expect(after['s2']).toMatchObject({ ...refusal, at: 2 });
  expect(after['s3']).toEqual(before.s3);
  expect(after['s4']).toEqual(before.s4);
});

test('of sites that are not selected any more nothing is remembered', () => {
  expect(Object.keys(after)).toEqual(['s2', 's3', 's4']);
});

test('what the API server refuses for good is refused from then on', () => {
  const refused = new Map([['s3', { is: 'refused', refusal }]]);
  const found = refusedAfter(look as never, refused as never, () => 3, NOW)['s3'];
  expect(found).toEqual({ ...refusal, revision: 'new', generation: 3, at: NOW });
});

test('a site has the revision just now only where its copy is there', () => {
  expect([...writtenBy(look as never, shipped as never)]).toEqual([['s1', 'new']]);
});
