// A record of which nothing can be said proves nothing: each object of the storm was seen, and each app
// asked.
import type { Fact } from '../record/fact.ts';

export interface Expected {
  /** Keys of Capps. */
  readonly capps: ReadonlySet<string>;
  /** Keys of CappSets and Bundles. */
  readonly fleets: readonly string[];
  /** How often users asked each app: a Capp, or what a Bundle brings. */
  readonly asked: ReadonlyMap<string, number>;
}

/** What the record lacks of each. */
export function unheard(facts: readonly Fact[], { capps, fleets, asked }: Expected): string[] {
  const isThere = (key: string, isSo: (fact: Fact) => boolean): boolean =>
    facts.some((fact) => fact.key === key && isSo(fact));
  const isShipped = (key: string): boolean =>
    facts.some(({ kind, of, isReady }) => kind === 'ManifestWork' && of === key && isReady);
  return [
    ...[...capps].flatMap((key) => [
      ...lack(isThere(key, onHub), `no version of the Capp ${key}`),
      ...lack(isThere(key, onSite), `no copy of ${key} that served`),
      ...lack(isShipped(key), `no ManifestWork of ${key} that was applied`),
    ]),
    ...[...asked].flatMap(([key, count]) => lack(count > 0, `no request to ${key}`)),
    ...fleets.flatMap((key) => [...lack(isThere(key, isRolled), `no rollout of ${key}`)]),
  ];
}

const onHub = ({ cluster, kind }: Fact): boolean => cluster === 'hub' && kind === 'Capp';
const onSite = ({ cluster, kind, isServing }: Fact): boolean =>
  cluster !== 'hub' && kind === 'Capp' && isServing;
const isRolled = ({ kind, rollout }: Fact): boolean =>
  (kind === 'CappSet' || kind === 'Bundle') && rollout !== null;

const lack = (isThere: boolean, what: string): string[] =>
  isThere ? [] : [`the record has ${what}: the storm has proved nothing of it.`];
