// When a Capp is rung because its status has begun to say that its site lacks it: what its work said while it
// was Ready, nobody was rung for.
import { isNotThere } from '../../../../bridge/changes/causes.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { aCapp } from '../../../support/builders/capps.ts';

function saying(type: string, status: 'True' | 'False' | 'Unknown', reason: string): Capp {
  const told = { observedGeneration: 1, message: '', lastTransitionTime: '' };
  return { ...aCapp({}), status: { conditions: [{ type, status, reason, ...told }] } };
}

test.each([
  ['its site has it no more', saying('Available', 'False', 'Missing'), true],
  ['its site refuses it', saying('Applied', 'False', 'OtherHub'), true],
  ['its site has not all that travels with it', saying('Applied', 'Unknown', 'Rejected'), true],
  ['it has been sent', saying('Applied', 'Unknown', 'Applying'), false],
  ['it does not come up', saying('Available', 'False', 'RolloutFailed'), false],
  ['it is Ready', saying('Ready', 'True', 'Ready'), false],
  ['it says nothing yet', aCapp({}), false],
])('of a Capp that says that %s', (_what, capp, expected) => {
  expect(isNotThere(capp)).toBe(expected);
});
