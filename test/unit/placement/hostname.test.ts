// Which of several Capps has the hostname that they all ask for.
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
  ['nobody asks', null, []],
  ['one asks', 'a', [at('a', LATE)]],
  ['one is older', 'b', [at('a', LATE), at('b', EARLY)]],
  ['both are of one second', 'b', [at('a', LATE, 'uid-2'), at('b', LATE, 'uid-1')]],
  ['of three, two are of one second', 'c', [at('a', LATE), at('b', EARLY, 'uid-9'), at('c', EARLY, 'uid-1')]],
  [
    'times are written in different ways',
    'b',
    [at('a', '2026-03-01T12:00:00Z'), at('b', '2026-03-01T12:30:00+02:00')],
  ],
])('when %s', (_name, owner, claimants) => {
  for (const order of [claimants, claimants.toReversed()]) expect(ownerOf(order)?.name ?? null).toBe(owner);
});
