// Which site belongs to which stage: the first that has it, and those that none has to a last one.
import { selects } from '../../crds/kubernetes/label-selector.ts';
import type { Strategy, StrategyStage } from '../../crds/rollout/stages.ts';
import { fnv } from '../types/fnv.ts';
import type { PlanInput, Target } from './types.ts';

/** A stage with its sites, and its limits as numbers of sites. */
export interface StageSites {
  readonly name: string;
  /** In order. */
  readonly sites: readonly Target[];
  readonly maxConcurrent: number;
  readonly maxFailures: number;
  readonly soakMs: number;
  readonly needsApproval: boolean;
  /** Checks of the app on each site; absent if there is none. */
  readonly verify?: NonNullable<StrategyStage['verify']>;
}

type StageTerms = Omit<StrategyStage, 'name' | 'sites'>;

export function stagesOf({ targets, strategy, seed }: Omit<PlanInput, 'rollout'>): readonly StageSites[] {
  const { stages } = strategy;
  let left = ordered(targets, ({ cluster }) => cluster);
  if (stages === undefined) return [staged('all', left, strategy, {})];
  const found: StageSites[] = [];
  for (const { name, sites, ...asked } of stages) {
    const taken = new Set(sites === undefined ? left : takenBy(sites, left, seed));
    found.push(
      staged(
        name,
        left.filter((target) => taken.has(target)),
        strategy,
        asked,
      ),
    );
    left = left.filter((target) => !taken.has(target));
  }
  return left.length === 0 ? found : [...found, staged('rest', left, strategy, {})];
}

function takenBy(
  sites: NonNullable<StrategyStage['sites']>,
  left: readonly Target[],
  seed: string,
): readonly Target[] {
  const fitting = left.filter(({ labels }) => selects(sites, labels));
  const { percent, count = percent === undefined ? null : Math.ceil((fitting.length * percent) / 100) } =
    sites;
  if (count === null) return fitting;
  return ordered(fitting, ({ cluster }) => hashOf(`${seed}/${cluster}`)).slice(0, count);
}

function staged(name: string, sites: readonly Target[], strategy: Strategy, asked: StageTerms): StageSites {
  const { maxConcurrent, maxFailures, soakSeconds } = { ...strategy, ...asked };
  return {
    name,
    sites,
    maxConcurrent: Math.max(1, numberOf(maxConcurrent, sites.length)),
    maxFailures: numberOf(maxFailures, sites.length),
    soakMs: soakSeconds * 1_000,
    needsApproval: asked.approval === 'Required',
    ...(asked.verify === undefined ? {} : { verify: asked.verify }),
  };
}

function numberOf(share: number | string, sites: number): number {
  return typeof share === 'number' ? share : Math.floor((sites * Number.parseInt(share, 10)) / 100);
}

/** Reads each key once. Equal keys keep their order. */
export function ordered(
  targets: readonly Target[],
  keyOf: (target: Target) => string | number,
): readonly Target[] {
  return targets
    .map((target) => ({ target, key: keyOf(target) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ target }) => target);
}

const { imul } = Math;

/** FNV-1a with a last mix, because names of sites differ in their last letter only. */
function hashOf(text: string): number {
  let hash = fnv(text);
  hash = imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
