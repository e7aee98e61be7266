// The corpus of files, and what kubectl makes of each. `node test/support/corpus/answers.ts` asks the kubectl
// on the PATH again and writes what it says into test/fixtures/kubectl-files.json; it needs no server.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDigits, parseDigits } from '../../../kube/files/digits.ts';
import { jsonTexts } from '../../../kube/files/stream.ts';
import { CHART_CASES } from './charts.ts';
import { CORNER_CASES, LETTER_CASES } from './corners.ts';
import { REPORT_CASES } from './reports.ts';
import { SCALAR_CASES } from './scalars.ts';
import { BYTE_CASES, STREAM_CASES } from './streams.ts';
import { STRUCTURE_CASES } from './structures.ts';

/** By name. */
export const CASES: Readonly<Record<string, string | Uint8Array>> = {
  ...SCALAR_CASES,
  ...STRUCTURE_CASES,
  ...STREAM_CASES,
  ...BYTE_CASES,
  ...CHART_CASES,
  ...REPORT_CASES,
  ...CORNER_CASES,
  ...LETTER_CASES,
};

const ANSWERS = new URL('../../fixtures/kubectl-files.json', import.meta.url);

interface Answers {
  readonly kubectl: string;
  /** By the name of a case, its objects as `told`; null where kubectl reads nothing. */
  readonly cases: Readonly<Record<string, readonly string[] | null>>;
}

export function recorded(): Answers {
  return JSON.parse(readFileSync(ANSWERS, 'utf8')) as Answers;
}

/** An object as JSON with sorted keys. */
export function told(object: unknown): string {
  return JSON.stringify(sorted(object));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || isDigits(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

const MARK = 'oracle';

/** kubectl prints what it has annotated; an object without metadata then has some. */
export function annotated(object: unknown): unknown {
  const { metadata, ...rest } = object as { metadata?: { annotations?: object | null } | null };
  return { ...rest, metadata: { ...metadata, annotations: { ...metadata?.annotations, [MARK]: 'x' } } };
}

function answerOf(file: string): string[] | null {
  const args = ['annotate', '--local', '--overwrite', '-f', file, `${MARK}=x`, '-o', 'json'];
  const { status, stdout, stderr } = spawnSync('kubectl', args, { encoding: 'utf8' });
  if (stderr.includes('no objects passed')) return [];
  if (status !== 0) return null;
  return jsonTexts(stdout).objects.map((text) => told(parseDigits(text)));
}

function record(): void {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
  const file = join(folder, 'file.yaml');
  const cases = Object.fromEntries(
    Object.entries(CASES).map(([name, content]) => {
      writeFileSync(file, content);
      return [name, answerOf(file)];
    }),
  );
  rmSync(folder, { recursive: true });
  const { stdout } = spawnSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  const { clientVersion } = JSON.parse(stdout) as { clientVersion: { gitVersion: string } };
  const kubectl = clientVersion.gitVersion.replace(/-.*/, '');
  writeFileSync(ANSWERS, `${JSON.stringify({ kubectl, cases }, null, 1)}\n`);
}

if (import.meta.main) record();
