// What things are called in the simulated world.

export const SITES = ['site-1', 'site-2', 'site-3'] as const;
/** Where all Capps are. */
export const NAMESPACE = 'team';
/** Who writes for us, as the rules know it. */
export const HUB = 'hub worker';

/** How what a Secret holds begins, so that it is known wherever it turns up. */
export const CANARY = 'canary-';

export function keyOfName(name: string): string {
  return `${NAMESPACE}/${name}`;
}

/** The label of a cluster by which stages choose their sites: a quarter of them, a quarter and the others. */
export const RING = 'ring';

export function ringOf(site: string): 'canary' | 'early' | 'rest' {
  const number = Number(/\d+$/.exec(site)?.[0] ?? 0) % 4;
  return number === 1 ? 'canary' : number === 2 ? 'early' : 'rest';
}
