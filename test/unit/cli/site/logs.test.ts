// `kubectl capp logs`, of one Capp and of a CappSet: what goes wrong is a sentence,
// and what a site says steers neither the terminal nor what is told of others.
import { newMemory } from '../../../../cli/hub/logs/memory.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { besideStandInHub, cappBeside } from '../../../support/servers/api/capp-beside-hub.ts';
import { refuse, type StandInHub } from '../../../support/servers/api/stand-in-hub.ts';

let hub: StandInHub;
besideStandInHub((given) => (hub = given));

const capp = (...args: string[]) => cappBeside(hub, args);

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

test('with a site, only the Capps of a set that are there are followed, also who comes there later', async () => {
  hub.places = { 'shop-a': { serves: 'site-1' }, 'shop-b': { serves: 'site-2' } };
  hub.answer = (_part, name, response) => response.writeHead(200).write(line('site-2', `of ${name}`));
  const { out, ended, interrupt } = capp('logs', 'cappset/shop', '-f', '--site', 'site-2');
  await has(out, 'of shop-b');
  hub.members = [...hub.members, 'shop-c'];
  hub.places = { ...hub.places, 'shop-c': { pinned: 'site-2' } };
  await has(out, 'of shop-c');
  expect(hub.asked.filter((path) => path.includes('/shop-a/'))).toEqual([]);
  // Whole Capps of a large set are megabytes: they are listed once.
  expect(hub.listed.filter((one) => one === 'whole')).toHaveLength(1);
  expect(hub.listed).toContain('metadata');
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

test('a site whose tunnel was away while another wrote is told from the first stream on', () => {
  let now = Date.parse('2026-01-02T03:00:00Z');
  const memory = newMemory(() => now);
  memory.again();
  now = Date.parse('2026-01-02T03:03:00Z');
  memory.isNew({ site: 'old', pod: 'p', container: 'c', at: '2026-01-02T03:03:00Z', text: '' });
  expect(memory.since()).toEqual({
    sinceTime: '2026-01-02T02:59:00.000Z',
    siteTimes: new Map([['old', '2026-01-02T03:02:00.000Z']]),
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
