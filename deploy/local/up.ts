// `make up`: starts or repairs the stack in .local, and prints how to use it.
import { join, relative } from 'node:path';
import { connect } from '../../kube/client.ts';
import { isOnPath, numberFrom, runCommand, duration, type Progress } from './terminal.ts';
import { readJson, writeJson } from './supervise/json-file.ts';
import { layoutOf } from './layout.ts';
import { stackProcesses } from './supervise/stack-processes.ts';
import { ROOT } from './cappstan/processes.ts';
import { applySample, awaitCapp, siteOf, type Sample } from './cappstan/sample.ts';
import { argoClustersFrom } from './cappstan/argo-clusters.ts';
import { dataPlaneFrom, type DataPlaneName } from './dataplane/choice.ts';
import { appHost } from './kubernetes/knative.ts';
import { awaitAnswer, curlCommand } from './cappstan/ask.ts';
import { ingressHost } from './standins/ingress/address.ts';
import { startStack, type Stack } from './stack.ts';
import { DEFAULTS } from './stack-options.ts';

const SAMPLE = join(ROOT, 'deploy', 'samples', 'capp.yaml');
const SAMPLE_READY_WITHIN_MS = 180_000;
const ANSWERS_WITHIN_MS = 30_000;

/** Stored for the next `make up`. */
interface StoredOptions {
  readonly sites: number;
  /** Absent in stacks from before there was a choice. */
  readonly dataPlane?: DataPlaneName;
  /** The sample is applied only once, so that edits and its deletion last. */
  readonly sample: Sample | null;
}

const dir = process.env['STATE'] || '.local';

await runCommand(async (progress) => {
  const startedAt = Date.now();
  const file = join(layoutOf(dir).state, 'up.json');
  const before = await readJson<StoredOptions>(file);
  const sites = numberFrom('SITES', { least: 1, most: 9 }) ?? before?.sites ?? DEFAULTS.sites;
  const dataPlane = dataPlaneOf(before);
  if (before !== null && sites < before.sites) {
    progress.say(
      `Stopping the sites above site-${sites}. OCM keeps their ManagedClusters and calls them unavailable, so their Capps move.`,
    );
  }
  const stack = await startStack({
    dir,
    sites,
    dataPlane,
    audit: process.env['AUDIT'] === '1',
    argo: argoClustersFrom(process.env),
    reader: true,
    progress,
    preferredPorts: { temporal: 7233, 'temporal-ui': 8233, ingress: 8080 },
  });
  writeJson(file, { sites, dataPlane, sample: before?.sample ?? null } satisfies StoredOptions);
  if (!(await isOnPath('kubectl')))
    progress.say(
      'kubectl is not on the PATH. Install it to look at the clusters (https://kubernetes.io/docs/tasks/tools).',
    );
  const { sample, site } = await sampleCapp(stack, before?.sample ?? null, progress);
  writeJson(file, { sites, dataPlane, sample } satisfies StoredOptions);
  const answer = await askSample(stack, { sample, site, isNew: before?.sample == null }, progress);
  const ready = `The stack is running, after ${duration((Date.now() - startedAt) / 1000)}.`;
  progress.say(`\n${ready}\n\n${nextSteps(stack, sample, site)}\n\n${answer}`);
}, runningHint);

/** The stack keeps its data plane: objects of the one would stop the other from working. */
function dataPlaneOf(before: StoredOptions | null): DataPlaneName {
  const asked = dataPlaneFrom(process.env['DATAPLANE']);
  if (before === null) return asked ?? DEFAULTS.dataPlane;
  const known = before.dataPlane ?? DEFAULTS.dataPlane;
  if (asked === null || asked === known) return known;
  throw new Error(
    `The stack in ${dir} has DATAPLANE=${known}, and DATAPLANE=${asked} needs a new stack. Run "make down CLEAN=1" first, which deletes its data, or unset DATAPLANE.`,
  );
}

