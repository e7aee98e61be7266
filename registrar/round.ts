// One round of the registrar: it looks, and writes what differs.
import { SECRET, type Secret } from '../crds/kubernetes/core.ts';
import type { Kube } from '../kube/client.ts';
import { isAlreadyExists, isConflict } from '../kube/failure.ts';
import { secretNameOf } from './cluster.ts';
import { look } from './look.ts';
import { planned, refusal, type RegistrarAct, type ClusterWrite, type ClusterRules } from './plan.ts';

export interface RoundOptions extends ClusterRules {
  /** PEM; read in each round. Throws where there is none. */
  readonly authority: () => Promise<string>;
  /** After each write. */
  readonly onDone: (act: RegistrarAct['do'], site: string) => void;
  /** A write that failed; the next round tries again, and the others of this round are done. */
  readonly onError: (site: string, error: unknown) => void;
}

export interface RoundEnd {
  readonly remarks: ReadonlyMap<string, string>;
  readonly noWaySince: ReadonlyMap<string, number>;
}

/**
 * Throws ApiError where what decides could not be read, and what `authority` throws: then nothing is
 * written. A second round, or one beside it, writes nothing more: each write names the version that it was
 * planned for.
 */
export async function round(
  kube: Pick<Kube, 'list' | 'create' | 'patch' | 'remove'>,
  options: RoundOptions,
  noWaySince: ReadonlyMap<string, number>,
  now: number,
): Promise<RoundEnd> {
  const authority = await options.authority();
  const seen = { ...(await look(kube, options)), authority };
  const plan = planned(seen, options, noWaySince, now);
  const remarks = new Map(plan.remarks);
  for (const act of plan.acts) {
    const { site } = act;
    try {
      await carryOut(kube, options.namespace, act);
      options.onDone(act.do, site);
    } catch (error) {
      if (isAlreadyExists(error)) remarks.set(site, refusal(options.namespace, secretNameOf(site), site));
      // Somebody else was first: the next round sees what is there now.
      else if (!isConflict(error)) options.onError(site, error);
    }
  }
  return { remarks, noWaySince: plan.noWaySince };
}

type Writer = Pick<Kube, 'create' | 'patch' | 'remove'>;

async function carryOut(kube: Writer, namespace: string, act: RegistrarAct): Promise<void> {
  const key = { namespace, name: secretNameOf(act.site) };
  if (act.do === 'remove') return void (await kube.remove(SECRET, key, act.found));
  const { labels, data, found, without } = act.write;
  if (found === null) {
    const secret: Secret = { metadata: { ...key, labels }, type: 'Opaque', data };
    return void (await kube.create(SECRET, secret, { fieldManager: FIELD_MANAGER }));
  }
  const body = { metadata: { ...found, labels: labelsFrom(labels, without) }, data };
  await kube.patch(SECRET, key, body, { fieldManager: FIELD_MANAGER });
}

const FIELD_MANAGER = 'cappstan-registrar';

/** In a merge patch what is null goes. Data of others, such as a project or a shard, stays. */
function labelsFrom(labels: ClusterWrite['labels'], without: readonly string[]): object {
  return { ...Object.fromEntries(without.map((name) => [name, null])), ...labels };
}
