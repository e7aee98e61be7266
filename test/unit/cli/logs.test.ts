// `kubectl capp logs` and `kubectl capp pods`, of one Capp and of a CappSet: what goes wrong is a sentence,
// and what a site says steers neither the terminal nor what is told of others.
import { run } from '../../../cli/program.ts';
import { newMemory } from '../../../cli/hub/logs/memory.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aTerminal } from '../../support/builders/process/terminals.ts';
import { refuse, startStandInHub, type StandInHub } from '../../support/servers/api/stand-in-hub.ts';

let hub: StandInHub;
const rejections: unknown[] = [];
const onRejection = (error: unknown): void => void rejections.push(error);
beforeAll(() => void process.on('unhandledRejection', onRejection));
afterAll(() => void process.off('unhandledRejection', onRejection));
beforeEach(async () => {
  rejections.length = 0;
  hub = await startStandInHub();
  hub.members = ['shop-a', 'shop-b'];
});
afterEach(async () => {
  await hub.stop();
  expect(rejections).toEqual([]);
});

function capp(...args: string[]) {
  const { terminal, out, notes } = aTerminal();
  const interruption = new AbortController();
  const ended = run(
    { args: [...args, '--kubeconfig', hub.kubeconfig], name: 'kubectl capp', version: 'test' },
    { ...terminal, interrupted: interruption.signal },
  );
  return { out, notes, ended, interrupt: () => interruption.abort() };
}

const line = (site: string, text: string, at = '2026-01-02T03:04:05Z'): string =>
  `${site} pod-1/app ${at} ${text}\n`;

const has = (lines: readonly string[], text: string): Promise<true> =>
  eventually(() => (lines.some((one) => one.includes(text)) ? true : undefined));

test('a set is told of over all its sites, in the order of times', async () => {
  hub.answer = (_part, name, response) =>
    response.end(
      name === 'shop-a'
        ? line('site-1', 'two', '2026-01-02T03:04:06Z') + line('site-1', 'four', '2026-01-02T03:04:08Z')
        : line('site-2', 'one') + line('site-2', 'three', '2026-01-02T03:04:07Z'),
    );
  const { out, ended } = capp('logs', 'cappset/shop');
  expect(await ended).toBe(0);
  expect(out).toEqual(['site-2 | one', 'site-1 | two', 'site-2 | three', 'site-1 | four']);
});

test('a set is followed: who comes later, too, and one that has no place is a sentence', async () => {
  hub.answer = (_part, name, response) => {
    if (name === 'shop-b') return refuse(response, 429, 'Too many logs are being read');
    return response.writeHead(200).write(line('site-1', `of ${name}`));
  };
  const { out, notes, ended, interrupt } = capp('logs', 'cappset/shop', '-f');
  await has(out, 'of shop-a');
  hub.members = ['shop-a', 'shop-b', 'shop-c'];
  await has(out, 'of shop-c');
  await eventually(() =>
    hub.asked.filter((path) => path.includes('/shop-b/')).length > 1 ? true : undefined,
  );
  expect(notes).toEqual([
    'The log of Capp shop-b is not told, since as many are being read as may be at the same time (docs/logs.md): end another, or name fewer Capps.',
  ]);
  interrupt();
  expect(await ended).toBe(0);
}, 30_000);

test('a right that is withdrawn ends all that is followed, with one sentence', async () => {
  const open = new Set<() => void>();
  let mayRead = true;
  hub.answer = (_part, name, response) => {
    if (!mayRead) return refuse(response, 403, 'no');
    open.add(() => response.end());
    return response.writeHead(200).write(line('site-1', `of ${name}`));
  };
  const { out, notes, ended } = capp('logs', 'cappset/shop', '-f');
  await has(out, 'of shop-b');
  mayRead = false;
  for (const end of open) end();
  expect(await ended).toBe(4);
  expect(notes).toEqual([expect.stringContaining('may not read the logs and Pods of Capp shop-')]);
}, 30_000);

test.each([
  [429, 1, 'end another, or name fewer Capps'],
  [403, 4, 'its admin can bind the role "view"'],
  [503, 1, 'the cappstan-reader Pods'],
  [500, 1, 'The hub refused'],
])('of one Capp, %i is a sentence', async (code, exit, sentence) => {
  hub.answer = (_part, _name, response) => refuse(response, code, 'x');
  const { notes, ended } = capp('logs', 'shop-a', '-f');
  expect(await ended).toBe(exit);
  expect(notes).toEqual([expect.stringContaining(sentence)]);
});

