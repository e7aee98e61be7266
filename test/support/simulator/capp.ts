// A Capp as a user of the simulator makes it, with rules for its moves at random.
import type { Capp } from '../../../crds/capp.ts';
import type { Random } from '../random.ts';
import { CAPP } from '../states.ts';

export function newCapp(dice: Random, uid: string): Capp {
  const migration = {
    policy: dice.pick(['Evacuate', 'Evacuate', 'Follow', 'Manual']),
    strategy: dice.pick(['MakeBeforeBreak', 'MakeBeforeBreak', 'Recreate']),
    failback: dice.pick(['Never', 'Manual', 'Automatic']),
  };
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'Capp',
    metadata: { namespace: CAPP.namespace, name: CAPP.name, uid, generation: 1, annotations: {} },
    spec: { site: dice.pick(['', '', 'all', 'edge', 'site-1']), migration },
    status: {},
  } as unknown as Capp;
}
