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
