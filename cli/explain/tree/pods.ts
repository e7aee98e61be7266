// The Pods of Capps in a tree of objects: below their Revision where the tree has it, and otherwise below the
// copy on their site, as of one that comes or leaves in a move. Pure.
import type { ReachedPod } from '../../../reach/pods.ts';
import type { Branch } from './branch.ts';

/** The Pods of a Capp, `namespace/name`, on a site; null where nobody can tell them. */
export type TellPods = (capp: string, site: string) => readonly ReachedPod[] | null;

/** The same tree where nothing is told. */
export function withPods(root: Branch, tell: TellPods): Branch {
  const pods = root.kind === 'Capp' && root.on !== 'hub' ? tell(root.name, root.on) : null;
  if (pods !== null) return copyWith(root, pods);
  return { ...root, branches: root.branches.map((branch) => withPods(branch, tell)) };
}

function copyWith(copy: Branch, pods: readonly ReachedPod[]): Branch {
  const placed = new Set<ReachedPod>();
  const into = (branch: Branch): Branch => {
    const own = branch.kind === 'Revision' ? pods.filter(({ revision }) => revision === branch.name) : [];
    for (const pod of own) placed.add(pod);
    return { ...branch, branches: [...branch.branches.map(into), ...own.map(podBranch)] };
  };
  const whole = into(copy);
  const others = pods.filter((pod) => !placed.has(pod));
  return { ...whole, branches: [...whole.branches, ...others.map(podBranch)] };
}

function podBranch(pod: ReachedPod): Branch {
  const { name, site, phase, restarts } = pod;
  const tone = toneOf(pod);
  const stands = tone === 'good' ? 'Ready' : phase;
  return {
    kind: 'Pod',
    name,
    on: site,
    tone,
    says: restarts === 0 ? stands : `${stands}, ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`,
    branches: [],
  };
}

function toneOf({ ready, phase }: Pick<ReachedPod, 'ready' | 'phase'>): Branch['tone'] {
  if (phase === 'Terminating') return 'moving';
  if (ready) return 'good';
  return phase === 'Failed' ? 'bad' : 'busy';
}
