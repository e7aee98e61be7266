// A changed Bundle on two real sites in two stages: a site whose readiness rule does not hold stops it there,
// a mended edit goes through, and undo brings back what was before.
import { run } from '../../../cli/program.ts';
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { CONFIG_MAP, type ConfigMap } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, type Manifest } from '../../../crds/ocm/ocm.ts';
import { createBundle, untilBundle, untilBundleGone } from '../../../testbed/bundles.ts';
import { newNamespace } from '../../../testbed/capps.ts';
import { shownRevision } from '../../../crds/rollout/revision.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { configure } from '../../../testbed/rcs-config.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';
import { aTerminal } from '../../support/builders/process/terminals.ts';

const WAIT = { withinMs: 120_000, everyMs: 250 };

let stack: TestbedStack;
let namespace: string;
let bundle: { namespace: string; name: string };
let restore: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'stages');
  bundle = { namespace, name: 'settings' };
  restore = await configure(stack.hub, { bundles: { unrestricted: [namespace] } });
});
afterAll(async () => {
  await stack.hub.remove(BUNDLE, bundle);
  await untilBundleGone(stack.hub, bundle);
  const [canary = ''] = stack.sites;
  await label(canary, null);
  await restore();
  await stack.close();
});

const mark = () => `example.com/${namespace}`;
const label = (name: string, value: string | null) =>
  stack.hub.patch(MANAGED_CLUSTER, { namespace: null, name }, { metadata: { labels: { [mark()]: value } } });
const settings = (color: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: namespace, namespace: 'default' },
  data: { color },
});
const colors = (): Promise<(string | undefined)[]> =>
  Promise.all(
    stack.sites.map(async (site) => {
      const key = { namespace: 'default', name: namespace };
      return (await stack.site(site).get<ConfigMap>(CONFIG_MAP, key))?.data?.['color'];
    }),
  );
const edit = (color: string) => stack.hub.patch(BUNDLE, bundle, { spec: { manifests: [settings(color)] } });
const revisionOf = ({ status }: Bundle): string => status?.rollout?.revision ?? '';

async function capp(...words: string[]) {
  const { terminal, out, notes } = aTerminal();
  const args = [...words, '--kubeconfig', stack.layout.kubeconfig('hub'), '-n', namespace];
  const code = await run({ args, name: 'kubectl capp', version: '0' }, terminal);
  return { code, out: out.join('\n'), err: notes.join('\n') };
}

/** Every site has it, and is Ready at exactly this revision. */
const settled = (color: string): Promise<Bundle> =>
  eventually(async () => {
    const found = await untilBundle(stack.hub, bundle, 'Ready');
    expect(await colors()).toEqual(stack.sites.map(() => color));
    expect(found.status?.rollout?.settled).toBe(revisionOf(found));
    return found;
  }, WAIT);

test('an edit whose rule does not hold on the first site stops there and says why; a mended edit passes, and undo goes back', async () => {
  const [canary = ''] = stack.sites;
  await label(canary, 'canary');
  await createBundle(stack.hub, bundle, {
    sites: { clusters: [...stack.sites] },
    manifests: [settings('red')],
    ready: [
      { kind: 'ConfigMap', name: namespace, namespace: 'default', when: "object.data.color != 'broken'" },
    ],
    strategy: {
      stages: [{ name: 'canary', sites: { matchLabels: { [mark()]: 'canary' } } }],
      maxConcurrent: '100%',
      deadlineSeconds: 10,
    } as never,
  });
  const red = revisionOf(await settled('red'));

  await edit('broken');
  const stopped = await eventually(async () => {
    const found = await stack.hub.get<Bundle>(BUNDLE, bundle);
    const going = found?.status?.conditions?.find(({ type }) => type === 'Progressing');
    if (found !== null && going?.reason === 'SitesFailed') return found;
    throw new Error(`the Bundle says ${JSON.stringify(found?.status)}`);
  }, WAIT);
  expect(await colors()).toEqual(['broken', 'red']);
  expect(stopped.status?.failing).toMatchObject([
    { cluster: canary, kind: 'ConfigMap', name: namespace, reason: 'NotReady' },
  ]);
  expect(stopped.status?.revisions?.map(({ revision }) => revision).toSorted()).toEqual(
    [red, revisionOf(stopped)].toSorted(),
  );
  const { out: told } = await capp('rollout', 'status', 'bundle/settings');
  expect(told).toMatch(/SitesFailed: .*\n\nSTAGE[^]+\ncanary +\w+ +1 +0 +0 +1 +0\n/);
  expect(told).toMatch(new RegExp(`\\n${canary} +ConfigMap ${namespace} +NotReady `));
  const { out: plan } = await capp('rollout', 'plan', 'bundle/settings');
  expect(plan).toContain('It would stop there (SitesFailed)');

  await edit('green');
  const green = revisionOf(await settled('green'));
  expect(new Set([red, revisionOf(stopped), green]).size).toBe(3);
  const { out: done } = await capp('rollout', 'status', 'bundle/settings');
  expect(done).toContain(`Revision ${shownRevision(green)}: 2/2 sites Ready.`);

  expect(await capp('rollout', 'undo', 'bundle/settings', '--to', red)).toMatchObject({ code: 0 });
  expect(revisionOf(await settled('red'))).toBe(red);
  const { out: history } = await capp('history', 'bundle/settings');
  for (const revision of [red, revisionOf(stopped), green])
    expect(history).toContain(shownRevision(revision));
}, 240_000);
