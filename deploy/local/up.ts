// `make up`: starts the stack in .local, or finds what runs of it and repairs the rest, and says where things are.
import { join, relative } from 'node:path';
import { connect } from '../../kube/client.ts';
import { canRun, numberFrom, runCommand } from './command.ts';
import { readJson, writeJson } from './supervise/json-file.ts';
import { layoutOf } from './layout.ts';
import { markedProcesses } from './supervise/environment.ts';
import { ROOT } from './ours/processes.ts';
import { duration, type Progress } from './progress.ts';
import { applySample, awaitCapp, siteOf, type Sample } from './ours/sample.ts';
import { DEFAULTS, startStack, type Stack } from './stack.ts';

const SAMPLE = join(ROOT, 'deploy', 'samples', 'capp.yaml');
const SAMPLE_READY_WITHIN_MS = 180_000;

/** What is to be the same the next time. */
interface Remembered {
  readonly sites: number;
  /** The sample is applied once: who edits or deletes it keeps that. */
  readonly sample: Sample | null;
}

const dir = process.env['STATE'] || '.local';

await runCommand(async (progress) => {
  const startedAt = Date.now();
  const file = join(layoutOf(dir).state, 'up.json');
  const before = await readJson<Remembered>(file);
  const sites = numberFrom('SITES', { least: 1, most: 9 }) ?? before?.sites ?? DEFAULTS.sites;
  if (before !== null && sites < before.sites) {
    progress.say(`Stopping the sites above site-${sites}. They stay known to OCM, which will call them lost: what they serve moves.`);
  }
  const stack = await startStack({ dir, sites, progress, wishes: { temporal: 7233, 'temporal-ui': 8233 } });
  writeJson(file, { sites, sample: before?.sample ?? null } satisfies Remembered);
  if (!(await canRun('kubectl')))
    progress.say('kubectl is not on the PATH: install it to look at the clusters (https://kubernetes.io/docs/tasks/tools).');
  const { sample, site } = await firstCapp(stack, before?.sample ?? null, progress);
  writeJson(file, { sites, sample } satisfies Remembered);
  progress.say(`\nThe stack is up, after ${duration((Date.now() - startedAt) / 1000)}.\n\n${whatNext(stack, sample, site)}`);
}, whatRemains);

async function whatRemains(): Promise<string> {
  const { length } = await markedProcesses(layoutOf(dir).dir);
  return length === 0 ? '' : `What is up stays up (${length} processes): "make up" goes on from here, "make down" stops it.`;
}

/** Applies the sample if that was not done before, and waits until it is Ready. */
async function firstCapp(stack: Stack, known: Sample | null, progress: Progress): Promise<{ sample: Sample; site: string }> {
  const kube = connect({ kubeconfig: stack.hub.kubeconfig });
  try {
    if (known !== null) return { sample: known, site: (await siteOf(kube, known)) ?? stack.sites[0]?.name ?? '' };
    return await progress.step('Placing a first Capp', async (note) => {
      const sample = await applySample(kube, SAMPLE);
      return { sample, site: await awaitCapp(kube, sample, { timeoutMs: SAMPLE_READY_WITHIN_MS, note }) };
    });
  } finally {
    await kube.close();
  }
}

function whatNext({ layout, temporal }: Stack, { namespace, name }: Sample, site: string): string {
  const path = (file: string): string => relative(process.cwd(), file) || '.';
  const hub = `kubectl --kubeconfig ${path(layout.kubeconfig('hub'))}`;
  return [
    `  hub       ${path(layout.kubeconfig('hub'))}`,
    `  sites     ${path(layout.dir)}/site-N.kubeconfig`,
    `  Temporal  ${temporal.address}, ${temporal.ui} (source ${path(layout.env)})`,
    `  logs      ${path(layout.logs)}/`,
    '',
    'Where the first Capp is, and why:',
    `  ${hub} get capp -A`,
    `  ${hub} describe capp -n ${namespace} ${name}`,
    'The workflow that keeps it there, in a browser:',
    `  ${temporal.ui}/namespaces/default/workflows/${encodeURIComponent(`capp/${namespace}/${name}`)}`,
    'Change it, and watch the change arrive:',
    `  ${hub} patch capp -n ${namespace} ${name} --type merge -p '{"spec":{"scaleMetric":"rps"}}'`,
    'Look at it on its site:',
    `  kubectl --kubeconfig ${path(layout.kubeconfig(site))} get capp,ksvc,pods -n ${namespace}`,
    '',
    '"make up" again repairs; "make down" stops; "make down CLEAN=1" forgets.',
  ].join('\n');
}
