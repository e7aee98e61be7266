// What is said of a line that has ended, before anybody is asked.
import { refuseEnded } from '../../../../deploy/join/ended.ts';

const END = Date.parse('2026-03-01T12:00:00Z');
const LINE = {
  fingerprint: `sha256:${'ab'.repeat(32)}`,
  cluster: 'shop-7',
  token: { id: 'abcdef', secret: '0123456789abcdef' },
  endsAt: END,
  host: 'hub.example',
  port: 9443,
};

test('a line that has ended is refused, with when, and how to get another', () => {
  expect(() => refuseEnded(LINE, 'shop-7', END)).toThrow(
    'The line ended at 2026-03-01 12:00:00 UTC; by the clock of this machine it is 2026-03-01 12:00:00. Ask for a new line: cappstan token --cluster shop-7 --existing.',
  );
  expect(() => refuseEnded({ ...LINE, cluster: null }, 'shop-9', END + 1)).toThrow('cappstan token --any.');
});

test('one that is good is not, nor one that does not say when it ends', () => {
  expect(() => refuseEnded(LINE, 'shop-7', END - 1)).not.toThrow();
  expect(() => refuseEnded({ ...LINE, endsAt: null }, 'shop-7', END + 1)).not.toThrow();
});
