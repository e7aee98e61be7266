// Of the copies that are to go a person has let some go: the others wait, whichever these are by then.
import { HUB_TIMES } from '../../../activities/hub/times.ts';
import { clusters, held, leaving, NOW } from '../../support/builders/fleet/removals.ts';
import { NO_REMOVAL } from '../../support/builders/fleet/rollouts.ts';

const LATER = NOW + 2 * HUB_TIMES.setCounted.ms;

/** Of a hundred twenty were to go, fifteen went, and these did not. */
const rest = clusters(5, 15);
const given = leaving(20, 80);
const approved = held(given).leaving?.digest ?? '';
const { removal } = held(given, { ...NO_REMOVAL, allowed: 15, approved });

test('what a person did not let go waits when one of these is selected again, until none is to go', () => {
  expect(removal.allowed).toBe(0);
  const fewer = leaving(0, 81, { clusters: rest.slice(1) });
  for (const now of [NOW, LATER])
    expect(held(fewer, removal, 100, now)).toMatchObject({ clusters: [], held: 4 });
  const none = held(leaving(0, 85), held(fewer, removal).removal);
  expect(held(fewer, none.removal)).toMatchObject({ clusters: fewer.clusters, held: 0 });
});

test('what a person did not let go waits when one more leaves, and that with it, until a person lets them go', () => {
  const more = leaving(0, 79, { clusters: clusters(6, 15) });
  for (const now of [NOW, LATER])
    expect(held(more, removal, 100, now)).toMatchObject({ clusters: [], held: 6 });
  const again = { ...removal, allowed: 6, approved: held(more, removal).leaving?.digest ?? '' };
  expect(held(more, again)).toMatchObject({ clusters: more.clusters, held: 0 });
});
