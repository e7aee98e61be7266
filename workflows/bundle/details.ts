// What a person reads about a Bundle in the Temporal UI. Pure.
import type { BundleState } from './state.ts';

/** Markdown. */
export function describeBundle({ namespace, name, last }: BundleState, refusal: string | null): string {
  const object = `Bundle \`${namespace}/${name}\``;
  const see = `\`kubectl describe bundle ${name} -n ${namespace}\` says what fails and what helps.`;
  if (refusal !== null)
    return `${object}: the hub's API server refuses what the hub worker asks for (${refusal}). It is tried again in 10 minutes.`;
  if (last === null) return `${object}: being read.`;
  if (last.outcome === 'Leaving') {
    const lost = last.lost.length === 0 ? '' : ` Lost: ${last.lost.join(', ')}.`;
    return `${object} is being deleted: ${last.sites} sites have still to clean up.${lost} ${see}`;
  }
  const { ready, sites, failed, revision, reason } = last;
  return `${object}: revision \`${revision}\` is ready on ${ready} of ${sites} sites, ${failed} fail (${reason}). ${see}`;
}
