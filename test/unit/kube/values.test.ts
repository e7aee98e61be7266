// Resource versions, query strings and the backoff of requests.
import { isAtLeast } from '../../../kube/watch/cache.ts';
import { backoff } from '../../../kube/http/backoff.ts';
import { withQuery } from '../../../kube/http/request.ts';

describe('resource versions', () => {
  it.each([
    ['10', '9', true],
    ['9', '10', false],
    ['10', '10', true],
    ['18446744073709551615', '18446744073709551614', true],
    ['18446744073709551614', '18446744073709551615', false],
    ['', '1', false],
    ['opaque', 'opaque', true],
    ['opaque', '1', false],
  ])('"%s" counts as at least as new as "%s": %s', (seen, wanted, expected) => {
    expect(isAtLeast(seen, wanted)).toBe(expected);
  });
});

describe('a query', () => {
  it.each([
    [{}, '/x'],
    [{ a: undefined, b: '' }, '/x'],
    [
      { limit: 5, watch: true, labelSelector: 'a=b,c!=d' },
      '/x?limit=5&watch=true&labelSelector=a%3Db%2Cc%21%3Dd',
    ],
  ])('is appended for %j', (query, path) => {
    expect(withQuery('/x', query)).toBe(path);
  });
});

describe('the backoff', () => {
  it.each([
    [1, 100, 200],
    [2, 200, 400],
    [4, 800, 1600],
    [7, 5_000, 10_000],
    [1_000_000, 5_000, 10_000],
  ])('after %d failures takes from %d to %d ms', (failures, least, most) => {
    for (let sample = 0; sample < 50; sample += 1) {
      const pause = backoff(failures);
      expect(pause).toBeGreaterThanOrEqual(least);
      expect(pause).toBeLessThanOrEqual(most);
    }
  });
});
