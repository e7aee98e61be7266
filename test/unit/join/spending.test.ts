// Whether a token is spent: by the receipt, which an accepted agent can write, and by requests, which none
// can.
import { paidBy, type Payable } from '../../../crds/join/spending.ts';

const TOKEN = { id: 'abcdef', uid: 't-1' };
const asked = (uid: string, more: Partial<Payable> = {}): Payable => ({
  uid,
  username: 'system:bootstrap:abcdef',
  state: 'Pending',
  ...more,
});

test.each<[string, string | null, readonly Payable[], string | null]>([
  ['nothing says so', null, [asked('r-1')], null],
  ['the receipt says so', 't-1/shop-7-x/r-1', [asked('r-1')], 'r-1'],
  ['the receipt is of an earlier token', 't-0/shop-7-x/r-0', [asked('r-1')], null],
  ['the receipt is of a token whose uid only begins so', 't-11/shop-7-x/r-0', [], null],
  ['the receipt was taken away', null, [asked('r-1', { state: 'Approved' }), asked('r-2')], 'r-1'],
  ['the receipt was changed', 't-1/shop-7-y/r-2', [asked('r-2'), asked('r-1', { state: 'Approved' })], 'r-1'],
  ['a request was denied', null, [asked('r-1', { state: 'Denied' })], null],
  [
    'another token’s request was approved',
    null,
    [asked('r-1', { state: 'Approved', username: 'system:bootstrap:abcdefg' })],
    null,
  ],
])('what a token has paid for when %s', (_when, receipt, requests, paidFor) => {
  expect(paidBy(TOKEN, receipt, requests)).toBe(paidFor);
});
