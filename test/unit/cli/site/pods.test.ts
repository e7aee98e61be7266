// `kubectl capp pods` and `kubectl capp top`, of one Capp and of a CappSet: what goes wrong is a sentence.
import { reachFailure } from '../../../../cli/hub/logs/failures.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { besideStandInHub, cappBeside } from '../../../support/servers/api/capp-beside-hub.ts';
import { refuse, type StandInHub } from '../../../support/servers/api/stand-in-hub.ts';

let hub: StandInHub;
besideStandInHub((given) => (hub = given));

const capp = (...args: string[]) => cappBeside(hub, args);

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

test('of a hub without a reader it is said what that would show, and of whom to ask for it', () => {
  const error = new ApiError({
    method: 'GET',
    path: '/apis/reach.rcs.dana.io/x',
    code: 404,
    reason: 'NotFound',
  });
  const failure = reachFailure(error, { namespace: 'apps', name: 'shop-a' }, { as: null, context: 'hub' });
  expect([failure?.exit, failure?.message]).toEqual([
    'notFound',
    'This hub has no reader, by which logs, pods and top look at what runs on sites: whoever runs the hub can install it (docs/logs.md). Everything else works. With a kubeconfig of the site itself: kubectl -n apps logs -c user-container -l serving.knative.dev/service=shop-a.',
  ]);
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

describe('of one site of a set', () => {
  const onThree = (): void => {
    hub.members = ['shop-a', 'shop-b', 'shop-c'];
    hub.places = {
      'shop-a': { pinned: 'site-1', serves: 'site-1' },
      'shop-b': { pinned: 'site-2' },
      'shop-c': { serves: 'site-2' },
    };
  };
  const names = (): string[] => hub.asked.map((path) => /capps\/([^/]+)/.exec(path)?.[1] ?? '');

  test.each(['pods', 'top'])('%s asks only the Capps that are there, or are to be', async (command) => {
    onThree();
    answerPods([{ ...aPod('site-2', 'pod-c'), usage: used(1, 1) }]);
    const { out, ended } = capp(command, 'cappset/shop', '--site', 'site-2');
    expect(await ended).toBe(0);
    expect(names().toSorted()).toEqual(['shop-b', 'shop-c']);
    expect(hub.asked.every((path) => path.includes('site=site-2'))).toBe(true);
    expect(out.join('\n')).toContain('pod-c');
  });

  test.each(['pods', 'top', 'logs'])('%s: a site on which none is gets one sentence', async (command) => {
    onThree();
    const { notes, ended } = capp(command, 'cappset/shop', '--site', 'site-9');
    expect(await ended).toBe(5);
    expect(notes).toEqual([
      'No Capp of CappSet shop in namespace apps is on site-9: kubectl capp list -n apps says where they are.',
    ]);
    expect(hub.asked).toEqual([]);
  });
});

const NOT_THERE =
  'Capp shop-b in namespace apps is not on any site: kubectl capp why shop-b -n apps says more.';

test.each([
  [404, NOT_THERE, NOT_THERE],
  [503, 'No direct way to site-2: its tunnel does not answer', 'No direct way to site-2: its tunnel'],
  [429, 'x', 'The log of Capp shop-b is not told'],
])(
  'a Capp of a set that answers %i is what is missing, and the others are shown',
  async (code, said, note) => {
    hub.answer = (_part, name, response) =>
      name === 'shop-b'
        ? refuse(response, code, said)
        : response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ items: [aPod('site-1', 'pod-a')], missing: [] }));
    const { out, notes, ended } = capp('pods', 'cappset/shop');
    expect(await ended).toBe(0);
    expect(out.join('\n')).toContain('pod-a');
    expect(notes).toEqual([expect.stringContaining(note)]);
    expect(notes.join()).not.toContain('..');
  },
);

test.each([
  [404, 'x', 5, 'This hub has no reader'],
  [403, 'x', 4, 'may not read'],
  [503, 'x', 1, 'does not answer'],
])('what keeps all Capps of a set is one sentence: %i', async (code, said, exit, sentence) => {
  hub.answer = (_part, _name, response) => refuse(response, code, said);
  const { notes, ended } = capp('pods', 'cappset/shop');
  expect(await ended).toBe(exit);
  expect(notes).toEqual([expect.stringContaining(sentence)]);
});