test('a hub that fails for one Capp of a set is asked again', async () => {
  let fails = 2;
  hub.answer = (_part, name, response) => {
    if (name === 'shop-a' && (fails -= 1) >= 0) return refuse(response, 500, 'x');
    return response.writeHead(200).write(line('site-1', `of ${name}`));
  };
  const { out, notes, ended, interrupt } = capp('logs', 'cappset/shop', '-f');
  await has(out, 'of shop-b');
  await has(out, 'of shop-a');
  expect(notes).toEqual(['The log of Capp shop-a cannot be read just now: it is asked for again.']);
  interrupt();
  expect(await ended).toBe(0);
}, 60_000);

test('one stamp far ahead silences nobody after a lost connection', async () => {
  let turn = 0;
  const now = new Date().toISOString();
  hub.answer = (_part, _name, response) => {
    turn += 1;
    response.writeHead(200);
    if (turn === 1) response.end(line('site-1', 'liar', '9999-12-31T23:59:59Z') + line('site-2', 'one', now));
    else response.write(line('site-2', 'two', new Date().toISOString()));
  };
  const { out, ended, interrupt } = capp('logs', 'shop-a', '-f');
  await has(out, 'site-2 | two');
  const { searchParams: given } = new URL(hub.asked[1] ?? '', 'http://hub');
  expect(Date.parse(given.get('sinceTime') ?? '')).toBeLessThanOrEqual(Date.now());
  const own = new Map(given.getAll('siteTime').map((one) => one.split(',') as [string, string]));
  expect([...own.keys()]).toEqual(['site-1', 'site-2']);
  expect(Date.parse(own.get('site-2') ?? '')).toBe(Date.parse(now) - 60_000);
  interrupt();
  expect(await ended).toBe(0);
}, 30_000);

test('what a quiet app writes after a lost connection is shown whole, however few lines were asked for first', async () => {
  let turn = 0;
  hub.answer = (_part, _name, response) => {
    turn += 1;
    response.writeHead(200);
    if (turn === 1) {
      response.write('#\n');
      setTimeout(() => response.destroy(), 100);
    } else for (const text of ['one', 'two', 'three']) response.write(line('site-1', text));
  };
  const { out, ended, interrupt } = capp('logs', 'shop-a', '-f', '--tail', '1');
  await has(out, 'three');
  const [first, second] = hub.asked.map((path) => new URL(path, 'http://hub').searchParams);
  expect([first?.get('tailLines'), first?.get('sinceTime')]).toEqual(['1', null]);
  expect([second?.get('tailLines'), Date.parse(second?.get('sinceTime') ?? '') < Date.now()]).toEqual([
    null,
    true,
  ]);
  interrupt();
  expect(await ended).toBe(0);
}, 30_000);

test('each site goes on from its own time', () => {
  const memory = newMemory(() => Date.parse('2026-01-02T03:05:00Z'));
  expect(memory.since()).toBeNull();
  memory.again();
  const at = (site: string, time: string) => ({ site, pod: 'p', container: 'c', at: time, text: '' });
  for (const one of [
    at('a', '2026-01-02T03:04:00Z'),
    at('b', '2020-01-01T00:00:00Z'),
    at('c', '9999-01-01T00:00:00Z'),
    at('a', '2026-01-02T03:03:00Z'),
  ])
    memory.isNew(one);
  // Of a site that nothing was told of, all counts since the stream began.
  expect(memory.since()).toEqual({
    sinceTime: '2026-01-02T03:04:00.000Z',
    siteTimes: new Map([
      ['a', '2026-01-02T03:03:00.000Z'],
      ['b', '2019-12-31T23:59:00.000Z'],
      ['c', '2026-01-02T03:04:00.000Z'],
    ]),
  });
});

test('what an app or a site writes does not steer the terminal, nor does it make a line of another', async () => {
  hub.answer = (_part, _name, response) =>
    response.end(
      line('site-1', '\u001b[2Jred\u009b31m\u202ex') +
        'site-2 \u001b[2J/app 2026-01-02T03:04:05Z forged\n' +
        '# remark \u001b[2J\n',
    );
  const { out, notes, ended } = capp('logs', 'shop-a', '--pods');
  expect(await ended).toBe(0);
  expect(out).toEqual(['site-1 pod-1/app | [2Jred 31m x']);
  expect(notes).toEqual(['remark  [2J']);
});

