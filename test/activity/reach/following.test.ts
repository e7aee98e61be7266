// `kubectl capp logs -f` against the reader: a move by hand, a lost connection and a right that is taken
// away, and no line that the app wrote after its new Pod was ready is missing, or there twice.
import { run } from '../../../cli/program.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aTerminal } from '../../support/builders/process/terminals.ts';
import { startReachBed, type ReachBed } from '../../support/testbeds/reach/bed.ts';
import { TEAM } from '../../support/testbeds/reach/capps.ts';

let bed: ReachBed;
beforeAll(async () => {
  bed = await startReachBed(['site-1', 'site-2']);
  await bed.admit('tenant');
}, 900_000);
afterAll(async () => {
  await bed?.stop();
}, 100_000);

interface Followed {
  readonly lines: () => string[];
  readonly notes: () => string;
  readonly ended: Promise<number>;
  interrupt(): void;
}

async function logs(user: string, ...args: string[]): Promise<Followed> {
  const { terminal, out, notes } = aTerminal();
  const interruption = new AbortController();
  const kubeconfig = await bed.hub.kubeconfigAs(user, []);
  const words = ['logs', ...args, '-n', TEAM, '--kubeconfig', kubeconfig, '--request-timeout', '60'];
  const ended = run(
    { args: words, name: 'kubectl capp', version: 'test' },
    { ...terminal, interrupted: interruption.signal },
  );
  return {
    lines: () => [...out],
    notes: () => notes.join('\n'),
    ended,
    interrupt: () => interruption.abort(),
  };
}

test('a move is followed: every line of the new Pod is told once, although connections are lost', async () => {
  const shop = await bed.capp('shop', ['site-1']);
  const [one, two] = [bed.site('site-1'), bed.site('site-2')];
  await one.copy(shop);
  await one.pod('old');
  one.kubelet.write(`${TEAM}/old/app`, 'old 0');
  const followed = await logs('tenant', 'shop', '-f');
  await eventually(() => (followed.lines().includes('site-1 | old 0') ? true : undefined));

  await two.copy(shop);
  await two.pod('new');
  const wanted: string[] = [];
  let number = 0;
  const write = (): void => {
    wanted.push(`site-2 | new ${number}`);
    two.kubelet.write(`${TEAM}/new/app`, `new ${(number += 1) - 1}`);
  };
  const writing = setInterval(write, 20);
  try {
    await bed.move('shop', ['site-2', 'site-1']);
    await eventually(() => (followed.lines().some((line) => line.startsWith('site-2')) ? true : undefined));
    two.kubelet.cut();
    one.kubelet.write(`${TEAM}/old/app`, 'old 1');
    await eventually(() => (followed.lines().includes('site-1 | old 1') ? true : undefined));
    await bed.move('shop', ['site-2']);
    one.kubelet.end(`${TEAM}/old/app`);
    const seen = followed.lines().length;
    await eventually(() => (followed.lines().length > seen + 20 ? true : undefined));
    await bed.restart();
    const later = followed.lines().length;
    await eventually(() => (followed.lines().length > later + 20 ? true : undefined));
  } finally {
    clearInterval(writing);
  }
  const last = wanted.at(-1) ?? '';
  await eventually(() => (followed.lines().includes(last) ? true : undefined));
  expect(followed.lines().filter((line) => line.startsWith('site-2'))).toEqual(wanted);
  expect(followed.lines().filter((line) => line.startsWith('site-1'))).toEqual([
    'site-1 | old 0',
    'site-1 | old 1',
  ]);
  followed.interrupt();
  expect(await followed.ended).toBe(0);
}, 200_000);

test('who loses the right gets no further line', async () => {
  await bed.admit('former');
  const { kubelet } = bed.site('site-2');
  const followed = await logs('former', 'shop', '-f', '--tail', '1');
  await eventually(() => (followed.lines().length > 0 ? true : undefined));
  await bed.dismiss('former');
  expect(await followed.ended).toBe(4);
  kubelet.write(`${TEAM}/new/app`, 'secret');
  expect(followed.lines()).not.toContain('site-2 | secret');
}, 100_000);

test('without -f the lines of all containers come in the order of their times', async () => {
  const once = await logs('tenant', 'shop', '--tail', '2', '--pods', '--timestamps');
  expect(await once.ended).toBe(0);
  expect(once.lines()).toEqual([
    expect.stringMatching(/^site-2 new\/app \| 20\S+Z new \d+$/),
    expect.stringMatching(/^site-2 new\/app \| 20\S+Z secret$/),
  ]);
});

test('a stranger is told what is missing', async () => {
  const { ended, notes } = await logs('stranger', 'shop');
  expect(await ended).toBe(4);
  expect(notes()).toContain('may not read');
});
