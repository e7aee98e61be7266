// Faults in how files of manifests are read: as kubectl reads them, and without a letter lost.
import type { Mutant } from '../mutant.ts';

const KUBECTL = { seenBy: ['test/unit/kube/files/kubectl.test.ts'] };

export const MANIFEST_FILES: readonly Mutant[] = [
  {
    ...KUBECTL,
    breaks: 'a mode that begins with 0 is read as decimal',
    file: 'kube/files/scalars.ts',
    inside: 'wholeNumber',
    text: '/^0[0-7]/.test(digits)',
    becomes: 'digits === text && digits.length > 9',
  },
  {
    ...KUBECTL,
    breaks: 'lists that are not called List are not taken apart',
    file: 'kube/files/lists.ts',
    inside: 'isList',
    text: 'isFields(value) &&',
    becomes: "isFields(value) && value['kind'] === 'List' &&",
  },
  {
    breaks: 'aliases unfold without end',
    file: 'kube/files/compose.ts',
    inside: 'unfold',
    text: 'unfolded.characters > MOST_UNFOLDED.characters',
    becomes: 'unfolded.characters < 0',
    seenBy: ['test/unit/kube/files/read.test.ts'],
  },
  {
    breaks: 'a schedule that begins with a star is a fault of indentation',
    file: 'kube/files/read.ts',
    inside: 'wordsOf',
    text: 'sign !== undefined',
    becomes: "sign === ''",
    seenBy: ['test/unit/kube/files/read.test.ts'],
  },
  {
    breaks: 'a Kustomization is asked for a name',
    file: 'crds/bundle/manifests.ts',
    inside: 'manifestOf',
    text: 'KUSTOMIZE.test(apiVersion)',
    becomes: "KUSTOMIZE.test('')",
    seenBy: ['test/unit/hub/bundle/manifests.test.ts'],
  },
  {
    breaks: 'letters of Windows-1252 become U+FFFD without a word',
    file: 'kube/files/decoded.ts',
    inside: 'decoded',
    text: '!isUtf8(bytes)',
    becomes: 'bytes.length < 0',
    seenBy: ['test/unit/kube/files/read.test.ts'],
  },
  {
    breaks: 'a letter that is lost in a line of a block scalar that begins with # is shipped',
    file: 'kube/files/doubtful.ts',
    inside: 'partsOf',
    text: 'parts.push([event.valueStart, event.valueEnd])',
    becomes: 'parts.length',
    seenBy: ['test/unit/kube/files/read.test.ts'],
  },
  {
    ...KUBECTL,
    breaks: 'lines of a quoted text that kubectl keeps are lost',
    file: 'kube/files/compose.ts',
    inside: 'quotedText',
    text: "empty.split('\\n').length - 1",
    becomes: '0',
  },
  {
    ...KUBECTL,
    breaks: 'a key behind a line separator of Unicode is a part of a comment',
    file: 'kube/files/doubtful.ts',
    inside: 'refuseSeparators',
    text: 'refuse(from, source.length, /[\\u2028\\u2029]/)',
    becomes: 'refuse(from, from, /[\\u2028\\u2029]/)',
  },
  {
    breaks: 'a file with an umlaut in a comment is refused',
    file: 'kube/files/doubtful.ts',
    inside: 'refuseDoubtful',
    text: 'for (const event of events) refuseIn(source, partsOf(event), LOST, LETTER)',
    becomes: 'refuseIn(source, [[0, source.length]], LOST, LETTER)',
    seenBy: ['test/unit/kube/files/read.test.ts'],
  },
];
