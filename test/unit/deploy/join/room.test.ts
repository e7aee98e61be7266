// What room a site's agent needs on the disk of its machine.
import { refuseNoRoom } from '../../../../deploy/join/preflight.ts';

const MIB = 1_048_576;
const asked =
  (free: number, isNew: boolean): (() => void) =>
  () =>
    refuseNoRoom('/srv/site', { free: free * MIB, isNew });

test('a new agent without 64 MiB is refused, and one that has run goes on', () => {
  expect(asked(64, true)).not.toThrow();
  expect(asked(63.5, true)).toThrow(
    '--data-dir: 63 MiB are left on the disk of /srv/site, and an agent needs 64.',
  );
  expect(asked(0, false)).not.toThrow();
});
