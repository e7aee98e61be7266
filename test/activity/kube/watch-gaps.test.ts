// A watch against a real API server whose streams end, freeze or expire: no change is missed, and problems
// are reported once.
import type { Resource } from '../../../kube/resource.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { eventually } from '../../../testbed/eventually.ts';
import {
  EXPIRED,
  hears,
  listed,
  watchTestbed,
  streaming,
  type Following,
} from '../../support/testbeds/watch.ts';

const testbed = watchTestbed();

/** The number of watch requests. */
const watches = (): number => testbed.proxy.seen.filter(({ path }) => path.includes('watch=true')).length;

describe('when a stream ends', () => {
  it.each(['end', 'halfClose', 'sever'] as const)(
    'by %s, the watch continues from its resourceVersion without a list',
    async (way) => {
      await testbed.make('a');
      const following = testbed.follow();
      await following.synced;
      await streaming(testbed);
      await testbed.edit('a');
      await hears(following, ['initial Added a', 'Modified a']);
      testbed.proxy.forget();
      for (const stream of testbed.proxy.streams) stream[way]();
      await testbed.make('b');
      await hears(following, ['initial Added a', 'Modified a', 'Added b']);
      expect(listed(testbed)).toBe(0);
    },
  );

  it('without a sign, because the connection is frozen, the watch notices and reconnects', async () => {
    const following = testbed.follow({ idleMs: 600 });
    await following.synced;
    await streaming(testbed);
    testbed.proxy.forget();
    for (const stream of testbed.proxy.streams) stream.freeze();
    await testbed.make('a');
    await hears(following, ['Added a']);
    expect(listed(testbed)).toBe(0);
    expect(following.problems).toEqual([]);
  });

  it('several times for lack of events, no problem is reported', async () => {
    const following = testbed.follow({ idleMs: 600 });
    await following.synced;
    await eventually(() => (watches() >= 4 ? true : undefined));
    await testbed.make('a');
    await hears(following, ['Added a']);
    expect(listed(testbed)).toBe(1);
    expect(following.problems).toEqual([]);
  });

  it('without a sign and cannot be reopened, one problem is reported', async () => {
    const following = testbed.follow({ idleMs: 600 });
    await following.synced;
    await streaming(testbed);
    testbed.proxy.forget();
    testbed.proxy.fault(({ path }) => (path.includes('watch=true') ? { sever: 'before' } : undefined));
    await eventually(() => (watches() >= 3 ? true : undefined));
    expect(following.problems).toEqual(['0 Unreachable']);
    testbed.proxy.heal();
    await testbed.make('a');
    await hears(following, ['Added a']);
    expect(listed(testbed)).toBe(0);
  });

  it('in the middle of a line, the incomplete event is dropped', async () => {
    const following = testbed.follow();
    await following.synced;
    await streaming(testbed);
    for (const stream of testbed.proxy.streams) {
      stream.inject('{"type":"ADDED","object":{"metadata":{"name":"half"');
      stream.end();
    }
    await testbed.make('a');
    await hears(following, ['Added a']);
  });

  it('immediately each time, the watch backs off', async () => {
    testbed.proxy.fault(({ path }) => (path.includes('watch=true') ? { answer: 200, body: '' } : undefined));
    const following = testbed.follow();
    await following.synced;
    const began = performance.now();
    await eventually(() => (watches() >= 5 ? true : undefined));
    expect(performance.now() - began).toBeGreaterThan(1000);
    expect(following.problems).toEqual(['0 Ended']);
    expect(listed(testbed)).toBe(1);
  });
});

