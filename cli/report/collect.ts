// Reads what a report holds, as far as the person may read it, and makes the files of it.
import { ApiError } from '../../kube/failure.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { examine } from '../doctor/examine.ts';
import { gather } from '../doctor/gather.ts';
import { SITE_WORDS } from '../explain/site-words.ts';
import { versionsFrom } from '../explain/versions.ts';
import type { ConnectedHub } from '../hub/connection/hub.ts';
import { readHubStatus } from '../hub/objects/status.ts';
import { REPORTED, type ReportedKind } from './kinds.ts';
import type { TextFile } from './tar.ts';

/** Objects of one kind; of a larger hub the first ones by name are enough to see how it is. */
const MOST_OBJECTS = 2_000;

export interface Report {
  readonly files: readonly TextFile[];
  /** In words: what is missing because the person may not read it. */
  readonly unread: readonly string[];
}

/**
 * Writes nothing; the doctor's request to the webhook is a dry run. Throws ApiError but for missing rights.
 */
export async function collect(hub: ConnectedHub, client: string, now: number): Promise<Report> {
  const unread: string[] = [];
  const { facts, unread: hidden } = await gather(hub);
  const faults = examine(facts, SITE_WORDS, now);
  const status = await readHubStatus(hub);
  const versions = versionsFrom({ client, status, clusters: facts.clusters });
  const kubernetes = await hub.kube.raw('GET', '/version');
  const files: TextFile[] = [
    file('versions.json', { ...versions, kubernetes, node: process.version }),
    file('doctor.json', { faults, notLookedAt: hidden }),
  ];
  for (const kind of REPORTED) {
    const found = await objectsOf(hub, kind);
    if (found === null) unread.push(kind.resource.plural);
    else files.push(file(`${kind.resource.plural}.json`, found));
  }
  return { files: [...files, file('unread.json', unread)], unread };
}

interface Told {
  /** Of one namespace, if the person may not read all of them. */
  readonly namespace: string | null;
  readonly count: number;
  readonly items: readonly object[];
}

/** Null if the person may not read them, neither everywhere nor in the namespace. */
async function objectsOf(
  hub: ConnectedHub,
  { resource, told, ...selection }: ReportedKind,
): Promise<Told | null> {
  for (const namespace of resource.namespaced ? [null, hub.namespace] : [null])
    try {
      const where = namespace === null ? {} : { namespace };
      const { items } = await hub.kube.list<KubeObject>(resource, { ...selection, ...where });
      return { namespace, count: items.length, items: items.slice(0, MOST_OBJECTS).map(told) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 404) return { namespace, count: 0, items: [] };
      if (error.code !== 403) throw error;
    }
  return null;
}

function file(name: string, value: unknown): TextFile {
  return { name: `cappstan-report/${name}`, text: `${JSON.stringify(value, null, 2)}\n` };
}
