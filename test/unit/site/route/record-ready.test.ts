// What a Capp on a site without a hub says of its DNS record, as the provider reports it.
import type { NamedRecord } from '../../../../crds/dns-record.ts';
import { recordReady } from '../../../../site/route/record-ready.ts';
import { is } from '../../../support/builders/site/knative.ts';

type Status = NonNullable<NamedRecord['status']>;

const recordWith = (status?: Status): NamedRecord => ({
  metadata: { name: 'shop.capp-zone.com' },
  spec: { forProvider: { name: 'shop', zone: 'capp-zone.com.', cname: 'ingress.example.net.' } },
  ...(status === undefined ? {} : { status }),
});
const REFUSED = {
  ...is('Synced', 'False', 'ReconcileError'),
  message: 'create failed: REFUSED, wrong zone.',
};
const SYNCED = [is('Synced', 'True', 'ReconcileSuccess'), is('Ready', 'True', 'Available')];

it.each<[string, Status | undefined, string, string, RegExp]>([
  [
    'that the provider refuses says why, in its words',
    { conditions: [REFUSED] },
    'False',
    'RecordPending',
    /yet: create failed: REFUSED, wrong zone\.$/,
  ],
  [
    'that the provider refuses without a word says its reason',
    { conditions: [is('Synced', 'False', 'ReconcileError')] },
    'False',
    'RecordPending',
    /yet: ReconcileError\.$/,
  ],
  ['that nobody has looked at is not known', undefined, 'Unknown', 'RecordPending', /has not brought/],
  [
    'that still has the former target in DNS is not there yet',
    { conditions: SYNCED, atProvider: { cname: 'old.example.net.' } },
    'Unknown',
    'RecordPending',
    /has not brought/,
  ],
  [
    'that DNS has is there',
    { conditions: SYNCED, atProvider: { cname: 'ingress.example.net.' } },
    'True',
    'RecordSynced',
    /DNS leads shop\.capp-zone\.com to this site/,
  ],
])('a record %s', (_, status, truth, reason, words) => {
  const seen = { isAsked: true, record: recordWith(status), fault: null };
  expect(recordReady(seen)).toEqual({
    type: 'RecordReady',
    status: truth,
    reason,
    message: expect.stringMatching(words) as unknown,
  });
});

it('a long message of the provider is cut, and a record that is not asked for says nothing', () => {
  const long = { conditions: [{ ...REFUSED, message: 'x'.repeat(5000) }] };
  const said = recordReady({ isAsked: true, record: recordWith(long), fault: null });
  expect(said?.message.length).toBeLessThan(300);
  expect(recordReady({ isAsked: false, record: recordWith(long), fault: null })).toBeNull();
});
