// The whole story, with each write of the hub worker once not done, once done without an answer, once done
// twice, and once done late, after others: what must hold holds throughout, and the end is the same.
import { BARE_METAL_HOST, CLUSTER_NAME, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { ChainWorld, type WorldOptions } from '../../../support/builders/metal/chain-world.ts';
import { KINDS, trouble } from '../../../support/builders/metal/trouble.ts';

/** What must hold after every write of anybody. */
function guard(world: ChainWorld): string[] {
  const broken: string[] = [];
  world.server.onWrite(({ plural, before, after }) => {
    if (plural !== BARE_METAL_HOST.plural || before === null || after === null) return;
    const [was, is] = [before, after] as unknown as readonly [BareMetalHost, BareMetalHost];
    const hasImage = (host: BareMetalHost): boolean => (host.spec?.image?.url ?? '') !== '';
    const name = is.metadata.name;
    if (hasImage(was) && !hasImage(is)) {
      if (world.managed() !== null) broken.push(`${name} is to be wiped, and the site is not detached`);
      if (world.server.all(MANIFEST_WORK).length > 0) broken.push(`${name} is to be wiped under a Capp`);
    }
    const isHeld = (host: BareMetalHost): boolean => host.metadata.labels?.[CLUSTER_NAME] !== undefined;
    if (isHeld(was) && !isHeld(is) && (hasImage(is) || is.status?.provisioning?.state !== 'available'))
      broken.push(`${name} is free, and not wiped`);
  }, null);
  return broken;
}

async function story(way?: WorldOptions['way']): Promise<ChainWorld> {
  const moods = { slow: 2 };
  const world = new ChainWorld(way === undefined ? { moods } : { moods, way });
  const broken = guard(world);
  const said: string[] = [];
  world.server.onWrite(({ plural, after }) => {
    if (plural !== 'secrets' && after !== null) said.push(JSON.stringify(after));
  }, null);
  world.asks(1);
  await world.ready();
  world.runs('hello');
  world.delete();
  await world.gone();
  // What comes late comes now at the latest.
  for (let passes = 0; passes < 3; passes += 1) {
    await world.look().catch(() => null);
    await world.pass();
  }
  expect(broken).toEqual([]);
  expect(world.tokens.size).toBeGreaterThan(0);
  for (const token of world.tokens) expect(said.filter((text) => text.includes(token))).toEqual([]);
  expect(world.happened.filter((one) => one.endsWith('is wiped'))).toHaveLength(2);
  expect(world.left()).toEqual([]);
  return world;
}

const { way: counted, count } = trouble(-10, 'is not done');
await story(counted);
const WRITES = count();

test('the story has its writes', () => {
  expect(WRITES).toBeGreaterThan(20);
});

test.each(KINDS)(
  'each write once %s',
  async (kind) => {
    for (let nth = 1; nth <= WRITES; nth += 1) {
      const { way } = trouble(nth, kind);
      await story(way).catch((error: unknown) => {
        throw new Error(`write ${nth} ${kind}: ${String(error)}`);
      });
    }
  },
  120_000,
);
