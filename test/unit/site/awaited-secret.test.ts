// For which Secrets a Capp waits, and what it says of them.
import { SEALED } from '../../../crds/labels.ts';
import { OPENED, type CappSecret } from '../../../crds/sealing/capp-secret.ts';
import { awaitedSecret } from '../../../site/sealing/awaited.ts';
import { aCapp } from '../../support/builders/capps.ts';

const waiting = (names: string, state: 'enabled' | 'disabled' = 'enabled') => {
  const capp = aCapp({ spec: { state } });
  return { ...capp, metadata: { ...capp.metadata, annotations: { [SEALED]: names } } };
};
const sealed = (status: 'True' | 'False', observedGeneration = 2): CappSecret => ({
  metadata: { name: 'db', generation: 2 },
  spec: { keyId: '0'.repeat(16), sealed: 'AA==' },
  status: {
    conditions: [
      {
        type: OPENED,
        status,
        reason: 'Unreadable',
        message: 'It was changed.',
        lastTransitionTime: '2026-03-01T12:00:00Z',
        observedGeneration,
      },
    ],
  },
});
const on = (site: Readonly<Record<string, CappSecret>>) => (name: string) => site[name];

test('a Capp runs when each of its Secrets is open, and one without any runs at once', () => {
  expect(awaitedSecret(waiting('a,b'), on({ a: sealed('True'), b: sealed('True') }))).toBeNull();
  expect(awaitedSecret(waiting(''), on({}))).toBeNull();
  expect(awaitedSecret(aCapp(), on({}))).toBeNull();
});

test.each([
  ['is not there yet', {}],
  ['was changed after it was opened', { a: sealed('True', 1) }],
  ['was changed after it could not be opened', { a: sealed('False', 1) }],
])('one that %s passes, and says nothing against the Capp', (_, site) => {
  expect(awaitedSecret(waiting('a'), on(site))).toMatchObject({ reason: 'SecretSealed', isPassing: true });
});

test('one that cannot be opened is said before one that is on its way', () => {
  const fault = awaitedSecret(waiting('a,b'), on({ b: sealed('False') }));
  expect(fault).toEqual({
    reason: 'SecretSealed',
    message: 'Secret b came sealed and is not open: It was changed.',
  });
});

test('a Capp that is to stop waits for none', () => {
  expect(awaitedSecret(waiting('a', 'disabled'), on({ a: sealed('False') }))).toBeNull();
});
