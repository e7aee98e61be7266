// Faults in what is shipped to others.
import type { Mutant } from './mutant.ts';

const LICENCES = { seenBy: ['test/unit/release/licences.test.ts'] };
const RELEASE = { seenBy: ['test/unit/release/release.test.ts'] };

export const RELEASES: readonly Mutant[] = [
  {
    ...LICENCES,
    breaks: 'a package that declares no licence is shipped',
    file: 'deploy/release/licences.ts',
    inside: 'refusals',
    text: '!isAllowed(one)',
    becomes: 'one.licence !== null && !isAllowed(one)',
  },
  {
    ...LICENCES,
    breaks: 'one allowed licence of several that hold together is enough',
    file: 'deploy/release/licences.ts',
    inside: 'isAllowed',
    text: "split(' AND ').every(",
    becomes: "split(' AND ').some(",
  },
  {
    ...LICENCES,
    breaks: 'the licence of another version than the shipped one is looked at',
    file: 'deploy/release/shipped.ts',
    inside: 'resolve',
    text: '`${folder}/node_modules/${name}`',
    becomes: '`node_modules/${name}`',
  },
  {
    ...RELEASE,
    breaks: 'a base is named by a tag, which may be another image tomorrow',
    file: 'deploy/release/order.ts',
    inside: 'orderFrom',
    text: '^\\S+@sha256:[0-9a-f]{64}$',
    becomes: '^\\S+$',
  },
  {
    ...RELEASE,
    breaks: 'a chart is released that names its image by a tag alone',
    file: 'deploy/release/chart.ts',
    inside: 'withImage',
    text: '`  digest: ${digest}`',
    becomes: "`  digest: ''`",
  },
  {
    breaks: 'archives differ by the order in which files were written',
    file: 'deploy/release/archive.ts',
    inside: null,
    text: ' --sort=name',
    becomes: '',
    seenBy: ['test/unit/release/archive.test.ts'],
  },
];
