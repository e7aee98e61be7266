// Sites and a hub for the reader, in memory: each answers what a test wants, lies among them.
import { CAPP } from '../../../crds/capp/capp.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { connectedBy, type Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Transport } from '../../../kube/http/transport.ts';
import type { Context, Sink } from '../../../reach/answer/context.ts';
import { askedBy, type Question } from '../../../reach/asked.ts';
import { counts, MOST_LOGS } from '../../../reach/bounds.ts';
import { pathTo, type Part } from '../../../reach/names.ts';
import { KNATIVE_SERVICE_LABEL } from '../../../crds/kubernetes/knative.ts';
import type { Way, Ways } from '../../../reach/site/way.ts';

export const SHOP = { namespace: 'apps', name: 'shop' };

/** What a site answers; each may change while a test goes on. */
export interface SiteAnswers {
  copy: unknown;
  pods: unknown;
  /** Of its metrics API. */
  usage?: unknown;
  /** The log of a container, by its path. */
  log(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Paths with their queries. */
  readonly asked: string[];
}

export function aSite(plain: Partial<SiteAnswers> = {}): SiteAnswers {
  return {
    copy: { metadata: { name: 'shop', annotations: { [ROLLOUT]: 'uid-1/1/hash/one' } } },
    pods: { items: [aPod('shop-1')] },
    log: () => bytes(),
    asked: [],
    ...plain,
  };
}

export function aPod(name: string, containers: readonly string[] = ['app']): object {
  const labels = { [KNATIVE_SERVICE_LABEL]: 'shop' };
  return {
    metadata: { namespace: 'apps', name, uid: `uid-of-${name}`, labels },
    spec: { containers: containers.map((one) => ({ name: one })) },
    status: {
      phase: 'Running',
      containerStatuses: containers.map((one) => ({ name: one, restartCount: 0, state: { running: {} } })),
    },
  };
}

export async function* bytes(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** A line as the kubelet has it. */
export function aLine(text: string, at = new Date().toISOString()): string {
  return `${at} ${text}\n`;
}

/** These bytes, and then silence until the signal aborts. */
export async function* openEnded(
  signal: AbortSignal,
  ...texts: readonly string[]
): AsyncGenerator<Uint8Array> {
  yield* bytes(...texts);
  await aborted(signal);
  throw signal.reason;
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** A promise is an answer that is still to come; an Error is thrown. */
function wayOf(site: SiteAnswers): Way {
  const transport: Transport = {
    deadlineMs: 8_000,
    send: async ({ path }, { signal } = {}) => {
      site.asked.push(path);
      const gone = signal === undefined ? [] : [aborted(signal).then(() => Promise.reject(signal.reason))];
      const found = path.includes('/metrics.k8s.io/')
        ? site.usage
        : path.includes('/pods')
          ? site.pods
          : site.copy;
      const answer = await Promise.race([found, ...gone]);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    open: async ({ path }, { signal }) => {
      site.asked.push(path);
      return site.log(path, signal);
    },
    close: () => Promise.resolve(),
  };
  return { kube: connectedBy(transport), transport, logs: counts(MOST_LOGS.ofSite) };
}

export interface ReachWorld {
  readonly context: Context;
  /** Where the hub says that the Capp is. */
  sites: readonly string[];
}

/** The hub's Capp is on all of these sites, until a test says otherwise. */
export function aReachWorld(answers: Readonly<Record<string, SiteAnswers>>): ReachWorld {
  const known = Object.entries(answers).map(([name, site]): [string, Way] => [name, wayOf(site)]);
  const way = new Map(known);
  const to: Ways['to'] = async (site) => ({ is: 'way', way: way.get(site) as Way });
  const get = async (): Promise<object> => ({
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    metadata: { ...SHOP, uid: 'uid-1' },
    status: { sites: world.sites.map((clusterName) => ({ clusterName, role: 'Serving' })) },
  });
  const hub = { get } as unknown as Kube;
  const world: ReachWorld = {
    context: { hub, ways: { to, close: () => Promise.resolve() } },
    sites: Object.keys(answers),
  };
  return world;
}

export function aQuestion(part: Part = 'log', query = ''): Question {
  const asked = askedBy('GET', `${pathTo(SHOP, part)}${query}`);
  if (asked.is !== 'question') throw new Error('It is no question');
  return asked.question;
}

export interface SinkForTests {
  readonly sink: Sink;
  readonly ending: AbortController;
  /** What was written, line by line. */
  readonly lines: string[];
}

export function aSink(): SinkForTests {
  const ending = new AbortController();
  const lines: string[] = [];
  const write = async (text: string): Promise<void> => {
    if (!ending.signal.aborted) lines.push(text.trimEnd());
  };
  return { sink: { signal: ending.signal, write }, ending, lines };
}

export function refusal(code: number): ApiError {
  return new ApiError({ method: 'GET', path: '/', code, reason: 'Unknown' });
}
