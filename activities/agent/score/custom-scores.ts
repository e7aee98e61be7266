// Reads custom scores that the operators of a site provide, from a ConfigMap or an HTTP endpoint there.
import { CONFIG_MAP, type ConfigMap } from '../../../crds/kubernetes/core.ts';
import { CPU_AVAILABLE, MEMORY_AVAILABLE } from '../../../crds/ocm/add-on.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Key } from '../../../kube/resource.ts';
import type { Figure } from '../../../workflows/score/measured.ts';
import { bounded } from './figures.ts';
import { AGENT_TIMES } from '../times.ts';

export interface Extras {
  /** Data: name → integer. */
  readonly configMap: Key | null;
  /** Answers GET with a JSON object: name → number. */
  readonly url: string | null;
}

/** Is called for a source that could not be read. Its figures are missing then. */
export type OnSourceProblem = (source: 'ConfigMap' | 'URL', error: unknown) => void;

/** They pass through history at every interval. */
const MOST = 20;
const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const OURS: ReadonlySet<string> = new Set([CPU_AVAILABLE, MEMORY_AVAILABLE]);
const LARGEST = 64 * 1024;

/** The first twenty by name; where both sources have one, the ConfigMap's. Never throws. */
export async function readExtras(
  kube: Kube,
  { configMap, url }: Extras,
  onProblem: OnSourceProblem,
): Promise<Figure[]> {
  const attempt = (source: 'ConfigMap' | 'URL', read: Promise<Figure[]>): Promise<Figure[]> =>
    read.catch((error: unknown) => {
      onProblem(source, error);
      return [];
    });
  const [kept, told] = await Promise.all([
    configMap === null ? [] : attempt('ConfigMap', fromConfigMap(kube, configMap)),
    url === null ? [] : attempt('URL', fromUrl(url)),
  ]);
  return merge(kept, told);
}

/** Leaves out names that the product uses, and invalid names. */
export function merge(first: readonly Figure[], second: readonly Figure[]): Figure[] {
  const byName = new Map([...second, ...first].map((figure) => [figure.name, figure]));
  const valid = [...byName.values()].filter(({ name }) => NAME.test(name) && !OURS.has(name));
  return valid.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST);
}

/** Leaves out values that are not integers. */
export function figuresOfData(data: Readonly<Record<string, string>>): Figure[] {
  return Object.entries(data).flatMap(([name, text]) =>
    /^[+-]?\d+$/.test(text.trim()) ? [{ name, value: bounded(Number(text)) }] : [],
  );
}

/** Leaves out values that are not numbers. Throws an Error if the answer is not an object. */
export function figuresOfJson(value: unknown): Figure[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The answer is not a JSON object');
  return Object.entries(value).flatMap(([name, number]: [string, unknown]) =>
    typeof number === 'number' ? [{ name, value: bounded(number) }] : [],
  );
}

async function fromConfigMap(kube: Kube, key: Key): Promise<Figure[]> {
  const found = await kube.get<ConfigMap>(CONFIG_MAP, key, { deadlineMs: AGENT_TIMES.customScores.ms });
  if (found === null) throw new Error('There is no such ConfigMap');
  return figuresOfData(found.data ?? {});
}

async function fromUrl(url: string): Promise<Figure[]> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(AGENT_TIMES.customScores.ms),
    redirect: 'error',
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`The answer is ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > LARGEST) throw new Error(`The answer is larger than ${LARGEST} bytes`);
    chunks.push(chunk);
  }
  return figuresOfJson(JSON.parse(Buffer.concat(chunks).toString('utf8')));
}