async function runningHint(): Promise<string> {
  const { length } = await stackProcesses(layoutOf(dir).dir);
  return length === 0
    ? ''
    : `${length} processes of the stack keep running. "make up" continues from here, "make down" stops them.`;
}

/** Applies the sample the first time, and waits until it is Ready. The site is null when it has none. */
async function sampleCapp(
  stack: Stack,
  known: Sample | null,
  progress: Progress,
): Promise<{ sample: Sample; site: string | null }> {
  const kube = connect({ kubeconfig: stack.hub.kubeconfig });
  try {
    if (known !== null) return { sample: known, site: await siteOf(kube, known) };
    return await progress.step('Applying a sample Capp and waiting until it is Ready', async (note) => {
      const sample = await applySample(kube, SAMPLE);
      return { sample, site: await awaitCapp(kube, sample, { timeoutMs: SAMPLE_READY_WITHIN_MS, note }) };
    });
  } finally {
    await kube.close();
  }
}

/** The last lines of `make up`: how to ask the sample, and what it has just answered. */
async function askSample(
  { ingressPort: port }: Stack,
  { sample, site, isNew }: { sample: Sample; site: string | null; isNew: boolean },
  progress: Progress,
): Promise<string> {
  if (site === null) return `The sample Capp ${sample.namespace}/${sample.name} is on no site.`;
  const address = { host: ingressHost(site), port };
  const proxied = ['http_proxy', 'all_proxy', 'ALL_PROXY'].some((name) => (process.env[name] ?? '') !== '');
  const command = `  ${curlCommand(sample, { site, address, proxied })}`;
  try {
    const timeoutMs = isNew ? ANSWERS_WITHIN_MS : 5000;
    const body = await progress.step('Asking the sample Capp for an answer', (note) =>
      awaitAnswer(address, appHost(sample, site), { timeoutMs, note }),
    );
    return `The sample Capp answers on ${site}:\n${command}\n  ${body.trim()}`;
  } catch (error) {
    // Somebody may have edited the sample since.
    if (isNew) throw error;
    return `The sample Capp does not answer on ${site}: ${error instanceof Error ? error.message : String(error)}\nTo ask it again:\n${command}`;
  }
}

function nextSteps(stack: Stack, { namespace, name }: Sample, site: string | null): string {
  const { layout, temporal } = stack;
  const path = (file: string): string => relative(process.cwd(), file) || '.';
  const siteOrFirst = site ?? stack.sites[0]?.name ?? '';
  const hub = `kubectl --kubeconfig ${path(layout.kubeconfig('hub'))}`;
  return [
    `  hub       ${path(layout.kubeconfig('hub'))}`,
    `  sites     ${path(layout.dir)}/site-N.kubeconfig`,
    `  Temporal  ${temporal.address}, ${temporal.ui} (source ${path(layout.env)})`,
    `  logs      ${path(layout.logs)}/`,
    '',
    'See where the sample Capp is, and why:',
    `  ${hub} get capp -A`,
    `  ${hub} describe capp -n ${namespace} ${name}`,
    'Open its workflow in a browser:',
    `  ${temporal.ui}/namespaces/default/workflows/${encodeURIComponent(`capp/${namespace}/${name}`)}`,
    'Change it:',
    `  ${hub} patch capp -n ${namespace} ${name} --type merge -p '{"spec":{"scaleMetric":"rps"}}'`,
    'Read what it writes, on whatever site it is ("make cli" builds dist/kubectl-capp):',
    `  dist/kubectl-capp --kubeconfig ${path(layout.kubeconfig('hub'))} logs -f -n ${namespace} ${name}`,
    'See it on its site:',
    `  kubectl --kubeconfig ${path(layout.kubeconfig(siteOrFirst))} get capp,ksvc,pods -n ${namespace}`,
    '',
    '"make up" repairs the stack, "make down" stops it, "make down CLEAN=1" also deletes its data.',
  ].join('\n');
}