const aPod = (site: string, name: string): object => ({
  site,
  name,
  revision: 'shop-00001',
  phase: 'Running',
  ready: true,
  restarts: 2,
  createdAt: null,
  containers: ['app', 'side'],
});

test('pods lists those of all Capps of a set, and says which site is missing', async () => {
  hub.answer = (_part, name, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        items: name === 'shop-a' ? [aPod('site-1', 'pod-a')] : [aPod('site-2', 'pod-\u001b[2Jb')],
        missing: name === 'shop-a' ? [] : [{ site: 'site-3', why: 'no way to site-3\u001b[2J' }],
      }),
    );
  const { out, notes, ended } = capp('pods', 'cappset/shop', '-o', 'wide');
  expect(await ended).toBe(0);
  expect(out.join('\n').split('\n')).toEqual([
    expect.stringMatching(/^SITE +POD +READY +PHASE +RESTARTS +AGE +REVISION +CONTAINERS$/),
    expect.stringMatching(/^site-1 +pod-a +yes +Running +2 +<unknown> +shop-00001 +app,side$/),
    expect.stringMatching(/^site-2 +pod- \[2Jb +yes +Running +2 /),
  ]);
  expect(notes).toEqual(['No way to site-3 [2J.']);
});

test.each([
  [403, 4, 'its admin can bind the role "view"'],
  [503, 1, 'the cappstan-reader Pods'],
])('pods: %i is a sentence', async (code, exit, sentence) => {
  hub.answer = (_part, _name, response) => refuse(response, code, 'x');
  const { notes, ended } = capp('pods', 'shop-a');
  expect(await ended).toBe(exit);
  expect(notes).toEqual([expect.stringContaining(sentence)]);
});

const used = (cpuMillis: number, mebibytes: number): object[] => [
  { name: 'app', cpuMillis, memoryBytes: mebibytes * 1024 * 1024 },
  { name: 'queue-proxy', cpuMillis: 1, memoryBytes: 1 },
];
const answerPods = (items: readonly object[], missing: readonly object[] = []): void => {
  hub.answer = (_part, _name, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items, missing }));
};
const rows = (out: readonly string[]): string[] => out.join('\n').replaceAll(/ +/g, ' ').split('\n');

test('top says what each Pod uses, the most first, and what is not known', async () => {
  answerPods([
    { ...aPod('site-1', 'pod-a'), usage: used(4, 10) },
    { ...aPod('site-1', 'pod-b'), usage: used(90, 64) },
    { ...aPod('site-2', 'pod-c'), usage: null },
  ]);
  const short = capp('top', 'shop-a');
  expect(await short.ended).toBe(0);
  expect(rows(short.out)).toEqual([
    'SITE POD CPU MEMORY',
    'site-1 pod-b 91m 65Mi',
    'site-1 pod-a 5m 11Mi',
    'site-2 pod-c - -',
  ]);
  expect(hub.asked).toEqual([expect.stringMatching(/\/pods\?usage=true$/)]);
  const long = capp('top', 'shop-a', '--containers', '--site', 'site-1');
  expect(await long.ended).toBe(0);
  expect(rows(long.out)).toContain('site-1 pod-b queue-proxy 1m 1Mi');
  expect(hub.asked.at(-1)).toMatch(/\?site=site-1&usage=true$/);
});

test('top: a site without a metrics API is one sentence for all Capps of a set, and no table', async () => {
  const why = 'what Pods use on site-1 is not known: it has no metrics API';
  answerPods([{ ...aPod('site-1', 'pod-a'), usage: null }], [{ site: 'site-1', why }]);
  const { out, notes, ended } = capp('top', 'cappset/shop');
  expect(await ended).toBe(1);
  expect({ out, notes }).toEqual({
    out: [],
    notes: ['What Pods use on site-1 is not known: it has no metrics API.'],
  });
});

test('top: a reader of an earlier version is a sentence, and so is an app that is scaled to zero', async () => {
  answerPods([aPod('site-1', 'pod-a')]);
  const older = capp('top', 'shop-a');
  expect(await older.ended).toBe(1);
  expect(older.notes).toEqual([expect.stringContaining('is of an earlier version')]);
  answerPods([]);
  const asleep = capp('top', 'shop-a');
  expect(await asleep.ended).toBe(0);
  expect(asleep.notes).toEqual(['No Pod of shop-a runs now: kubectl capp why shop-a says more.']);
});
