// What a world has come to, as text that two lives can be compared by: without times, versions and uids, and
// without what counts how often something was tried.
import { INCARNATION, SALT } from '../../../../crds/labels.ts';
import type { World } from '../world/world.ts';

/** Fields that tell when, or how often. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'creationTimestamp',
  // Why a site was chosen, which a second try may say otherwise: it finds what the first has shipped.
  'decisions',
  'generation',
  'lastTransitionTime',
  'managedFields',
  // How many had moved when a drain that was Done began again.
  'movedBefore',
  'observedGeneration',
  'resourceVersion',
  INCARNATION,
  SALT,
]);

const SPOKEN: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/\buid-\d+\b/g, '<uid>'],
  [/\b1[67]\d{11}\b/g, '<time>'],
  [/<uid>\/\d+\/[0-9a-f]+\/[0-9a-f]+/g, '<stamp>'],
  // Of checks: a hash that has the time at which the rollout began.
  [/"key":"[0-9a-f]{20}"/g, '"key":"<checks>"'],
];

export function endOf({ server, sites, temporal, dns }: World): string {
  const there = server.whole().map(([what, object]) => `${what} ${spoken(object)}`);
  const standing = sites.flatMap((site) => [
    ...[...site.standing].map(
      ([key, { finding, secret }]) => `${site.name} ${key} ${spoken({ finding, secret })}`,
    ),
    ...[...site.plain.standing].map(([key, { text, verdict }]) => `${site.name} ${key} ${verdict} ${text}`),
  ]);
  const led = [...dns.answers].map(([name, { target }]) => `${name} leads to ${target}`);
  const running = [...temporal.runs.keys()].map((id) => `${id} runs`);
  return [there, standing, led, running].map((lines) => lines.toSorted().join('\n')).join('\n');
}

/** An object as text, without what two lives never have in common. */
export function spoken(value: unknown): string {
  const text = JSON.stringify(value, (key, one: unknown) => (LEFT_OUT.has(key) ? undefined : sorted(one)));
  return SPOKEN.reduce((so, [pattern, by]) => so.replaceAll(pattern, by), text);
}

/** Fields in the order of the alphabet. */
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  if ('type' in value && value.type === 'Placed' && 'message' in value) return { ...value, message: '<why>' };
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const AROUND = 60;
const SHOWN = 240;

/** Where the first object is told that differs, and what is said of it there; null if all are the same. */
export function differenceOf(wanted: string, found: string): string | null {
  if (wanted === found) return null;
  const [a, b] = [wanted, found].map((text) => text.split('\n'));
  const lacking = a?.find((line) => b?.includes(line) !== true) ?? '';
  const added = b?.find((line) => a?.includes(line) !== true) ?? '';
  const length = lacking.split('').findIndex((letter, index) => letter !== added[index]);
  const [what] = (lacking || added).split(' {', 1);
  const [is, was] = [added, lacking].map((line) => line.slice(Math.max(0, length - AROUND)).slice(0, SHOWN));
  return `the end is another: of ${what} it says ${is || 'nothing'} instead of ${was || 'nothing'}`;
}

/** What the hub holds no rollout up for, and how a copy got where it is. */
const BESIDE = /^(capprevisions|the way of) /;
/** In which words a status tells that something was refused. */
const TOLD = /Failed|Rejected|Refused|failed/;

/**
 * The same, of a write that was refused for good: what no other try changes may end otherwise, if some status
 * says so.
 */
export function untoldDifference(wanted: string, found: string): string | null {
  const [a, b] = [wanted, found].map((text) => text.split('\n').filter((line) => !BESIDE.test(line)));
  const news = (b ?? []).filter((line) => a?.includes(line) !== true);
  if (news.some((line) => TOLD.test(line))) return null;
  return differenceOf((a ?? []).join('\n'), (b ?? []).join('\n'));
}
