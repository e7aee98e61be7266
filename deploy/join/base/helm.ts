// Charts of registries, which helm brings to a site. What people give for them is in files: no command line
// has it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toolPath } from '../../local/programs/tools.ts';
import { isOnPath } from '../../local/terminal.ts';
import { JoinRefused } from '../refused.ts';
import type { Chart, PartName } from './parts.ts';

/** How long a chart's Pods may take to run. */
const RUNS_WITHIN = '10m';
/** Older ones do not know `--reset-then-reuse-values`. Major and minor. */
const OLDEST = [3, 14] as const;
const VERSION_MS = 10_000;
/** helm may write all that a chart has. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface ChartSource {
  /** Path of the site's kubeconfig. */
  readonly kubeconfig: string;
  /** A folder, or the address of a mirror, with the packed charts; null: from their registries. */
  readonly given: string | null;
  /** A YAML file; null: none. */
  readonly values: string | null;
  /** Somebody has given values, now or in an earlier run: helm quotes what it does not understand. */
  readonly hasValues: boolean;
}

/** That which `make tools` has built, or the machine's, if it is new enough; null: none. */
export async function helmProgram(): Promise<string | null> {
  const built = toolPath('helm');
  if (existsSync(built)) return built;
  return (await isOnPath('helm')) && (await isNewEnough('helm')) ? 'helm' : null;
}

async function isNewEnough(program: string): Promise<boolean> {
  const said = await output(program, ['version', '--short'], VERSION_MS).catch(() => '');
  const [, major = 0, minor = 0] = (/v(\d+)\.(\d+)/.exec(said) ?? []).map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** What it writes to standard output. Throws as execFile does, and JoinRefused without a helm. */
export async function callHelm(args: readonly string[]): Promise<string> {
  const program = await helmProgram();
  if (program === null) throw new JoinRefused(['There is no helm on this machine that could be used.']);
  return output(program, args);
}

/** It goes to the cluster of the kubeconfig, also where the environment names another one. */
async function output(program: string, args: readonly string[], timeout?: number): Promise<string> {
  const env = { ...process.env };
  for (const name of clusterVariables()) delete env[name];
  const { stdout } = await promisify(execFile)(program, [...args], { env, timeout, maxBuffer: MOST_BYTES });
  return stdout;
}

/** Variables by which helm would go to another cluster, or as somebody else. */
function clusterVariables(): readonly string[] {
  return Object.keys(process.env).filter((name) => name.startsWith('HELM_KUBE'));
}

/** As a person runs it in a shell, with the same effect. */
export async function lineFor(args: readonly string[]): Promise<string> {
  const unset = clusterVariables().flatMap((name) => ['-u', name]);
  const line = [...(unset.length === 0 ? [] : ['env', ...unset]), (await helmProgram()) ?? 'helm', ...args];
  return line.map((word) => (/^[\w./:=,-]+$/.test(word) ? word : quoted(word))).join(' ');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** As helm packs it. */
export function chartFile({ from, version }: Chart): string {
  return `${chartName({ from })}-${version}.tgz`;
}

/** As its registry calls it. */
export function chartName({ from }: Pick<Chart, 'from'>): string {
  return from.slice(from.lastIndexOf('/') + 1);
}

/** Values of an earlier run stay where these say nothing. Pure. */
export function helmArguments(
  chart: Chart,
  { kubeconfig, given, values }: ChartSource,
  isDryRun: boolean,
): readonly string[] {
  const { release, namespace, from, version, settings } = chart;
  const place = given === null ? from : placeOf(given, chart);
  return [
    'upgrade',
    '--install',
    release,
    place,
    ...(given === null ? ['--version', version] : []),
    '--namespace',
    namespace,
    '--create-namespace',
    '--kubeconfig',
    kubeconfig,
    '--reset-then-reuse-values',
    ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    ...(values === null ? [] : ['--values', values]),
    ...(isDryRun ? ['--dry-run=server'] : ['--wait', '--timeout', RUNS_WITHIN]),
  ];
}

/**
 * Brings the chart, or looks whether it could be brought. Safe to repeat. Throws JoinRefused with what helm
 * says; where somebody has given values, with the line that says it.
 */
export async function runHelm(
  part: PartName,
  { chart, source }: { readonly chart: Chart; readonly source: ChartSource },
  isDryRun: boolean,
): Promise<void> {
  const args = helmArguments(chart, source, isDryRun);
  try {
    await callHelm(args);
  } catch (error) {
    const said = source.hasValues ? await unquoted(error, args) : saidBy(error);
    throw new JoinRefused([
      `helm does not bring ${part}: ${said}`,
      `Run this again when that is mended: it goes on from here. Where there is no way to the registry, put ${chartFile(chart)} into a folder (helm pull ${chart.from} --version ${chart.version}), and give it: --manifests <folder>.`,
    ]);
  }
}

/** Of an error of `callHelm`. */
export function saidBy(error: unknown): string {
  const { stderr = '', message } = error as Error & { readonly stderr?: string };
  return stderr.trim() === '' ? message : stderr.trim();
}

async function unquoted(error: unknown, args: readonly string[]): Promise<string> {
  const { code, signal } = error as { readonly code?: number | string; readonly signal?: string | null };
  return `it ended with ${signal ?? code ?? 'an error'}. What it says may quote the values, and is not shown. To read it, run: ${await lineFor(args)}`;
}

function placeOf(given: string, chart: Chart): string {
  const file = chartFile(chart);
  return /^https?:\/\//.test(given) ? `${given.replace(/\/$/, '')}/${file}` : join(given, file);
}
