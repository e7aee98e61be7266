// `kubectl capp tree` beside a reader, and without one: Pods are an extra, and never break the tree.
import { besideStandInHub, cappBeside } from '../../../support/servers/api/capp-beside-hub.ts';
import { refuse, type StandInHub } from '../../../support/servers/api/stand-in-hub.ts';

let hub: StandInHub;
besideStandInHub((given) => {
  hub = given;
  hub.places = { 'shop-a': { serves: 'site-1' }, 'shop-b': { serves: 'site-2' } };
});

const aPod = (site: string, name: string): object => ({
  site,
  name,
  revision: 'shop-1',
  phase: 'Running',
  ready: true,
  restarts: 0,
  createdAt: null,
  containers: ['app'],
});
const answerPods = (missing: readonly object[] = []): void => {
  hub.answer = (_part, name, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        items: name === 'shop-a' ? [aPod('site-1', 'pod-a')] : [aPod('site-2', 'pod-b')],
        missing,
      }),
    );
};

test.each([
  ['shop-a', ['pod-a']],
  ['cappset/shop', ['pod-a', 'pod-b']],
])('of %s it ends with the Pods that the reader tells', async (name, pods) => {
  answerPods();
  const { out, notes, ended } = cappBeside(hub, ['tree', name]);
  expect(await ended).toBe(0);
  const lines = out.join('\n').split('\n');
  expect(lines.flatMap((line) => /Pod (\S+)/.exec(line)?.[1] ?? [])).toEqual(pods);
  expect(notes).toEqual([]);
});

test('a site that is missing is a sentence', async () => {
  answerPods([{ site: 'site-3', why: 'no direct way to site-3' }]);
  const { out, notes, ended } = cappBeside(hub, ['tree', 'shop-a']);
  expect(await ended).toBe(0);
  expect(out.join('\n')).toContain('Pod pod-a');
  expect(notes).toEqual(['No direct way to site-3.']);
});

test.each([403, 404, 503])('a reader that answers %i leaves the tree as statuses know it', async (code) => {
  hub.answer = (_part, _name, response) => refuse(response, code, 'x');
  const { out, notes, ended } = cappBeside(hub, ['tree', 'shop-a']);
  expect(await ended).toBe(0);
  expect(out.join('\n')).toContain('Capp apps/shop-a');
  expect(out.join('\n')).not.toContain('Pod ');
  expect(notes).toEqual([]);
});

test('of a set with more than twenty Capps no Pods are asked for', async () => {
  hub.members = Array.from({ length: 21 }, (_, at) => `shop-${at}`);
  answerPods();
  const { ended } = cappBeside(hub, ['tree', 'cappset/shop']);
  expect(await ended).toBe(0);
  expect(hub.asked).toEqual([]);
});
