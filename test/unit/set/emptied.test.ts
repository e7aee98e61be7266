// What server-side apply makes of an object whose last field is taken out is applied once more, and nothing
// else is.
import { isEmptied } from '../../../activities/hub/set/emptied.ts';

test.each<[live: unknown, applied: unknown, is: boolean]>([
  [{ annotations: null }, { annotations: {} }, true],
  [{ annotations: {} }, { annotations: {} }, false],
  [{}, { eventSourcesSpec: { sources: [] } }, true],
  [{ volumes: [{ name: 'a', emptyDir: null }] }, { volumes: [{ name: 'a', emptyDir: {} }] }, true],
  [{ volumes: [{ name: 'a', emptyDir: {} }] }, { volumes: [{ name: 'a', emptyDir: {} }] }, false],
  [{ metadata: { annotations: null } }, { metadata: { annotations: {} } }, true],
  // A field that the kind does not know is dropped each time.
  [{ spec: { image: 'a' } }, { spec: { image: 'a', unknown: 'b' } }, false],
  [{ spec: null }, { spec: { image: 'a' } }, false],
])('of %j, where %j was applied: %s', (live, applied, is) => {
  expect(isEmptied(live, applied)).toBe(is);
});
