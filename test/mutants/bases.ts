// Faults in what a site gets of others.
import type { Mutant } from './mutant.ts';

const PLAN = { file: 'deploy/join/base/plan.ts', seenBy: ['test/unit/deploy/base/plan.test.ts'] } as const;
const SETTINGS = {
  file: 'deploy/join/base/settings.ts',
  seenBy: ['test/unit/deploy/base/settings.test.ts'],
} as const;
const CHARTS = ['test/activity/hub-command/base-charts.test.ts'];
const SERVERS = ['test/activity/hub-command/base.test.ts'] as const;

export const BASES: readonly Mutant[] = [
  {
    ...PLAN,
    breaks: 'a Knative of somebody else is replaced though nobody has asked',
    inside: 'stepOf',
    text: 'if (isTakenOver)',
    becomes: 'if (isThere)',
  },
  {
    ...PLAN,
    breaks: 'what we have brought is written again over what its people have changed',
    inside: 'stepOf',
    text: 'if (ours === version)',
    becomes: "if (ours === '')",
  },
  {
    ...PLAN,
    breaks: 'an older command takes a newer base back',
    inside: 'stepOf',
    text: 'ours !== null && isNewer(ours, version)',
    becomes: 'ours !== null && isNewer(version, version)',
  },
  {
    ...SETTINGS,
    breaks: 'a published ConfigMap loses what it had',
    inside: 'withSettings',
    text: '{ ...(object as ConfigMap).data, ...ours }',
    becomes: '{ ...ours }',
  },
  {
    ...SETTINGS,
    breaks: 'a switch that Knative does not take for on counts as on',
    inside: 'missingSettings',
    text: 'data[key]?.toLowerCase() !== value',
    becomes: 'data[key] === undefined',
  },
  {
    breaks: 'manifests are believed whatever they are',
    file: 'deploy/join/base/manifests.ts',
    inside: 'verified',
    text: 'if (isPinned(file, bytes)) return bytes;',
    becomes: 'if (bytes.length > 0) return bytes;',
    seenBy: SERVERS,
  },
  {
    breaks: 'a rerun writes what is there',
    file: 'deploy/join/base/site.ts',
    inside: 'written',
    text: "if (act === 'apply')",
    becomes: 'if (act.length > 0)',
    seenBy: SERVERS,
  },
  {
    breaks: 'a chart that was not brought to its end is called there',
    file: 'deploy/join/base/plan.ts',
    inside: null,
    text: "export const BEGUN = 'begun';",
    becomes: "export const BEGUN = '0.5.2';",
    seenBy: CHARTS,
  },
  {
    breaks: 'values of an earlier run are lost by the next one',
    file: 'deploy/join/base/helm.ts',
    inside: 'helmArguments',
    text: "'--reset-then-reuse-values',",
    becomes: "'--reset-values',",
    seenBy: CHARTS,
  },
  {
    breaks: 'a password that helm refuses is shown',
    file: 'deploy/join/base/helm.ts',
    inside: 'veiled',
    text: "line.replaceAll(word, '***')",
    becomes: 'line',
    seenBy: CHARTS,
  },
  {
    breaks: 'a dry run brings a chart',
    file: 'deploy/join/base/helm.ts',
    inside: 'helmArguments',
    text: "isDryRun ? ['--dry-run=server']",
    becomes: "isDryRun && kubeconfig === '' ? ['--dry-run=server']",
    seenBy: CHARTS,
  },
];
