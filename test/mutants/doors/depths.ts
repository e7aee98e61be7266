// Faults in how deep, and how wide, what a site writes may be.
import type { Mutant } from '../mutant.ts';

const OF_DEPTHS = { seenBy: ['test/unit/kube/depth.test.ts'] };

export const DEPTHS: readonly Mutant[] = [
  {
    ...OF_DEPTHS,
    breaks: 'a site whose work is deeper than a stack bears ends the watch of the works of all sites',
    file: 'kube/watch/stream.ts',
    inside: 'openStream',
    text: 'JSON.parse(shallow(line))',
    becomes: 'JSON.parse(line)',
  },
  {
    breaks: 'a work that is deeper than a stack bears is never written again',
    file: 'kube/http/transport.ts',
    inside: 'once',
    text: 'const read = shallow(text);',
    becomes: 'const read = text;',
    seenBy: ['test/activity/hub/bundle/depths.test.ts'],
  },
  {
    ...OF_DEPTHS,
    breaks: 'brackets in the text of a Secret or a message take away what follows them',
    file: 'kube/depth.ts',
    inside: 'cut',
    text: 'if (code === QUOTE) at = endOfString(text, at);',
    becomes: 'if (code === 0) at = endOfString(text, at);',
  },
  {
    ...OF_DEPTHS,
    breaks: 'a quote within a text ends it, and its brackets count',
    file: 'kube/depth.ts',
    inside: 'endOfString',
    text: 'at !== -1 && isEscaped(text, at)',
    becomes: 'at === -2',
  },
  {
    breaks: 'a Bundle that reads JSON deeper than a stack bears stands still without a word',
    file: 'kube/files/read.ts',
    inside: 'jsonValues',
    text: 'isDeeper(one, MOST_NESTED)',
    becomes: 'isDeeper(one, Infinity)',
    seenBy: ['test/unit/kube/files/read.test.ts'],
  },
  {
    breaks: 'a site that gives a Capp 200,000 fields holds the hub worker’s thread',
    file: 'crds/capp/mirror.ts',
    inside: 'firstFields',
    text: 'if (fields.length === MOST_ENTRIES) break;',
    becomes: '',
    seenBy: ['test/unit/crds/mirror.test.ts'],
  },
  {
    breaks: 'manifests that a site has written are put in order, as many as an API server stores',
    file: 'activities/hub/bundle/status/seen.ts',
    inside: 'carriedContent',
    text: 'carriedBytes(manifests) > MANIFEST_LIMIT',
    becomes: 'manifests.length < 0',
    seenBy: ['test/unit/hub/bundle/worst/works.test.ts'],
  },
];
