// The events that hub and sites write: within what the API server takes, and one name for one change.
import { eventOf, type Happening } from '../../../crds/kubernetes/event.ts';

const HAPPENED: Happening = { type: 'Normal', reason: 'Placed', note: 'The Capp is placed.', occasion: '1' };
const REPORTER = { controller: 'cappstan.dana.io/hub', instance: 'cappstan' };

function event(name: string, happening: Partial<Happening> = {}) {
  const capp = { apiVersion: 'v1', kind: 'Capp', metadata: { name, namespace: 'apps', uid: 'u' } };
  return eventOf(capp, { ...HAPPENED, ...happening }, REPORTER);
}

test.each([
  ['one byte', 'x'],
  ['two bytes', 'ß'],
  ['three bytes', '…'],
  ['four bytes', '🚢'],
])('a note of characters of %s is cut to the 1024 bytes that the API server takes', (_size, character) => {
  const { note } = event('shop', { note: character.repeat(2_000) });
  expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
  expect(Buffer.byteLength(note)).toBeGreaterThan(1015);
  expect(note).not.toContain('\uFFFD');
});

test('a note of 1024 bytes is left whole', () => {
  expect(event('shop', { note: 'x'.repeat(1024) }).note).toHaveLength(1024);
});

test.each([`${'a'.repeat(235)}.b`, `${'a'.repeat(235)}-b`, 'a'.repeat(253)])(
  'an event on an object with a long name has a name that the API server takes (%#)',
  (name) => {
    const { metadata } = event(name);
    expect(metadata.name.length).toBeLessThanOrEqual(253);
    expect(metadata.name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
  },
);

test.each<[string, Partial<Happening>]>([
  ['reason', { reason: 'Moved' }],
  ['note', { note: 'The Capp has moved.' }],
  ['occasion', { occasion: '2' }],
])('another %s gives an event another name; a repeat has the same', (_what, other) => {
  expect(event('shop').metadata.name).toBe(event('shop').metadata.name);
  expect(event('shop', other).metadata.name).not.toBe(event('shop').metadata.name);
});

test('an event on what has no namespace is in the namespace default, and names none', () => {
  const drain = { apiVersion: 'v1', kind: 'Drain', metadata: { name: 'paris', uid: 'u' } };
  const { metadata, regarding } = eventOf(drain, HAPPENED, REPORTER);
  expect(metadata.namespace).toBe('default');
  expect(regarding).toEqual({ apiVersion: 'v1', kind: 'Drain', name: 'paris', uid: 'u' });
});
