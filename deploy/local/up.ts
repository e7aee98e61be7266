// `make up`: starts or repairs the stack in .local, and prints how to use it.
import { join, relative } from 'node:path';
import { connect } from '../../kube/client.ts';
import { isOnPath, numberFrom, runCommand, duration, type Progress } from './terminal.ts';
import { readJson, writeJson } from './supervise/json-file.ts';
import { layoutOf } from './layout.ts';
import { stackProcesses } from './supervise/stack-processes.ts';
import { ROOT } from './cappstan/processes.ts';
import { applySample, awaitCapp, siteOf, type Sample } from './cappstan/sample.ts';
import { DEFAULTS, startStack, type Stack } from './stack.ts';

const SAMPLE = join(ROOT, 'deploy', 'samples', 'capp.yaml');
const SAMPLE_READY_WITHIN_MS = 180_000;

/** Stored for the next `make up`. */
interface StoredOptions {
  readonly sites: number;
  /** The sample is applied only once, so that edits and its deletion last. */
  readonly sample: Sample | null;
}

const dir = process.env['STATE'] || '.local';

await runCommand(async (progress) => {
  const startedAt = Date.now();
  const file = join(layoutOf(dir).state, 'up.json');
  const before = await readJson<StoredOptions>(file);
  const sites = numberFrom('SITES', { least: 1, most: 9 }) ?? before?.sites ?? DEFAULTS.sites;
  if (before !== null && sites < before.sites) {
    progress.say(
      `Stopping the sites above site-${sites}. OCM keeps their ManagedClusters and calls them unavailable, so their Capps move.`,
    );
  }
  const stack = await startStack({
    dir,
    sites,
    progress,
    preferredPorts: { temporal: 7233, 'temporal-ui': 8233 },
  });
  writeJson(file, { sites, sample: before?.sample ?? null } satisfies StoredOptions);
  if (!(await isOnPath('kubectl')))
    progress.say(
      'kubectl is not on the PATH. Install it to look at the clusters (https://kubernetes.io/docs/tasks/tools).',
    );
  const { sample, site } = await sampleCapp(stack, before?.sample ?? null, progress);
  writeJson(file, { sites, sample } satisfies StoredOptions);
  progress.say(
    `\nThe stack is running, after ${duration((Date.now() - startedAt) / 1000)}.\n\n${nextSteps(stack, sample, site)}`,
  );
}, runningHint);

async function runningHint(): Promise<string> {
  const { length } = await stackProcesses(layoutOf(dir).dir);
  return length === 0
    ? ''
    : `${length} processes of the stack keep running. "make up" continues from here, "make down" stops them.`;
}

/** Applies the sample the first time, and waits until it is Ready. */
async function sampleCapp(
  stack: Stack,
  known: Sample | null,
  progress: Progress,
): Promise<{ sample: Sample; site: string }> {
  const kube = connect({ kubeconfig: stack.hub.kubeconfig });
  try {
    if (known !== null)
      return { sample: known, site: (await siteOf(kube, known)) ?? stack.sites[0]?.name ?? '' };
    return await progress.step('Applying a sample Capp and waiting until it is Ready', async (note) => {
      const sample = await applySample(kube, SAMPLE);
      return { sample, site: await awaitCapp(kube, sample, { timeoutMs: SAMPLE_READY_WITHIN_MS, note }) };
    });
  } finally {
    await kube.close();
  }
}

function nextSteps({ layout, temporal }: Stack, { namespace, name }: Sample, site: string): string {
  const path = (file: string): string => relative(process.cwd(), file) || '.';
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
    'See it on its site:',
    `  kubectl --kubeconfig ${path(layout.kubeconfig(site))} get capp,ksvc,pods -n ${namespace}`,
    '',
    '"make up" repairs the stack, "make down" stops it, "make down CLEAN=1" also deletes its data.',
  ].join('\n');
}
