// What a world has come to, as text that two lives can be compared by: without times, versions and uids, and
// without what counts how often something was tried.
import type { World } from '../world/world.ts';

/** Fields that tell when, or how often. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'generation',
  'lastTransitionTime',
  'managedFields',
  'observedGeneration',
  'resourceVersion',
]);

const SPOKEN: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/\buid-\d+\b/g, '<uid>'],
  [/\b1[67]\d{11}\b/g, '<time>'],
  [/<uid>\/\d+\/[0-9a-f]+\/[0-9a-f]+/g, '<stamp>'],
];

export function endOf({ server, sites, temporal, dns }: World): string {
  const there = server.whole().map(([what, object]) => `${what} ${textOf(object)}`);
  const standing = sites.flatMap((site) => [
    ...[...site.standing].map(([key, { finding, secret }]) => `${site.name} ${key} ${textOf({ finding, secret })}`),
    ...[...site.plain.standing].map(([key, { text, verdict }]) => `${site.name} ${key} ${verdict} ${text}`),
  ]);
  const led = [...dns.answers].map(([name, { target }]) => `${name} leads to ${target}`);
  const running = [...temporal.runs.keys()].map((id) => `${id} runs`);
  return [there, standing, led, running].map((lines) => lines.toSorted().join('\n')).join('\n');
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value, (key, one: unknown) => (LEFT_OUT.has(key) ? undefined : one));
  return SPOKEN.reduce((so, [pattern, by]) => so.replaceAll(pattern, by), text);
}

/** The first line that one has and the other has not; null if there is none. */
export function differenceOf(wanted: string, found: string): string | null {
  if (wanted === found) return null;
  const [a, b] = [wanted, found].map((text) => new Set(text.split('\n')));
  const lacking = [...(a ?? [])].find((line) => b?.has(line) !== true) ?? '';
  const added = [...(b ?? [])].find((line) => a?.has(line) !== true) ?? '';
  return `the end is another: wanted ${lacking || 'nothing'} and found ${added || 'nothing'}`;
}
