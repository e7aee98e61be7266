// Users who were sent to a new copy that fails before it is confirmed go back to the old one if that serves
// by now: real workflow, real hub worker, simulated sites.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { MIGRATE } from '../../../../crds/labels.ts';
import { capp } from '../../../../testbed/capps.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { changeCapp } from '../../../support/simulator/world/capps.ts';
import { findingOf } from '../../../support/simulator/site/findings.ts';
import { NAMESPACE } from '../../../support/simulator/world/names.ts';
import { inQuiet, type QuietTestbed } from '../../../support/simulator/stories/quiet.ts';
import { MINUTE } from '../../../support/builders/states.ts';

const NAME = 'a';
const KEY = `${NAMESPACE}/${NAME}`;
const TO = 'site-3';
const READY = findingOf('Ready', 'Ready', true);

/** A Capp whose copy does not serve moves as soon as the new copy is applied, and that one fails. */
async function sent({ world, cost }: QuietTestbed): Promise<string> {
  const spec = { site: '', state: 'enabled', scaleMetric: 'concurrency' } as const;
  world.server.put<Capp>(CAPP, { namespace: NAMESPACE, name: NAME }, () =>
    capp({ namespace: NAMESPACE, name: NAME, spec }),
  );
  await cost(2 * MINUTE);
  const from = stateOf({ world }).serving ?? '';
  world.site(TO)?.feel('failing');
  world.site(from)?.shows(KEY, findingOf('Progressing', 'Deploying', false));
  changeCapp(world, NAME, (before) => {
    const annotations = { ...before.metadata.annotations, [MIGRATE]: `${TO}#1` };
    return { ...before, metadata: { ...before.metadata, annotations } };
  });
  for (let ms = 0; stateOf({ world }).serving !== TO && ms < 10 * MINUTE; ms += 10) await cost(10);
  await cost(2 * MINUTE);
  expect(stateOf({ world })).toMatchObject({ serving: TO, move: { from, to: TO } });
  return from;
}

function stateOf({ world }: Pick<QuietTestbed, 'world'>): State {
  const state = world.stateOf(NAME);
  if (state === null) throw new Error('There is no workflow');
  return state;
}

test('users return to the old copy when that serves by the deadline and the new one has failed since', () =>
  inQuiet(async (testbed) => {
    const from = await sent(testbed);
    testbed.world.site(from)?.shows(KEY, READY);
    await testbed.cost(15 * MINUTE);
    expect(stateOf(testbed)).toMatchObject({
      serving: from,
      move: null,
      lastMove: { result: 'Failed', to: TO },
    });
  }));

test('they return when the old copy serves only long after the deadline', () =>
  inQuiet(async (testbed) => {
    const from = await sent(testbed);
    await testbed.cost(45 * MINUTE);
    expect(stateOf(testbed)).toMatchObject({ serving: TO, move: { from } });
    testbed.world.site(from)?.shows(KEY, READY);
    await testbed.cost(MINUTE);
    expect(stateOf(testbed)).toMatchObject({
      serving: from,
      move: null,
      lastMove: { result: 'Failed', to: TO },
    });
  }));

test('they stay while the agent of the old copy is silent, and return when it says that the copy serves', () =>
  inQuiet(async (testbed) => {
    const from = await sent(testbed);
    testbed.world.site(from)?.turn('agentUp', false);
    testbed.world.site(from)?.shows(KEY, READY);
    await testbed.cost(15 * MINUTE);
    expect(stateOf(testbed)).toMatchObject({ serving: TO, move: { from } });
    testbed.world.site(from)?.turn('agentUp', true);
    await testbed.cost(15 * MINUTE);
    expect(stateOf(testbed)).toMatchObject({
      serving: from,
      move: null,
      lastMove: { result: 'Failed', to: TO },
    });
  }));