describe('when the resourceVersion of the watch has expired', () => {
  async function interrupted(): Promise<Following> {
    for (const name of ['kept', 'edited', 'removed', 'replaced']) await testbed.make(name);
    const following = testbed.follow();
    await following.synced;
    await streaming(testbed);
    following.told.length = 0;
    testbed.proxy.forget();
    return following;
  }

  const GAP = ['Deleted removed', 'Deleted replaced', 'Added replaced', 'Modified edited', 'Added new'];

  async function happenings(): Promise<void> {
    await testbed.edit('edited');
    await testbed.remove('removed');
    await testbed.remove('replaced');
    await testbed.make('replaced');
    await testbed.make('new');
    await testbed.make('passing');
    await testbed.remove('passing');
  }

  it.each([
    ['by status 410', { answer: 410, body: JSON.stringify(EXPIRED) }],
    ['by an ERROR event', { answer: 200, body: `${JSON.stringify({ type: 'ERROR', object: EXPIRED })}\n` }],
  ])('and the server says so %s, a new list reports exactly the changes in between', async (_, fault) => {
    const following = await interrupted();
    testbed.proxy.cut();
    await happenings();
    testbed.proxy.heal();
    let told = false;
    testbed.proxy.fault(({ path }) => {
      if (told || !path.includes('watch=true')) return undefined;
      told = true;
      return fault;
    });
    await hears(following, GAP, 'any');
    expect(following.told.indexOf('Deleted replaced')).toBeLessThan(following.told.indexOf('Added replaced'));
    expect(following.changes.slice(4).every(({ initial }) => !initial)).toBe(true);
    expect(listed(testbed)).toBe(1);
    await testbed.edit('kept');
    await hears(following, [...GAP, 'Modified kept'], 'any');
  });

  it.each([
    ['during a gap', true],
    ['that the watch sees', false],
  ])('a deletion %s is reported with a resourceVersion at which the object was gone', async (_, isInGap) => {
    const following = await interrupted();
    const last = await testbed.edit('removed');
    await hears(following, ['Modified removed'], 'any');
    if (isInGap) testbed.proxy.cut();
    await testbed.remove('removed');
    const gone = (await testbed.make('after')).metadata.resourceVersion ?? '';
    if (isInGap) {
      testbed.proxy.heal();
      let isToldOnce = false;
      testbed.proxy.fault(({ path }) => {
        if (isToldOnce || !path.includes('watch=true')) return undefined;
        isToldOnce = true;
        return { answer: 410, body: JSON.stringify(EXPIRED) };
      });
    }
    await hears(following, ['Modified removed', 'Deleted removed', 'Added after'], 'any');
    const deleted = following.changes.find(({ type }) => type === 'Deleted');
    const mark = BigInt(deleted?.object.metadata.resourceVersion ?? 0);
    expect(mark > BigInt(last.metadata.resourceVersion ?? 0)).toBe(true);
    expect(mark <= BigInt(gone) || isInGap).toBe(true);
    expect(mark <= BigInt(following.resourceVersion())).toBe(true);
    expect(deleted?.previous?.metadata.resourceVersion).toBe(last.metadata.resourceVersion);
  });

  it('after a cut within the watch cache, every single change is reported', async () => {
    const following = await interrupted();
    testbed.proxy.cut();
    await happenings();
    testbed.proxy.heal();
    await hears(following, [
      'Modified edited',
      'Deleted removed',
      'Deleted replaced',
      'Added replaced',
      'Added new',
      'Added passing',
      'Deleted passing',
    ]);
    expect(listed(testbed)).toBe(0);
  });

  it('an unreadable line makes the watch list again', async () => {
    const following = await interrupted();
    for (const stream of testbed.proxy.streams) stream.inject('{"type":"ADDED","object":"c4n4ry"}\n');
    await eventually(() => (listed(testbed) === 1 ? true : undefined));
    expect(following.problems).toEqual(['0 Unreadable']);
    await testbed.make('new');
    await hears(following, ['Added new']);
  });
});

describe('when the server refuses the watch', () => {
  it('with Retry-After, the watch reconnects after that time and not before', async () => {
    const following = testbed.follow();
    await following.synced;
    await streaming(testbed);
    let refusedAt = 0;
    testbed.proxy.fault(({ path }) => {
      if (refusedAt > 0 || !path.includes('watch=true')) return undefined;
      refusedAt = performance.now();
      return { answer: 429, headers: { 'retry-after': '1' } };
    });
    testbed.proxy.forget();
    for (const stream of testbed.proxy.streams) stream.end();
    await testbed.make('a');
    await hears(following, ['Added a']);
    expect(performance.now() - refusedAt).toBeGreaterThanOrEqual(1000);
    expect(listed(testbed)).toBe(0);
  });

  it('with any error, the watch keeps retrying and reports the problem once', async () => {
    testbed.proxy.fault(() => ({ answer: 500 }));
    const following = testbed.follow();
    await eventually(() => (testbed.proxy.seen.length >= 4 ? true : undefined));
    expect(following.problems).toEqual(['500 InternalError']);
    testbed.proxy.heal();
    await following.synced;
  });

  it('because the kind does not exist yet, the watch waits for it', async () => {
    const resource: Resource = {
      apiVersion: 'example.com/v1',
      kind: 'Late',
      plural: 'lates',
      namespaced: true,
    };
    const following = testbed.follow({ resource });
    await eventually(() => (testbed.proxy.seen.length >= 3 ? true : undefined));
    expect(following.problems).toEqual(['404 NotFound']);
    await serveBare(testbed.direct, resource);
    await following.synced;
    await testbed.direct.create(resource, { metadata: { name: 'a', namespace: testbed.namespace } });
    await hears(following, ['Added a']);
    expect(following.problems.filter((problem) => problem.startsWith('404'))).toHaveLength(1);
  });
});
