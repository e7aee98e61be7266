// Which of several Capps gets the hostname that they all ask for.
import { ownerOf, type Claimant } from '../../../workflows/placement/hostname.ts';

const at = (name: string, createdAt: string, uid = name): Claimant => ({
  namespace: 'apps',
  name,
  uid,
  createdAt,
});
const EARLY = '2026-03-01T11:59:59Z';
const LATE = '2026-03-01T12:00:00Z';

test.each<[string, string | null, Claimant[]]>([
  ['no Capp gets a hostname that none asks for', null, []],
  ['a Capp gets a hostname that no other asks for', 'a', [at('a', LATE)]],
  ['the older of two Capps gets the hostname', 'b', [at('a', LATE), at('b', EARLY)]],
  [
    'the Capp with the lower uid gets the hostname when both were created in the same second',
    'b',
    [at('a', LATE, 'uid-2'), at('b', LATE, 'uid-1')],
  ],
  [
    'the Capp with the lower uid gets the hostname when the two oldest of three were created in the same second',
    'c',
    [at('a', LATE), at('b', EARLY, 'uid-9'), at('c', EARLY, 'uid-1')],
  ],
  [
    'the older Capp gets the hostname when creation times have different offsets',
    'b',
    [at('a', '2026-03-01T12:00:00Z'), at('b', '2026-03-01T12:30:00+02:00')],
  ],
])('%s', (_name, owner, claimants) => {
  for (const order of [claimants, claimants.toReversed()]) expect(ownerOf(order)?.name ?? null).toBe(owner);
});
