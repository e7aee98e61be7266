// What a site's work agent makes of works that carry plain manifests: it applies them, says in the work's
// status whether each is there and Ready by its rule, and cleans up as the work asks.
import { bundleOfWork } from '../../../../crds/ocm/bundle-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { Site } from './site.ts';
import type { World } from '../world/world.ts';

type Work = ManifestWork & KubeObject;

/** Manifests with this text never become Ready. */
export const BROKEN = 'broken';

/** What one work has brought. */
export interface Brought {
  /** Of the work; null once it has gone and what it brought was to stay. */
  readonly workUid: string | null;
  /** The manifests, as JSON. */
  readonly text: string;
  readonly verdict: 'Progressing' | 'Ready' | 'Failed';
}

type Condition = Readonly<Record<string, unknown>> & { readonly type: string; readonly status: string };

export class PlainWorks {
  /** By the name of the work. */
  readonly standing = new Map<string, Brought>();
  readonly #site: Site;
  readonly #world: World;

  constructor(site: Site, world: World) {
    this.#site = site;
    this.#world = world;
  }

  /** False: the work is another's. */
  apply(work: Work): boolean {
    if (bundleOfWork(work) === null) return false;
    const { name, uid = '' } = work.metadata;
    const text = JSON.stringify(work.spec?.workload.manifests ?? []);
    const before = this.standing.get(name);
    const isSame = before?.text === text;
    this.standing.set(name, { workUid: uid, text, verdict: isSame ? before.verdict : 'Progressing' });
    this.#report(name);
    if (!isSame) {
      this.#world.tell(`${this.#site.name} has applied ${name}`);
      this.#rollOut(name, text);
    }
    return true;
  }

  cleanUp({ metadata: { name, uid }, spec }: Work): void {
    const brought = this.standing.get(name);
    if (brought?.workUid !== uid) return;
    const stays = spec?.deleteOption?.propagationPolicy === 'Orphan';
    this.#world.tell(`${this.#site.name} lets ${name} go${stays ? ', and what it brought stays' : ''}`);
    if (stays) this.standing.set(name, { ...brought, workUid: null } as Brought);
    else this.standing.delete(name);
  }

  /** What no work explains any more goes; what was to stay does. */
  evict(explained: ReadonlySet<string | undefined>): void {
    for (const [name, { workUid }] of this.standing)
      if (workUid !== null && !explained.has(workUid)) this.standing.delete(name);
  }

  clear(): void {
    this.standing.clear();
  }

  /** The site feels otherwise, or is back. */
  goOn(): void {
    for (const [name, { text }] of this.standing) this.#rollOut(name, text);
  }

  #rollOut(name: string, text: string): void {
    const range = { good: [500, 20_000], slow: [30_000, 900_000], failing: [500, 60_000] } as const;
    const [least, most] = range[this.#site.mood];
    this.#world.clock.after(this.#world.between(least, most), () => {
      const brought = this.standing.get(name);
      if (brought?.text !== text || !this.#site.up) return;
      const fails = this.#site.mood === 'failing' || text.includes(BROKEN);
      this.standing.set(name, { ...brought, verdict: fails ? 'Failed' : 'Ready' });
      if (this.#site.pulls) this.#report(name);
    });
  }

  /** Nothing is written that says what the status says already. */
  #report(name: string): void {
    const { server, clock } = this.#world;
    server.put<Work>(
      MANIFEST_WORK,
      { namespace: this.#site.name, name },
      (work) => {
        const brought = this.standing.get(name);
        if (work === null || brought === undefined || work.metadata.uid !== brought.workUid) return work;
        const status = statusOf(work, brought, new Date(clock.now).toISOString());
        return JSON.stringify(status) === JSON.stringify(work.status) ? work : told(work, status, clock.now);
      },
      'site',
    );
  }
}

function told(work: Work, status: NonNullable<ManifestWork['status']>, now: number): Work {
  const managed = {
    manager: 'work',
    operation: 'Update',
    subresource: 'status',
    time: new Date(now).toISOString(),
  };
  return { ...work, status, metadata: { ...work.metadata, managedFields: [managed] } as Work['metadata'] };
}

/** What a rule says that holds, as that of an object without a state does unless somebody deletes it. */
const RULE_HOLDS = { status: 'True', reason: 'ConditionRuleEvaluated', message: '' } as const;

/** Conditions about the generation that the agent has applied, as OCM's work agent 1.2.1 writes them. */
function statusOf(
  { metadata: { generation = 1 }, spec, status }: Work,
  { text, verdict }: Brought,
  now: string,
): NonNullable<ManifestWork['status']> {
  // A patch that has come since is applied later.
  const isNewest = text === JSON.stringify(spec?.workload.manifests ?? []);
  if (!isNewest) return status ?? {};
  const about = { observedGeneration: generation };
  const statuses = (status?.resourceStatus?.manifests ?? []) as readonly {
    readonly conditions?: readonly Condition[];
  }[];
  const rule = {
    Ready: RULE_HOLDS,
    Progressing: { status: 'False', reason: 'ConditionRuleEvaluated', message: 'Waits: for a Pod' },
    Failed: { status: 'False', reason: 'ConditionRuleEvaluated', message: 'Failed: no Pod comes' },
  }[verdict];
  const manifests = (spec?.manifestConfigs ?? []).map((config, index) => {
    const before = statuses[index]?.conditions;
    const { resourceIdentifier, conditionRules = [] } = config;
    const kind = spec?.workload.manifests?.[index]?.kind ?? '';
    const says = kind === 'Deployment' ? rule : RULE_HOLDS;
    return {
      resourceMeta: { kind, ...resourceIdentifier },
      conditions: [
        since(before, { type: 'Applied', status: 'True', ...about }, now),
        since(before, { type: 'Available', status: 'True' }, now),
        ...(conditionRules.length === 0 ? [] : [since(before, { type: 'Ready', ...says, ...about }, now)]),
      ],
    };
  });
  const applied = { type: 'Applied', status: 'True', reason: 'AppliedManifestWorkComplete', ...about };
  const conditions = [since(status?.conditions, applied, now)];
  return { conditions, resourceStatus: { manifests } } as NonNullable<ManifestWork['status']>;
}

/** A condition keeps the time at which its status last changed. */
function since(before: readonly Condition[] | undefined, is: Condition, now: string): Condition {
  const was = before?.find(({ type }) => type === is.type);
  const lastTransitionTime = was?.status === is.status ? was['lastTransitionTime'] : now;
  return { ...is, lastTransitionTime };
}
