// What reaches the page: differences, rights, and what a picture has.
import { jest } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { buildPage } from '../../../../cli/build/page.ts';
import { askedIn } from '../../../../cli/dashboard/feed/acts.ts';
import { differ } from '../../../../cli/dashboard/feed/differences.ts';
import { goneOf } from '../../../../cli/dashboard/feed/gone.ts';
import { pictureOf, viewedIn } from '../../../../cli/dashboard/feed/picture.ts';
import { rightsOf } from '../../../../cli/dashboard/feed/rights.ts';
import type { Kube } from '../../../../kube/client.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { facts, ready } from '../../../support/builders/facts.ts';

test('a page gets the whole picture once, and then entries that are new, have changed or are gone', () => {
  const difference = differ();
  expect(difference({ a: 1, b: { c: 2 } })).toEqual({ set: { a: 1, b: { c: 2 } }, drop: [], first: true });
  expect(difference({ a: 1, b: { c: 2 } })).toBeNull();
  expect(difference({ a: 1, b: { c: 3 }, d: 4 })).toEqual({
    set: { b: { c: 3 }, d: 4 },
    drop: [],
    first: false,
  });
  expect(difference({ d: 4 })).toEqual({ set: {}, drop: ['a', 'b'], first: false });
});

test('an empty picture is a picture', () => {
  expect(differ()({})).toEqual({ set: {}, drop: [], first: true });
});

describe('an address', () => {
  const app = (name: string) => viewedIn(new URLSearchParams({ view: 'app', namespace: 'apps', name }));

  it('that names what was deleted says when, as long as it is not there again', () => {
    const gone = goneOf();
    const capp = ready('shop', 'a');
    gone.heed('Capp', { type: 'Deleted', object: capp } as never);
    expect(pictureOf(app('shop'), facts(), gone)).toEqual({
      missing: { goneAt: expect.stringMatching(/Z$/) },
    });
    gone.heed('Capp', { type: 'Added', object: capp } as never);
    expect(pictureOf(app('shop'), facts(), gone)).toEqual({ missing: { goneAt: null } });
    expect(pictureOf(app('shop'), facts({ capps: [capp] }), gone)).toHaveProperty('app.name', 'shop');
  });

  it('that names no view gives an empty picture', () => {
    const odd = viewedIn(new URLSearchParams({ view: '__proto__' }));
    expect(pictureOf(odd, facts({ capps: [ready('shop', 'a')] }), goneOf())).toEqual({});
  });
});

describe('a right', () => {
  const reviews: unknown[] = [];
  /** Allows what is asked in namespace `mine`. */
  const kube = {
    raw: async (
      _method: string,
      _path: string,
      { body }: { body: { spec: { resourceAttributes: { namespace?: string } } } },
    ) => {
      reviews.push(body.spec.resourceAttributes);
      return { status: { allowed: body.spec.resourceAttributes.namespace === 'mine' } };
    },
  } as unknown as Kube;

  it('is none until the API server has granted it, and is asked once', async () => {
    const rights = rightsOf(kube);
    let told = 0;
    rights.onChange(() => (told += 1));
    expect(rights.may('patch', 'capps', 'mine')).toBe(false);
    await eventually(async () => (rights.may('patch', 'capps', 'mine') ? true : undefined));
    expect(told).toBe(1);
    expect(rights.may('patch', 'capps', 'theirs')).toBe(false);
    expect(rights.may('patch', 'drains', null)).toBe(false);
    rights.stop();
    expect(reviews.filter((one) => JSON.stringify(one).includes('"mine"'))).toHaveLength(1);
  });

  it.each([
    ['get', 'capps/log', { group: 'reach.rcs.dana.io', resource: 'capps', subresource: 'log' }],
    ['patch', 'capps', { group: 'rcs.dana.io', resource: 'capps' }],
    ['list', 'placements', { group: 'cluster.open-cluster-management.io', resource: 'placements' }],
  ] as const)('to %s %s is asked of the group that serves it', (verb, plural, attributes) => {
    reviews.length = 0;
    const rights = rightsOf(kube);
    rights.may(verb, plural, 'mine');
    rights.stop();
    expect(reviews).toContainEqual(expect.objectContaining({ verb, ...attributes, namespace: 'mine' }));
  });

  it('that was granted stays while the API server does not answer', async () => {
    const answers: unknown[] = [{ status: { allowed: true } }, null];
    let asked = 0;
    const shaky = {
      raw: async () => {
        const answer = answers[asked++];
        if (answer === null) throw new Error('timeout');
        return answer ?? { status: { allowed: false } };
      },
    } as unknown as Kube;
    const rights = rightsOf(shaky);
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now');
    const at = (ms: number) => clock.mockReturnValue(start + ms);
    const asks = (count: number) => eventually(() => (asked === count ? true : undefined));
    try {
      at(0);
      rights.may('patch', 'drains', null);
      await eventually(() => (rights.may('patch', 'drains', null) ? true : undefined));
      // The answer is a minute old, and the next question has none.
      at(60_000);
      expect(rights.may('patch', 'drains', null)).toBe(true);
      await asks(2);
      expect(rights.may('patch', 'drains', null)).toBe(true);
      // The failure has been heard by then.
      await new Promise(setImmediate);
      // Soon, and long before the next minute is over.
      at(65_000);
      rights.may('patch', 'drains', null);
      await asks(3);
      await eventually(() => (rights.may('patch', 'drains', null) ? undefined : true));
    } finally {
      clock.mockRestore();
      rights.stop();
    }
  });
});

test('what a page sends is bounded text, or it is no request', () => {
  expect(askedIn({ act: 'move', namespace: 'apps', name: 'shop', seen: 'u/1' })).toMatchObject({
    what: '',
    kind: '',
  });
  expect(askedIn({ act: 'move', name: ['shop'] })).toBeNull();
  expect(askedIn({ act: 'move', name: '' })).toBeNull();
  expect(askedIn({ act: 'move', name: 'x'.repeat(2000) })).toBeNull();
});

describe('the page', () => {
  it('has under 100 KB, compressed', async () => {
    const files = Object.values(await buildPage());
    expect(files.every((one) => one.length > 100)).toBe(true);
    expect(gzipSync(files.join('')).length).toBeLessThan(100_000);
  });

  it('names no other address, and makes no script of a text', async () => {
    const { html, script, style } = await buildPage();
    const addresses = [...`${html}${style}${script}`.matchAll(/https?:\/\/[\w.-]+/g)].map(([one]) => one);
    // Names of XML's kinds, which nothing loads.
    expect([...new Set(addresses)].filter((one) => one !== 'http://www.w3.org')).toEqual([]);
    expect(html).not.toMatch(/<script>|style=|\son\w+=/);
    expect(script).not.toMatch(/\beval\(|new Function|document\.write/);
  });
});
