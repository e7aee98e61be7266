// Charts of registries, which helm brings to a site. What people give for them is in files: no command line
// has it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { toolPath } from '../../local/programs/tools.ts';
import { isOnPath } from '../../local/terminal.ts';
import { JoinRefused } from '../refused.ts';
import type { Chart, PartName } from './parts.ts';

/** How long a chart's Pods may take to run. */
const RUNS_WITHIN = '10m';
/** Words of the values that are shorter stand everywhere. */
const SHORTEST = 4;

export interface ChartSource {
  /** Path of the site's kubeconfig. */
  readonly kubeconfig: string;
  /** A folder, or the address of a mirror, with the packed charts; null: from their registries. */
  readonly given: string | null;
  /** A YAML file; null: none. */
  readonly values: string | null;
}

/** That which `make tools` has built, or the machine's; null: none. */
export async function helmProgram(): Promise<string | null> {
  const built = toolPath('helm');
  if (existsSync(built)) return built;
  return (await isOnPath('helm')) ? 'helm' : null;
}

/** As helm packs it. */
export function chartFile({ from, version }: Chart): string {
  return `${from.slice(from.lastIndexOf('/') + 1)}-${version}.tgz`;
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
 * says, without the values that were given.
 */
export async function runHelm(
  part: PartName,
  { chart, source }: { readonly chart: Chart; readonly source: ChartSource },
  isDryRun: boolean,
): Promise<void> {
  const program = await helmProgram();
  if (program === null) throw new JoinRefused([`${part}: there is no helm on this machine.`]);
  try {
    await promisify(execFile)(program, [...helmArguments(chart, source, isDryRun)], {
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string };
    const said = await veiled(stderr.trim() === '' ? message : stderr.trim(), source.values);
    throw new JoinRefused([
      `helm does not bring ${part}: ${said}`,
      `Run this again when that is mended: it goes on from here. Where there is no way to the registry, put ${chartFile(chart)} into a folder (helm pull ${chart.from} --version ${chart.version}), and give it: --manifests <folder>.`,
    ]);
  }
}

function placeOf(given: string, chart: Chart): string {
  const file = chartFile(chart);
  return /^https?:\/\//.test(given) ? `${given.replace(/\/$/, '')}/${file}` : join(given, file);
}

/** helm quotes what it does not understand. */
async function veiled(said: string, values: string | null): Promise<string> {
  if (values === null) return said;
  const text = await readFile(values, 'utf8').catch(() => '');
  // Of a file that is no YAML its lines may be quoted.
  const words = parseAllDocuments(text).flatMap((one) =>
    'errors' in one && one.errors.length === 0 ? leavesOf(one.toJS()) : text.split(/\s+/),
  );
  return words
    .filter((word) => word.length >= SHORTEST)
    .reduce((line, word) => line.replaceAll(word, '***'), said);
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return [typeof value === 'string' ? value : JSON.stringify(value ?? '')];
}
